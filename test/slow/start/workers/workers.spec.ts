import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../support/until.js';
import { GatewayProcess, TEST_SETTINGS } from '../../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { chatCompletion } from '../../../support/scripted-upstream-responses.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';

const CHATS = '/v1/chat/completions';

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
let release: () => void;

beforeAll(async () => {
  [upstream, scratch] = await Promise.all([startUpstream(), createScratchDatabase()]);
});
/** The upstream holds responses for the user `held` until `release` is called. */
beforeEach(() => {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  release = resolve;
  upstream.reset();
  upstream.on('POST', CHATS, async (request, response) => {
    if (request.json().user === 'held') await held;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(chatCompletion('gpt-4o-mini')));
  });
});
afterEach(async () => {
  release();
  await GatewayProcess.endAll();
});
afterAll(async () => {
  await upstream.stop();
  await scratch.drop();
});

const settings = (more: Record<string, string> = {}) => ({
  DATABASE_URL: scratch.url,
  GW_UPSTREAM_BASE_URL: upstream.url,
  GW_WORKERS: '2',
  ...more,
});

const workersOf = ({ pid }: GatewayProcess): number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);

/**
 * Returns whether connections are refused. Node keeps a connection that arrives while the last worker closes. It hangs until
 * the primary process ends, so a timeout counts as accepted.
 */
const refuses = (url: string): Promise<boolean> =>
  fetch(`${url}/health/live`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(1000) }).then(
    () => false,
    (error: Error) => error.name !== 'TimeoutError',
  );

async function listenAnywhere(): Promise<{ port: string; close: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port: String(port), close: () => new Promise((resolve) => server.close(() => resolve())) };
}

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('GW_WORKERS=2', () => {
  test('two workers share a port and a rate limit, a dead worker is replaced, and none outlives a killed primary process', async () => {
    // A fixed port. With port 0, a new worker gets another port if the dead one was the only one that listened.
    const free = await listenAnywhere();
    await free.close();
    const gateway = await GatewayProcess.start(settings({ PORT: free.port }));
    const workers = workersOf(gateway);
    expect(workers).toHaveLength(2);
    const { key } = await gateway.createKey({ rpd_limit: 20 });
    const responses = await Promise.all(Array.from({ length: 60 }, () => gateway.chat(key)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40);

    process.kill(workers[0]!, 'SIGKILL');
    await until(() => workersOf(gateway).filter((pid) => !workers.includes(pid)).length === 1);
    expect(workersOf(gateway)).toContain(workers[1]);
    expect(gateway.stdout).toContain('A worker exited (SIGKILL)');
    await gateway.whenReady();
    expect((await gateway.chat((await gateway.createKey()).key)).status).toBe(200);

    const last = workersOf(gateway);
    expect(last).toHaveLength(2);
    await gateway.kill();
    await until(() => !last.some(runs));
  });

  test.each([
    ['SIGINT to the primary process', false],
    ['Ctrl-C, which reaches every process,', true],
  ])('%s lets open requests complete and leaves no process', async (_name, toGroup) => {
    const gateway = await GatewayProcess.start(settings());
    const workers = workersOf(gateway);
    const { key } = await gateway.createKey();
    const response = gateway.chat(key, { user: 'held' });
    await until(() => upstream.requests.some(({ path }) => path === CHATS));
    gateway.signal('SIGINT', toGroup);
    await until(() => refuses(gateway.url));
    release();
    expect((await response).status).toBe(200);
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(workers.filter(runs)).toEqual([]);
  });

  test('a stop before the workers listen ends all processes without the drain delay', async () => {
    const gateway = GatewayProcess.launch({ ...TEST_SETTINGS, ...settings({ GW_DRAIN_DELAY_SECONDS: '60' }) });
    await until(() => workersOf(gateway).length === 2);
    const workers = workersOf(gateway);
    gateway.signal('SIGTERM');
    await until(() => !runs(gateway.pid));
    expect(workers.filter(runs)).toEqual([]);
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.stdout).toBe('');
  });

  test('a port in use is reported once, with exit code 78', async () => {
    const { port, close } = await listenAnywhere();
    const gateway = GatewayProcess.launch({ ...TEST_SETTINGS, ...settings({ PORT: port }) });
    expect(await gateway.ended).toEqual({ code: 78, signal: null });
    expect(gateway.stderr).toBe(
      `PORT ${port} is already in use on 127.0.0.1. Stop the program that uses it, or set another PORT.\n`,
    );
    await close();
  });
});
