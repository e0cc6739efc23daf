import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { describeApplication } from '../../../support/application-description.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { until } from '../../../support/until.js';

afterAll(() => GatewayProcess.endAll());

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

test('the API description has the version of the release', async () => {
  const { document } = await describeApplication();
  expect(document).toMatchObject({ info: { version } });
});

test('/health and /openapi.json of a running gateway have the version of the release', async () => {
  const gateway = GatewayProcess.launch({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
  });
  await until(() => gateway.stdout.includes('Gateway '));
  const get = async (path: string) => (await fetch(gateway.url + path)).json();
  expect(await get('/health')).toMatchObject({ version });
  expect(await get('/openapi.json')).toMatchObject({ info: { version } });
});
