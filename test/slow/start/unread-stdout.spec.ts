import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

/** Per process. Each writes about 300 bytes of access log, so together they exceed the pipe and the buffer of its reader (128 KiB). */
const REQUESTS = 750;
const CONNECTIONS = 10;

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

describe.each(['1', '2'])('unread stdout with GW_WORKERS=%s', (workers) => {
  beforeEach(async () => {
    gateway = await GatewayProcess.start({
      DATABASE_URL: scratch.url,
      GW_UPSTREAM_BASE_URL: upstream.url,
      LOG_LEVEL: 'info',
      GW_DRAIN_DELAY_SECONDS: '1',
      GW_WORKERS: workers,
    });
    gateway.readNoMore();
    const connections = Array.from({ length: CONNECTIONS * Number(workers) }, () => ask(REQUESTS / CONNECTIONS));
    expect(await Promise.all(connections)).toEqual(connections.map(() => REQUESTS / CONNECTIONS));
  });
  afterEach(() => GatewayProcess.endAll());

  /** Sends requests on one connection without waiting for responses. Returns the number of the expected responses. */
  const ask = async (count: number): Promise<number> => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    const request = (more: string) =>
      `GET /v1/models HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer unknown\r\n${more}\r\n`;
    socket.write(request('').repeat(count - 1) + request('Connection: close\r\n'));
    await once(socket, 'close');
    return text.split('HTTP/1.1 401').length - 1;
  };

  const end = async (...signals: NodeJS.Signals[]) => {
    for (const signal of signals) gateway.signal(signal);
    return gateway.ended;
  };

  test('a signal ends a process whose stdout is not read', async () => {
    const { code } = await end('SIGTERM');
    expect(code).toBe(0);
  });

  test.each([
    ['is not read', false],
    ['is closed', true],
  ])('a second signal ends a process whose stdout %s', async (_name, closed) => {
    gateway.readNoMore(closed);
    // Two different signals, because the system merges equal signals that are pending.
    const { code } = await end('SIGTERM', 'SIGINT');
    expect(code).toBe(1);
  });
});
