import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { DataSource } from 'typeorm';
import { until } from '../../support/until.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { CHAT, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { chatRequest, Wire } from '../../support/wire.js';

const PATH = '/v1/chat/completions';
const STREAMED = JSON.stringify({ ...CHAT, stream: true });
const SSE = 'text/event-stream';
const NDJSON = 'application/x-ndjson';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

function upstreamStreams(type: string, pieces: readonly Buffer[]): void {
  gateway.upstream.on('POST', PATH, (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    let at = 0;
    const next = () => {
      const piece = pieces[at++];
      if (piece === undefined) response.end();
      else response.write(piece, () => setImmediate(next));
    };
    next();
  });
}

const inPiecesOf = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

async function stored({ id }: Key) {
  const [row] = await gateway.app.get(DataSource).query<Record<'requests' | 'input' | 'output' | 'monthly', string>[]>(
    `select sum(d.requests) as requests, sum(d.input_tokens) as input, sum(d.output_tokens) as output,
            (select sum(m.input_tokens + m.output_tokens) from usage_monthly m where m.key_id = $1) as monthly
       from usage_daily d where d.key_id = $1`,
    [id],
  );
  const { requests, input, output, monthly } = row!;
  return [requests, input, output, monthly].map(Number);
}

describe('usage of a stream', () => {
  test.each([
    ['openai-with-usage.sse', 17, 42],
    ['openai-without-usage.sse', null, null],
    ['azure.sse', 30, 31],
    ['comments-and-event-lines.sse', 11, 12],
    ['data-of-several-lines.sse', 21, 22],
    ['gemini.ndjson', 6, 9],
    ['no-newline-at-the-end.sse', 1, 2],
    ['null-usage-on-each-chunk.sse', 4, 5],
    ['usage-on-an-error-event.sse', 50, 51],
    ['without-blank-lines.sse', 1, 3],
    ['zero.sse', 0, 0],
  ])(
    '%s is forwarded unchanged in pieces of 1, 7 and 100 bytes, and its usage is stored',
    async (name, input, output) => {
      const bytes = readFileSync(new URL(`../../fixtures/streams/${name}`, import.meta.url));
      const type = name.endsWith('ndjson') ? NDJSON : SSE;
      const made = await gateway.createKey();
      const sizes = [1, 7, 100];
      for (const size of sizes) {
        upstreamStreams(type, inPiecesOf(bytes, size));
        const response = await fetch(gateway.url + PATH, {
          method: 'POST',
          headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
          body: STREAMED,
        });
        expect(response.headers.get('content-type')).toBe(type);
        expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
      }
      await until(async () => (await stored(made))[0] === sizes.length);
      if (input === null) return;
      const [i, o] = [input * sizes.length, output * sizes.length];
      expect(await stored(made)).toEqual([sizes.length, i, o, i + o]);
    },
  );

  test('the usage of a buffered response is stored and shown by GET /v1/usage', async () => {
    const made = await gateway.createKey({ monthly_token_limit: 1000 });
    await gateway.chat(made);
    await until(async () => (await stored(made))[0] === 1);
    expect(await stored(made)).toEqual([1, 9, 3, 12]);
    expect((await snapshot(gateway, made)).this_month.tokens).toMatchObject({ limit: 1000, used: 12, remaining: 988 });
  });

  test('requests with invalid fields or an upstream failure are stored without tokens', async () => {
    const made = await gateway.createKey();
    await gateway.chat(made, { n: 0 });
    gateway.upstream.on('POST', PATH, (_request, response) => void response.writeHead(500).end());
    await gateway.chat(made);
    await until(async () => (await stored(made))[0] === 2);
    expect(await stored(made)).toEqual([2, 0, 0, 0]);
  });
});

test.each([SSE, NDJSON])(
  'a stream of type %s has X-Accel-Buffering: no, even if the upstream sends another value',
  async (type) => {
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': type, 'x-accel-buffering': 'yes' }).end('{}');
    });
    for (const stream of [true, false]) {
      expect((await gateway.chat(key, { stream })).headers.get('x-accel-buffering')).toBe('no');
    }
  },
);

describe('open stream', () => {
  /** Makes the upstream send its headers, and returns the open response. */
  const opened = () =>
    new Promise<ServerResponse>((resolve) =>
      gateway.upstream.on('POST', PATH, (_request, response) => {
        response.writeHead(200, { 'content-type': SSE }).flushHeaders();
        resolve(response);
      }),
    );

  test('headers and events are forwarded while the upstream is still writing', async () => {
    const upstream = opened();
    const response = await fetch(gateway.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: STREAMED,
    });
    const reader = response.body!.getReader();
    const open = await upstream;
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      open.write(event);
      expect(Buffer.from((await reader.read()).value).toString()).toBe(event);
    }
    expect(open.writableEnded).toBe(false);
    open.end();
    expect((await reader.read()).done).toBe(true);
  });

  test.each(['before the first event', 'after an event'])(
    'a stream that breaks %s ends for the client without a regular end',
    async (when) => {
      const upstream = opened();
      const wire = await Wire.open(gateway.port);
      wire.write(chatRequest(key.key, STREAMED));
      const open = await upstream;
      if (when === 'after an event') open.write('data: 1\n\n', () => open.destroy());
      else open.destroy();
      await expect(wire.response()).rejects.toThrow('the connection ended');
      expect(wire.unread).toMatch(/^HTTP\/1\.1 200 /);
      expect(wire.unread).not.toMatch(/\r\n0\r\n/);
      expect(wire.unread.endsWith(when === 'after an event' ? '9\r\ndata: 1\n\n\r\n' : '\r\n\r\n')).toBe(true);
    },
  );

  test('a pipelined request behind a stream that breaks is not served', async () => {
    const first = opened();
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, STREAMED).repeat(2));
    const open = await first;
    open.write('data: 1\n\n', () => open.destroy());
    await expect(wire.response()).rejects.toThrow('the connection ended');
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  test('an interrupted response with a length is also incomplete for the client', async () => {
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '100' });
      response.write('short', () => response.destroy());
    });
    await expect(gateway.chat(key)).rejects.toThrow();
  });
});

describe('client disconnect', () => {
  const BUFFERED = JSON.stringify(CHAT);
  const silence = () => {};
  const headOnly = (_request: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': SSE }).flushHeaders();
  const oneEvent = (_request: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': SSE }).write('data: 1\n\n');
  const halfAResponse = (_request: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');

  test.each<[string, string, (request: unknown, response: ServerResponse) => void, RegExp | null]>([
    ['before the headers', STREAMED, silence, null],
    ['before the headers of a buffered response', BUFFERED, silence, null],
    ['in the middle of a buffered response', BUFFERED, halfAResponse, null],
    ['before the first event', STREAMED, headOnly, /\r\n\r\n$/],
    ['between two events', STREAMED, oneEvent, /data: 1\n\n/],
  ])('a disconnect %s aborts the upstream request', async (_phase, body, handler, seen) => {
    gateway.upstream.on('POST', PATH, handler);
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, body));
    const request = await gateway.upstream.received(0);
    if (seen !== null) await until(() => seen.test(wire.unread));
    wire.close();
    await request.gone;
  });

  test('a disconnect during the request body sends no upstream request and does not count', async () => {
    const made = await gateway.createKey();
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(made.key, BUFFERED).slice(0, -10));
    wire.close();
    expect((await gateway.chat(key)).status).toBe(200);
    expect((await snapshot(gateway, made)).today.used).toBe(0);
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  test('a request is stored even if its client disconnects', async () => {
    const made = await gateway.createKey();
    gateway.upstream.on('POST', PATH, oneEvent);
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(made.key, STREAMED));
    await gateway.upstream.received(0);
    wire.close();
    await until(async () => (await stored(made))[0] === 1);
  });
});
