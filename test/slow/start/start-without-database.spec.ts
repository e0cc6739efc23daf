import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { generateKey } from '../../../src/keys/key-format.js';
import { FaultProxy } from '../../support/fault-proxy.js';
import { until } from '../../support/until.js';
import { GatewayProcess, TEST_SETTINGS } from '../../support/gateway-process.js';
import type { Response } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;

beforeEach(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
});
afterEach(async () => {
  await GatewayProcess.endAll();
  await upstream.stop();
  await scratch.drop();
});

/** Well-formed, with a valid checksum. */
const unknownKey = generateKey();
const mistypedKey = `${unknownKey.slice(0, -1)}${unknownKey.endsWith('0') ? '1' : '0'}`;

const codeOf = ({ status, body }: Response) => [status, (body.error as { code: string } | undefined)?.code];

describe('a start without a database', () => {
  test('the gateway starts unready, returns 503 for well-formed keys, and recovers within 5 s', async () => {
    const proxy = await FaultProxy.start(scratch.url);
    await proxy.disconnect();
    const gateway = GatewayProcess.launch({
      ...TEST_SETTINGS,
      DATABASE_URL: proxy.url,
      GW_UPSTREAM_BASE_URL: upstream.url,
    });
    await gateway.whenListening();
    const paths = ['/health', '/health/live', '/health/ready'];
    const responses = await Promise.all(paths.map((path) => gateway.call('GET', path)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(codeOf(await gateway.chat(unknownKey))).toEqual([503, 'service_unavailable']);
    expect(codeOf(await gateway.chat(mistypedKey))).toEqual([401, 'invalid_api_key']);

    await proxy.reconnect();
    await until(async () => (await gateway.call('GET', '/health/ready')).status === 200);
    const { key } = await gateway.createKey();
    expect((await gateway.chat(key)).status).toBe(200);
    expect(codeOf(await gateway.chat(unknownKey))).toEqual([401, 'invalid_api_key']);
    await gateway.kill();
    await proxy.disconnect();
  });

  test.each([
    [
      'nothing listens at its address',
      (url: URL) => (url.port = '1'),
      /Not ready: nothing is listening on .*:1 .* Start PostgreSQL there/,
    ],
    [
      'it does not exist',
      (url: URL) => (url.pathname = '/no_such_database'),
      /Not ready: .* no such database .* Create it/,
    ],
  ])('the log names the remedy if the database is unavailable because %s', async (_reason, spoil, line) => {
    const url = new URL(scratch.url);
    spoil(url);
    const gateway = GatewayProcess.launch({
      ...TEST_SETTINGS,
      DATABASE_URL: url.href,
      GW_UPSTREAM_BASE_URL: upstream.url,
      LOG_LEVEL: 'warn',
    });
    await gateway.whenListening();
    expect(gateway.stdout).toMatch(line);
    // Work that waits for the database must not log warnings too.
    expect(gateway.stdout).not.toMatch(/not Connected|artitions|summed up/);
  });
});
