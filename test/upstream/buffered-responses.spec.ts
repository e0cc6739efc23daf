import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createGzip, constants } from 'node:zlib';
import { CHAT_USAGE, chatCompletion } from '../support/scripted-upstream-responses.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import {
  begin,
  bodyOf,
  CHAT,
  CHAT_STREAMED,
  errorIn,
  headOf,
  send,
  startForwarding,
  type ForwardingApp,
} from './forwarding-app.js';
import { until } from '../support/until.js';

const ROUTE = '/v1/chat/completions';
const JSON_TYPE = { 'content-type': 'application/json' };
const REPORTED = { inputTokens: 9, outputTokens: 3, provenance: 'reported' };

describe('buffered and compressed upstream responses', () => {
  let upstream: ScriptedUpstream;
  let app: ForwardingApp;
  beforeAll(async () => {
    upstream = await startUpstream();
    app = await startForwarding({ url: upstream.url });
  });
  afterAll(async () => {
    await app.stop();
    await upstream.stop();
  });
  beforeEach(() => upstream.reset());
  const lastContext = () => app.contexts.at(-1)!;

  test('forwards the request body and a JSON response byte for byte', async () => {
    const odd = Buffer.from('{ "model":"gpt-4o-mini","seed":12345678901234567890, "x":1.0,"u":"\\u00e9é"}\n');
    const response = Buffer.from(
      ' {"big":12345678901234567890,\n"model":"gpt-4o-mini-2024-07-18","usage":{"prompt_tokens":9,"completion_tokens":3}}',
    );
    upstream.on('POST', ROUTE, (_request, res) => void res.writeHead(200, JSON_TYPE).end(response));
    const got = await send(app.port, { body: odd });
    expect((await upstream.received(0)).body.equals(odd)).toBe(true);
    expect(got.body.equals(response)).toBe(true);
    expect(got.headers['content-length']).toBe(String(response.length));
    expect(lastContext()).toMatchObject({
      upstream: { responseModel: 'gpt-4o-mini-2024-07-18' },
      usage: REPORTED,
      stream: false,
    });
    expect(lastContext().upstream.latencyMs).toBeGreaterThan(0);
  });

  test('forwards a JSON response of more than 1 MiB in chunks and still reads its usage', async () => {
    const completion = JSON.stringify({
      ...chatCompletion('m'),
      usage: undefined,
      pad: 'x'.repeat(3_000_000),
      usage_: 0,
    });
    const text = `${completion.slice(0, -1)},"usage":${JSON.stringify(CHAT_USAGE)}}`;
    let finish: () => void = () => {};
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': text.length });
      response.write(text.slice(0, 2_000_000));
      finish = () => response.end(text.slice(2_000_000));
    });
    const received = await headOf(begin(app.port));
    finish();
    expect(received.headers['content-length']).toBe(String(text.length));
    expect((await bodyOf(received)).body.toString()).toBe(text);
    expect(lastContext()).toMatchObject({ upstream: { responseModel: null }, usage: REPORTED });
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ] as const)('decodes an unrequested %s response', async (encoding, compress) => {
    const text = JSON.stringify(chatCompletion('gpt-4o-mini'));
    const bytes = compress(Buffer.from(text));
    const headers = { ...JSON_TYPE, 'content-encoding': encoding, 'content-length': bytes.length };
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200, headers).end(bytes));
    const got = await send(app.port);
    expect(got.body.toString()).toBe(text);
    expect(got.headers['content-encoding']).toBeUndefined();
    expect(got.headers['content-length']).toBe(String(text.length));
    expect(lastContext().usage).toEqual(REPORTED);
  });

  test.each([
    ['an uncompressed', Buffer.from('{}'), {}],
    ['a compressed', gzipSync('{}'), { 'content-encoding': 'gzip' }],
  ])('an exception while reading %s response becomes upstream_error', async (_how, bytes, headers) => {
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200, headers).end(bytes));
    const failed = new Promise((resolve) => {
      const onData = () => {
        throw new TypeError('a bug in the gateway');
      };
      const call = { holder: 'key', method: 'POST', path: '/chat/completions', headers: [], body: Buffer.from('{}') };
      app.upstream.send(call, {
        onStart: () => {},
        onHead: () => {},
        onData,
        onEnd: () => resolve('ended'),
        onError: resolve,
      });
    });
    expect(await failed).toMatchObject({ code: 'upstream_error' });
  });

  test('forwards each event of a compressed stream as soon as it is flushed', async () => {
    const gzip = createGzip();
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      gzip.on('data', (chunk) => response.write(chunk)).on('end', () => response.end());
      gzip.write('data: 1\n\n');
      gzip.flush(constants.Z_SYNC_FLUSH);
    });
    const received = await headOf(begin(app.port, { body: CHAT_STREAMED }));
    const piece = await new Promise((resolve) => received.once('data', resolve));
    expect(String(piece)).toBe('data: 1\n\n');
    gzip.end('data: 2\n\n');
    expect((await bodyOf(received)).body.toString()).toBe('data: 2\n\n');
  });

  test('accepts an empty compressed response, and rejects a truncated one or an unknown encoding with 502', async () => {
    const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200, gzip).end());
    expect(await send(app.port)).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    const half = gzipSync('{"a":1}').subarray(0, 12);
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200, gzip).end(half));
    expect(errorIn(await send(app.port)).code).toBe('upstream_error');
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'snappy' }).end('x');
    });
    expect(errorIn(await send(app.port)).code).toBe('upstream_error');
  });

  test('rejects a zstd response with a window of more than 8 MiB, because each one would hold that much memory', async () => {
    const zstd = (windowLog: number) =>
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (windowLog - 10) << 3, 0x11, 0x00, 0x00, 0x7b, 0x7d]);
    for (const [windowLog, status] of [
      [23, 200],
      [24, 502],
      [27, 502],
    ] as const) {
      const headers = { ...JSON_TYPE, 'content-encoding': 'zstd' };
      upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200, headers).end(zstd(windowLog)));
      const got = await send(app.port);
      expect([windowLog, got.status]).toEqual([windowLog, status]);
      if (status === 200) expect(got.body.toString()).toBe('{}');
    }
  });

  test('a decompression bomb takes less than 120 MiB while its client does not read', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    const received = await headOf(begin(app.port, { body: CHAT_STREAMED }));
    received.pause();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024);
    received.destroy();
    await until(() => app.running === 0);
  });

  test('fetchSmall sends the credential, decodes the response, and enforces its size limit and timeout', async () => {
    const text = JSON.stringify({ data: ['a'] });
    upstream.on('GET', '/v1/models', (_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(text));
    });
    const bounds = { method: 'GET', path: '/models', bytesMax: 1000, timeoutMs: 5_000 } as const;
    const received = await app.upstream.fetchSmall(bounds);
    expect(received).toMatchObject({ status: 200, headers: JSON_TYPE, body: Buffer.from(text) });
    expect((await upstream.received(0)).header('authorization')).toBe('Bearer upstream-account-credential');
    await expect(app.upstream.fetchSmall({ ...bounds, bytesMax: 3 })).rejects.toMatchObject({ code: 'upstream_error' });
    upstream.on('GET', '/v1/models', () => {});
    await expect(app.upstream.fetchSmall({ ...bounds, timeoutMs: 50 })).rejects.toMatchObject({
      code: 'upstream_error',
    });
    await (
      await upstream.received(2)
    ).gone;
    expect(app.first.permits.waiting).toBe(0);
  });

  test('forwards responses to HEAD and with status 204 without a body', async () => {
    upstream.on('HEAD', '/v1/files/x', (_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': 77 }).end();
    });
    const head = await send(app.port, { method: 'HEAD', path: '/v1/files/x' });
    expect([head.status, head.headers['content-length'], head.cut]).toEqual([200, '77', false]);
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(204).end());
    const empty = await send(app.port, { body: CHAT });
    expect([empty.status, empty.body.length, empty.cut]).toEqual([204, 0, false]);
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(204, JSON_TYPE).end());
    const typed = await send(app.port, { body: CHAT });
    expect([typed.status, typed.headers['content-length'], typed.cut]).toEqual([204, undefined, false]);
    const wrong = { 'content-type': 'text/event-stream', 'content-length': 5 };
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(204, wrong).end());
    const streamed = await send(app.port);
    expect([streamed.status, streamed.headers['content-length'], streamed.cut]).toEqual([204, undefined, false]);
  });
});
