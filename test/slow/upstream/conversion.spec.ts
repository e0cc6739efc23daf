import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ResponseConverter } from '../../../src/proxy/forward-plan.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import {
  CHAT_STREAMED,
  begin,
  bodyOf,
  errorIn,
  headOf,
  send,
  startForwarding,
  type ForwardingApp,
} from '../../upstream/forwarding-app.js';
import { until } from '../../support/until.js';

const ROUTE = '/v1/chat/completions';
const MB = 1024 * 1024;
const SSE = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** Doubles a whole response. In a stream, it holds back unfinished lines, converts to upper case, and appends BYE. */
const converter: ResponseConverter = {
  buffered: (body) => {
    if (body.includes('refuse me')) throw new Error('not what was expected');
    return [body, body];
  },
  stream: () => {
    let rest = '';
    return {
      push: (chunk) => {
        rest += chunk.toString('latin1');
        if (rest.includes('refuse me')) throw new Error('not what was expected');
        const end = rest.lastIndexOf('\n') + 1;
        const ready = rest.slice(0, end).toUpperCase();
        rest = rest.slice(end);
        return ready === '' ? [] : [Buffer.from(ready, 'latin1')];
      },
      end: () => {
        if (rest === 'refuse the end') throw new Error('not what was expected');
        return [Buffer.from(`${rest.toUpperCase()}BYE`, 'latin1')];
      },
    };
  },
};

let upstream: ScriptedUpstream;
let app: ForwardingApp;
beforeAll(async () => {
  upstream = await startUpstream();
  app = await startForwarding({ url: upstream.url, plan: { converter } });
});
afterEach(() => upstream.reset());
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});
const context = () => app.contexts.at(-1)!;

describe('conversion of a whole response', () => {
  const respondWith = (text: string | Buffer, headers = {}) =>
    upstream.on(
      'POST',
      ROUTE,
      (_request, response) => void response.writeHead(200, { ...JSON_TYPE, ...headers }).end(text),
    );

  test('sends the length of the converted response, and takes model and usage from the original', async () => {
    const text = '{"model":"real-1","usage":{"prompt_tokens":7,"completion_tokens":5}}';
    respondWith(text);
    const response = await send(app.port);
    expect(response.body.toString()).toBe(text + text);
    expect(response.headers['content-length']).toBe(String(2 * text.length));
    expect(context().upstream.responseModel).toBe('real-1');
    expect(context().usage).toMatchObject({ inputTokens: 7, outputTokens: 5 });
  });

  test.each([
    ['with a Content-Length', true],
    ['without a Content-Length', false],
  ])('converts a response of 3 MiB %s', async (_how, announced) => {
    const text = Buffer.from(`{"model":"real-1","x":"${'y'.repeat(3 * MB)}"}`);
    respondWith(text, announced ? { 'content-length': text.length } : {});
    const response = await send(app.port);
    expect(response.body.equals(Buffer.concat([text, text]))).toBe(true);
    expect(context().upstream.responseModel).toBe('real-1');
  });

  test('converts a JSON response as a whole even if the client requested a stream', async () => {
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, JSON_TYPE).write('{"a":');
      setImmediate(() => response.end('1}'));
    });
    const received = await send(app.port, { body: CHAT_STREAMED });
    expect(received.body.toString()).toBe('{"a":1}{"a":1}');
    expect(context().stream).toBe(false);
  });

  test('a slow client can read a converted response for longer than the limit for a stuck client', async () => {
    const gateway = await startForwarding({ url: upstream.url, plan: { converter }, stuckClientMs: 3_000 });
    const text = Buffer.from(`{"x":"${'y'.repeat(24 * MB)}"}`);
    respondWith(text);
    const response = await headOf(begin(gateway.port));
    response.pause();
    const beganMs = performance.now();
    let bytes = 0;
    for (let ended = false; !ended;) {
      const piece = response.read(64 * 1024) as Buffer | null;
      bytes += (piece ?? (response.read() as Buffer | null))?.length ?? 0;
      ended = response.readableEnded || response.destroyed;
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    expect([bytes, response.complete]).toEqual([2 * text.length, true]);
    expect(performance.now() - beganMs).toBeGreaterThan(3_000);
    await gateway.stop();
  });

  test('aborts a converted response if the client stops reading for longer than the limit', async () => {
    const strict = await startForwarding({ url: upstream.url, plan: { converter }, stuckClientMs: 100 });
    const text = Buffer.from(`{"x":"${'y'.repeat(12 * MB)}"}`);
    respondWith(text);
    const call = begin(strict.port);
    const response = await headOf(call);
    response.pause();
    await until(() => strict.connections === 0);
    const { body, cut } = await bodyOf(response);
    expect([cut, body.length < 2 * text.length]).toEqual([true, true]);
    await strict.stop();
  });

  test('turns an error with status 200 into 502 with its message and status', async () => {
    respondWith('{"error":{"message":"refuse me: too busy","code":429}}', { 'x-request-id': 'up-1' });
    const got = await send(app.port);
    expect([got.status, errorIn(got).message]).toEqual([502, 'refuse me: too busy']);
    expect(got.headers).toMatchObject({ 'x-gw-upstream-status': '200', 'x-gw-upstream-request-id': 'up-1' });
  });

  test('returns 502 for a response of more than 64 MiB and aborts the upstream request', async () => {
    const piece = Buffer.alloc(MB, 'x');
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, JSON_TYPE);
      const next = () => void response.write(piece, (error) => error ?? setImmediate(next));
      next();
    });
    const received = await send(app.port);
    expect([received.status, errorIn(received).code]).toEqual([502, 'upstream_error']);
    await upstream.requests[0]!.gone;
  });

  test('returns 502 for a response that cannot be converted', async () => {
    respondWith('{"a":"refuse me"}');
    const response = await send(app.port);
    expect([response.status, errorIn(response).code]).toEqual([502, 'upstream_error']);
  });

  test('meters the tokens of a response that cannot be converted', async () => {
    respondWith('{"a":"refuse me","usage":{"prompt_tokens":7,"completion_tokens":5}}');
    expect((await send(app.port)).status).toBe(502);
    expect(context().usage).toMatchObject({ inputTokens: 7, outputTokens: 5 });
  });

  test('converts a response without a content type as a whole if no stream was requested', async () => {
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200).end('{"a":1}'));
    const received = await send(app.port);
    expect([received.status, received.body.toString()]).toEqual([200, '{"a":1}{"a":1}']);
  });

  test('returns 502 for a response that is neither JSON nor a stream', async () => {
    respondWith('<html>', { 'content-type': 'text/html' });
    expect((await send(app.port)).status).toBe(502);
  });

  test('does not convert an error response from the upstream', async () => {
    upstream.on(
      'POST',
      ROUTE,
      (_request, response) => void response.writeHead(400, JSON_TYPE).end('{"error":{"message":"no"}}'),
    );
    const received = await send(app.port);
    expect([received.status, errorIn(received).message]).toEqual([502, 'no']);
  });
});

describe('conversion of a stream', () => {
  /** Sends each piece after the previous one was written. */
  const streams = (pieces: readonly string[], headers = {}, last: (socket: { destroy(): void }) => void = () => {}) =>
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, { ...SSE, ...headers });
      response.flushHeaders();
      const left = [...pieces];
      const next = () => {
        const piece = left.shift();
        if (piece !== undefined) response.write(piece, 'latin1', () => setImmediate(next));
        else if (last.length === 0) response.end();
        else last(response.socket!);
      };
      next();
    });
  const EVENTS =
    'data: {"choices":[]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5}}\n\ndata: [DONE]\n\nrest';

  test('converts a whole stream regardless of how it is chunked, and appends the end of the converter', async () => {
    for (let size = 1; size < 60; size += 7) {
      streams(EVENTS.match(new RegExp(`[^]{1,${size}}`, 'g'))!);
      const response = await send(app.port, { body: CHAT_STREAMED });
      expect(response.cut).toBe(false);
      expect(response.body.toString('latin1')).toBe(`${EVENTS.toUpperCase()}BYE`);
      // Usage is read from the original bytes. A report in upper case would not be recognized.
      expect(context().usage).toMatchObject({ inputTokens: 7, outputTokens: 5 });
    }
  });

  test('does not forward the Content-Length of a stream that it converts', async () => {
    streams([EVENTS], { 'content-length': EVENTS.length });
    const response = await send(app.port, { body: CHAT_STREAMED });
    expect(response.headers['content-length']).toBeUndefined();
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(response.body.toString('latin1')).toBe(`${EVENTS.toUpperCase()}BYE`);
  });

  test.each(['application/jsonl', 'application/x-ndjson'])(
    'converts a response of type %s as a stream',
    async (type) => {
      streams(['{"a":1}\n'], { 'content-type': type });
      expect((await send(app.port, { body: CHAT_STREAMED })).body.toString('latin1')).toBe('{"A":1}\nBYE');
    },
  );

  test('converts a response without a content type as a stream if a stream was requested', async () => {
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200).end(EVENTS));
    const received = await send(app.port, { body: CHAT_STREAMED });
    expect(received.body.toString('latin1')).toBe(`${EVENTS.toUpperCase()}BYE`);
  });

  test('sends the response headers of a converted stream before its first chunk', async () => {
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200, SSE).flushHeaders());
    const call = begin(app.port, { body: CHAT_STREAMED });
    expect((await headOf(call)).statusCode).toBe(200);
    call.destroy();
  });

  test.each([
    ['a chunk', ['data: 1\n', 'refuse me']],
    ['the end', ['data: 1\n', 'refuse the end']],
  ])('aborts the stream if %s cannot be converted', async (_what, pieces) => {
    streams(pieces);
    const response = await send(app.port, { body: CHAT_STREAMED });
    expect([response.status, response.cut]).toEqual([200, true]);
    // The chunk before the fault can be lost with the connection. The faulty chunk must never be sent.
    expect(['', 'DATA: 1\n']).toContain(response.body.toString());
    expect(context().response.errorCode).toBe('upstream_error');
  });

  test('aborts the stream without the end of the converter if the upstream connection breaks', async () => {
    streams(['data: 1\n'], {}, (socket) => socket.destroy());
    const response = await send(app.port, { body: CHAT_STREAMED });
    expect(response.cut).toBe(true);
    expect(response.body.toString()).not.toContain('BYE');
  });

  test('pauses the upstream while the client does not read a converted stream', async () => {
    const piece = `${'y'.repeat(64 * 1024 - 1)}\n`;
    let written = 0;
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, SSE);
      const next = () => {
        written += piece.length;
        if (written > 64 * MB) response.end();
        else if (response.write(piece)) setImmediate(next);
        else response.once('drain', next);
      };
      next();
    });
    const call = begin(app.port, { body: CHAT_STREAMED });
    const response = await headOf(call);
    let seen = -1;
    // Until nothing more is written, because the socket buffers are full.
    await until(() => {
      const still = seen === written;
      seen = written;
      return still && written > MB;
    });
    expect(written).toBeLessThan(48 * MB);
    const { body, cut } = await bodyOf(response);
    expect(cut).toBe(false);
    expect(body.length).toBe(64 * MB + 'BYE'.length);
  });
});
