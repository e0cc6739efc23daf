import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BodyMemory } from '../../../../src/platform/fairness/body-memory.js';
import type { Key, TestGateway } from '../../../support/gateway.js';
import { until } from '../../../support/until.js';
import { startMetered } from '../../../support/metered-gateway.js';
import { startGateway } from '../../../support/ready-gateway.js';
import { chatRequest } from '../../../support/wire.js';

const FAST = 2;
const EVENTS = 6;
const SLOW_BODIES = 100;
const PATH = '/v1/chat/completions';
const FLOOD = `data: {"choices":[{"delta":{"content":"${'x'.repeat(1000)}"}}]}\n\n`.repeat(64);

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());

/** Gives the user `flood` an endless stream at full speed, and other users an event every 5 ms. */
function respondByUser(): void {
  gateway.upstream.on('POST', PATH, (request, response) => {
    const { user } = request.json();
    response.setHeader('content-type', user === undefined ? 'application/json' : 'text/event-stream');
    if (user === undefined) return void response.end('{"choices":[]}');
    if (user === 'flood') {
      const more = (): void => {
        while (!response.destroyed && response.write(FLOOD));
      };
      response.on('drain', more);
      return more();
    }
    let sent = 0;
    const tick = setInterval(() => {
      response.write(`data: {"n":${++sent}}\n\n`);
      if (sent < EVENTS) return;
      clearInterval(tick);
      response.end('data: [DONE]\n\n');
    }, 5);
  });
}

const streamed = (user: string) => ({ messages: [{ role: 'user', content: 'x' }], stream: true, user });

test('endless streams at full speed block neither another stream nor other requests', async () => {
  respondByUser();
  const read = Array.from({ length: FAST }, () => 0);
  const body = JSON.stringify({ model: 'gpt-4o-mini', ...streamed('flood') });
  // Each event that `fetch` received would take more CPU time than the gateway needs for it.
  const floods = read.map((_none, at) => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('data', (chunk) => (read[at]! += chunk.length));
    socket.write(chatRequest(key.key, body));
    return socket;
  });
  await until(() => read.every((bytes) => bytes > 1_000_000));
  const before = [...read];
  // None of these would finish if the floods had priority.
  const slow = await gateway.chat(key, streamed('slow'));
  expect(slow.text.match(/"n":/g)).toHaveLength(EVENTS);
  expect((await gateway.chat(key)).status).toBe(200);
  expect((await gateway.call('GET', '/health/live')).status).toBe(200);
  await until(() => read.every((bytes, at) => bytes > before[at]!));
  for (const socket of floods) socket.destroy();
});

test('requests with one key that wait for a connection do not block another key', async () => {
  const { gateway: narrow, scrapedUntil, stop } = await startMetered({ GW_UPSTREAM_CONNECTIONS: '1' });
  try {
    const responses: (() => void)[] = [];
    const users: unknown[] = [];
    narrow.upstream.on('POST', PATH, (request, response) => {
      users.push(request.json().user);
      responses.push(() => response.end('{"choices":[]}'));
    });
    const [many, few] = [await narrow.createKey(), await narrow.createKey()];
    const isWaiting = (count: number) =>
      scrapedUntil((now) => now.sum('gateway_queue_depth', { queue: 'upstream' }) === count);
    const sent = Array.from({ length: 20 }, () => narrow.chat(many, { user: 'many' }));
    await isWaiting(19);
    sent.push(narrow.chat(few, { user: 'few' }));
    await isWaiting(20);
    for (let at = 0; at < sent.length; at++) {
      await until(() => responses.length > at);
      responses[at]!();
    }
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    // At most the active request and one waiting request with the other key come first.
    expect(users.indexOf('few')).toBeLessThanOrEqual(2);
  } finally {
    await stop();
  }
});

test('many bodies from one key that are slow to parse do not block another key', async () => {
  const [many, other] = [await gateway.createKey({ rpm_limit: 1 }), await gateway.createKey()];
  await Promise.all([gateway.chat(many), gateway.chat(other)]);
  const body = `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"x"}],"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  const { hostname, port } = new URL(gateway.url);
  let answered = 0;
  const sockets = Array.from({ length: SLOW_BODIES }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    socket.once('data', () => answered++);
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${many.key}\r\n`);
    socket.write(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`);
  }
  const memory = gateway.app.get(BodyMemory);
  await until(() => memory.bytesHeld === SLOW_BODIES * (body.length - 1));
  for (const socket of sockets) socket.write(body.slice(-1));
  expect((await gateway.chat(other)).status).toBe(200);
  expect(answered).toBeLessThan(SLOW_BODIES / 2);
  await until(() => answered === SLOW_BODIES);
  for (const socket of sockets) socket.destroy();
});
