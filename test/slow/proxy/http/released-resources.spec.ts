import { afterAll, beforeAll, beforeEach, test } from '@jest/globals';
import type { Key, TestGateway } from '../../../support/gateway.js';
import { startMetered, type MeteredGateway } from '../../../support/metered-gateway.js';
import { chatHead, chatRequest, Wire } from '../../../support/wire.js';
import { until } from '../../../support/until.js';

const CONNECTIONS = 4;
/** More than `CONNECTIONS`, so that no connection would be left if each request lost one. */
const TIMES = CONNECTIONS + 2;
const PATH = '/v1/chat/completions';
const BODY = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] });
const STREAMED = BODY.replace('{', '{"stream":true,');
const JSON_TYPE = 'Content-Type: application/json';

let metered: MeteredGateway;
let gateway: TestGateway;
let key: Key;
let spent: Key;
beforeAll(async () => {
  metered = await startMetered({
    GW_UPSTREAM_CONNECTIONS: String(CONNECTIONS),
    GW_BODY_IDLE_TIMEOUT_MS: '200',
    GW_UPSTREAM_HEAD_TIMEOUT_MS: '300',
    GW_UPSTREAM_IDLE_TIMEOUT_MS: '300',
  });
  gateway = metered.gateway;
  key = await gateway.createKey();
  spent = await gateway.createKey({ rpd_limit: 1 });
  await gateway.chat(spent);
});
afterAll(() => metered.stop());
beforeEach(() => gateway.upstream.reset());

const send = (body: string, by = key) => Wire.once(gateway.port, chatRequest(by.key, body)).catch(() => null);
const upstreamReturns = (type: string, text: string, end: 'end' | 'cut' | 'hang') =>
  gateway.upstream.on('POST', PATH, (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.write(text, () => (end === 'cut' ? response.destroy() : undefined));
    if (end === 'end') response.end();
  });
async function leave(body: string, onceReceived: boolean): Promise<void> {
  const wire = await Wire.open(gateway.port);
  const received = gateway.upstream.received(gateway.upstream.requests.length);
  wire.write(chatRequest(key.key, body));
  if (onceReceived) await received;
  wire.close();
}

const EXITS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a served request', () => send(BODY)],
  ['a served stream', () => send(STREAMED)],
  ['401', () => Wire.once(gateway.port, chatRequest('sk-gw-none', BODY))],
  ['400 for malformed JSON', () => send('{')],
  ['403 of the model gate', () => send(BODY.replace('gpt-4o-mini', 'nobody-knows'))],
  ['429', () => send(BODY, spent)],
  ['400 for an invalid field', () => send(BODY.replace('{', '{"temperature":9,'))],
  ['413 for the length', () => Wire.once(gateway.port, chatHead(key.key, JSON_TYPE, 'Content-Length: 99999999'))],
  ['408', () => Wire.once(gateway.port, chatHead(key.key, JSON_TYPE, 'Content-Length: 500') + '{"model":')],
  [
    'a disconnect during the request body',
    async () => {
      const wire = await Wire.open(gateway.port);
      wire.write(chatHead(key.key, JSON_TYPE, 'Content-Length: 500') + BODY);
      await metered.scrapedUntil((now) => now.sum('gateway_queue_depth', { queue: 'body_bytes' }) > 0);
      wire.close();
    },
  ],
  ['a disconnect before the response', () => (gateway.upstream.on('POST', PATH, () => {}), leave(BODY, true))],
  [
    'a disconnect in a stream',
    () => (upstreamReturns('text/event-stream', 'data: 1\n\n', 'hang'), leave(STREAMED, true)),
  ],
  ['an immediate disconnect', () => leave(BODY, false)],
  ['502 for late headers', () => (gateway.upstream.on('POST', PATH, () => {}), send(BODY))],
  [
    '502 for an upstream error',
    () => (gateway.upstream.on('POST', PATH, (_request, res) => void res.writeHead(500).end('{}')), send(BODY)),
  ],
  [
    '502 for a lost connection',
    () => (gateway.upstream.on('POST', PATH, (_request, res) => void res.destroy()), send(BODY)),
  ],
  ['a response that breaks', () => (upstreamReturns('application/json', '{"a":', 'cut'), send(BODY))],
  ['a stream that breaks', () => (upstreamReturns('text/event-stream', 'data: 1\n\n', 'cut'), send(STREAMED))],
  ['a stream that stalls', () => (upstreamReturns('text/event-stream', 'data: 1\n\n', 'hang'), send(STREAMED))],
];

test.each(EXITS)('%s releases its connection, memory and place in the queue', async (_how, exit) => {
  await Promise.all(Array.from({ length: TIMES }, exit));
  await metered.scrapedUntil(
    (now) =>
      ['gateway_requests_in_flight', 'gateway_streams_open', 'gateway_admission_waiting'].every(
        (name) => now.sum(name) === 0,
      ) && ['body_bytes', 'parsed_bytes', 'upstream'].every((queue) => now.sum('gateway_queue_depth', { queue }) === 0),
  );
  gateway.upstream.reset();
  // On a slow machine, a response can miss the short timeout for its headers.
  await until(async () => {
    const after = await Promise.all(Array.from({ length: CONNECTIONS }, () => gateway.chat(key)));
    return after.every(({ status }) => status === 200);
  });
});
