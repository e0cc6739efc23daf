import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayProcess } from '../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';

/** To each process. Of each some 300 bytes of the access log: more than a pipe and the buffers of both sides take. */
const REQUESTS = 3000;
const AT_ONCE = 50;
/** The last flush waits for a second, and a second signal for nothing. */
const ENDS_MS_MAX = 5000;
const ENDS_AT_ONCE_MS_MAX = 3000;

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
});
afterAll(async () => {
  await upstream.stop();
  await scratch.drop();
});

describe.each(['1', '2'])('with a stdout that nobody reads and GW_WORKERS=%s', (workers) => {
  beforeEach(async () => {
    gateway = await GatewayProcess.start({
      ...{ DATABASE_URL: scratch.url, GW_UPSTREAM_BASE_URL: upstream.url, LOG_LEVEL: 'info' },
      ...{ GW_DRAIN_DELAY_SECONDS: '1', GW_WORKERS: workers },
    });
    gateway.readNoMore();
    const ask = async () => {
      for (let nth = 0; nth < (REQUESTS * Number(workers)) / AT_ONCE; nth++)
        await gateway.call('GET', '/v1/models', { key: 'none of ours' });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
  });
  afterEach(() => GatewayProcess.endAll());

  /** @returns how it ended, and after how many milliseconds */
  const end = async (...signals: NodeJS.Signals[]) => {
    const begun = performance.now();
    for (const signal of signals) gateway.signal(signal);
    return { ...(await gateway.ended), ms: performance.now() - begun };
  };

  test('a signal ends the process', async () => {
    const { code, ms } = await end('SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(ENDS_MS_MAX);
  });

  test.each([
    ['', false],
    [', and whose reader has gone', true],
  ])('a second signal ends it at once%s', async (_name, closed) => {
    gateway.readNoMore(closed);
    // Two kinds: of one kind the second would be lost while the first waits to be heard.
    const { code, ms } = await end('SIGTERM', 'SIGINT');
    expect(code).toBe(1);
    expect(ms).toBeLessThan(ENDS_AT_ONCE_MS_MAX);
  });
});
