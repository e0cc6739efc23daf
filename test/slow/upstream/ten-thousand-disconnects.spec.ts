import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { heldBytes } from '../../support/held-bytes.js';
import { rawUpstream } from '../../support/scripted-upstream.js';
import { CHAT_STREAMED, startForwarding, type ForwardingApp } from '../../upstream/forwarding-app.js';
import { until } from '../../support/until.js';
import { postHead } from '../../support/wire.js';

const AT_ONCE = 100;
const ROUNDS = 100;
/** Rounds that fill all caches and pools before memory is measured. */
const WARM = 20;
/** About 500 bytes for each client that has disconnected. */
const GROWTH_MAX = 4_000_000;

const BODY = JSON.stringify(CHAT_STREAMED);
const LENGTH = `Content-Length: ${BODY.length}`;
const REQUEST = postHead('/v1/chat/completions', null, 'Content-Type: application/json', LENGTH) + BODY;
const beginning = (type: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n`;
/** Responses in turn, which the upstream never ends. */
const RESPONSES = [null, beginning('text/event-stream'), beginning('application/json')];

// Clients and upstream are sockets, because HTTP servers and clients would need more CPU time than the gateway.
let upstream: Awaited<ReturnType<typeof rawUpstream>>;
let app: ForwardingApp;
let requests = 0;
let onRequest = () => {};
/** Upstream connections with a request. */
const running = new Set<Socket>();
const { stackTraceLimit } = Error;
beforeAll(async () => {
  // Node reads the stack of the error of each aborted connection, which would take longer than the rest of an abort.
  Error.stackTraceLimit = 0;
  upstream = await rawUpstream((socket) =>
    socket.once('data', () => {
      running.add(socket.resume().once('close', () => running.delete(socket)));
      const response = RESPONSES[requests++ % 3];
      if (response) socket.write(response);
      onRequest();
    }),
  );
  app = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_CONNECTIONS: '20' } });
});
afterAll(async () => {
  Error.stackTraceLimit = stackTraceLimit;
  await app.stop();
  await upstream.stop();
});

function client(): Socket {
  const socket = connect(app.port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write(REQUEST);
  return socket;
}

test('10,000 clients that disconnect in different phases leave no permit, socket, timer or memory behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const round = async (number: number) => {
    const received = new Promise<void>((resolve) => (onRequest = resolve));
    const clients = Array.from({ length: AT_ONCE }, client);
    await (number % 2 === 0 ? received : until(() => app.running > 0));
    for (const [at, socket] of clients.entries()) setTimeout(() => socket.destroy(), at % 7);
    await until(() => clients.every(({ destroyed }) => destroyed) && app.running === 0);
    await until(() => running.size === 0);
    // The memory of the test doubles must not be measured.
    app.forget();
  };
  const timersBefore = timers();
  for (let number = 0; number < WARM; number++) await round(number);
  const heldBefore = heldBytes();
  for (let number = WARM; number < ROUNDS; number++) await round(number);
  await until(() => app.first.permits.free === 20);
  expect([app.first.permits.waiting, app.first.breaker.open]).toEqual([0, false]);
  await until(() => upstream.sockets.size === 0);
  await until(() => timers() <= timersBefore + 1);
  expect(heldBytes() - heldBefore).toBeLessThan(GROWTH_MAX);
});
