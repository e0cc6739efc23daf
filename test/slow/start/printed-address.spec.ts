import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { urlOf } from '../../../src/start/addresses.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase();
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await scratch.drop();
});

/** Status and body. The tests also run on a checkout without a build of the dashboard, where its page is 404. */
async function responseOf(url: string): Promise<string> {
  const response = await fetch(url);
  return `${response.status} ${await response.text()}`;
}

describe('printed addresses', () => {
  test.each(['0.0.0.0', '::', 'localhost', '::1', '127.0.0.2'])(
    'the printed addresses of HOST=%s work',
    async (host) => {
      const gateway = await GatewayProcess.start({
        DATABASE_URL: scratch.url,
        GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
        HOST: host,
        GW_METRICS_HOST: host,
        GW_METRICS_PORT: '0',
      });
      const printed = [...gateway.stdout.matchAll(/^ *(?:Dashboard|API|Health|Metrics) +(http:[^\s,]+)/gm)];
      expect(printed).toHaveLength(4);
      for (const [, url] of printed)
        expect(await responseOf(url!)).toMatch(/^200 |"The dashboard has not been built\./);
      await gateway.kill();
    },
  );

  test.each([
    ['0.0.0.0', 'http://127.0.0.1:80'],
    ['0:0:0:0:0:0:0:0', 'http://127.0.0.1:80'],
    ['fd00::1', 'http://[fd00::1]:80'],
    ['gateway.internal', 'http://gateway.internal:80'],
  ])('a listener on %s is reached at %s', (host, url) => {
    expect(urlOf(host, 80)).toBe(url);
  });
});
