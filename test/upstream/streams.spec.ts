import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { chatStream } from '../support/scripted-upstream-responses.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { begin, bodyOf, CHAT_STREAMED, headOf, send, startForwarding, type ForwardingApp } from './forwarding-app.js';
import { until } from '../support/until.js';

const ROUTE = '/v1/chat/completions';
const SSE = { 'content-type': 'text/event-stream' };

describe('streamed responses', () => {
  let upstream: ScriptedUpstream;
  let app: ForwardingApp;
  beforeAll(async () => {
    upstream = await startUpstream();
    app = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_CONNECTIONS: '50' } });
  });
  afterAll(async () => {
    await app.stop();
    await upstream.stop();
  });
  beforeEach(() => upstream.reset());
  const lastContext = () => app.contexts.at(-1)!;

  test('forwards a stream byte for byte and reads its usage, wherever it is split', async () => {
    const whole = Buffer.from(chatStream('gpt-4o-mini', true).slice(3).join('').replaceAll('Hello', 'Hé👋'));
    const withUsage = { ...CHAT_STREAMED, stream_options: { include_usage: true } };
    for (let cut = 1; cut < whole.length; cut++) {
      let rest: () => void = () => {};
      upstream.on('POST', ROUTE, (_request, response) => {
        response.writeHead(200, SSE);
        response.write(whole.subarray(0, cut));
        rest = () => response.end(whole.subarray(cut));
      });
      const response = await headOf(begin(app.port, { body: withUsage }));
      const body = bodyOf(response);
      response.once('data', () => rest());
      expect((await body).body.equals(whole)).toBe(true);
      expect(lastContext().usage).toEqual({ inputTokens: 9, outputTokens: 3, provenance: 'reported' });
    }
  });

  test('forwards the response headers and each event as soon as they arrive', async () => {
    let response!: ServerResponse;
    upstream.on('POST', ROUTE, (_request, open) => {
      response = open;
      open.writeHead(200, SSE).flushHeaders();
    });
    const received = await headOf(begin(app.port, { body: CHAT_STREAMED }));
    expect(received.headers['content-type']).toBe('text/event-stream');
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      response.write(event);
      const [piece] = await new Promise<Buffer[]>((resolve) =>
        received.once('data', (...got: Buffer[]) => resolve(got)),
      );
      expect(String(piece)).toBe(event);
    }
    expect(response.writableEnded).toBe(false);
    response.end();
    expect((await bodyOf(received)).cut).toBe(false);
  });

  test('forwards a line of 8 MiB', async () => {
    const line = Buffer.concat([Buffer.from('data: "'), Buffer.alloc(8 * 1024 * 1024, 'x'), Buffer.from('"\n\n')]);
    upstream.on('POST', ROUTE, (_request, response) => void response.writeHead(200, SSE).end(line));
    const { body, cut } = await send(app.port, { body: CHAT_STREAMED });
    expect(cut).toBe(false);
    expect(body.equals(line)).toBe(true);
  });

  test.each([
    ['application/x-ndjson', CHAT_STREAMED],
    ['audio/mpeg', { model: 'tts-1' }],
    ['application/json', CHAT_STREAMED],
  ])('forwards a response of type %s without a length in chunks', async (type, body) => {
    let response!: ServerResponse;
    upstream.on('POST', ROUTE, (_request, open) => {
      response = open;
      open.writeHead(200, { 'content-type': type }).write('{"a":1}\n');
    });
    const received = await headOf(begin(app.port, { body }));
    await new Promise((resolve) => received.once('data', resolve));
    response.end('{"b":2}\n');
    expect((await bodyOf(received)).cut).toBe(false);
  });

  test('aborts a stream if the upstream connection breaks, and keeps the usage that it reported', async () => {
    const events = chatStream('gpt-4o-mini', true);
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, SSE);
      response.write(events.slice(0, -1).join(''), () => response.destroy());
    });
    const { status, body, cut } = await send(app.port, { body: CHAT_STREAMED });
    expect([status, cut]).toEqual([200, true]);
    expect(body.toString()).toBe(events.slice(0, -1).join(''));
    await until(() => app.running === 0);
    expect(lastContext().usage).toMatchObject({ inputTokens: 9, outputTokens: 3 });
    expect(lastContext().response.errorCode).toBe('upstream_error');
  });

  test('an HTTP/1.0 client gets a reset for an interrupted stream and a normal close for a whole one', async () => {
    const read = (): Promise<string> =>
      new Promise((resolve) => {
        const body = JSON.stringify(CHAT_STREAMED);
        const socket = connect(app.port, '127.0.0.1', () =>
          socket.write(
            `POST ${ROUTE} HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          ),
        );
        let text = '';
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('error', (error) => resolve(`${error.message}`));
        socket.on('close', () => resolve(text));
      });
    const whole = await read();
    expect(whole).toMatch(/^HTTP\/1\.1 200/);
    expect(whole).toMatch(/data: \[DONE\]\n\n$/);
    expect(whole).not.toMatch(/transfer-encoding/i);
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, SSE).write('data: 1\n\n', () => response.destroy());
    });
    expect(await read()).toMatch(/ECONNRESET/);
  });

  test('pauses the upstream while the client does not read, and loses no byte', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const chunks = 512;
    let written = 0;
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, SSE);
      const more = () => {
        while (written < chunks) {
          written += 1;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const received = await headOf(begin(app.port, { body: CHAT_STREAMED }));
    received.pause();
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // The kernel buffers of four sockets hold this much. The rest has not been read from the upstream.
    expect(written).toBeLessThan(chunks * 0.75);
    const { body, cut } = await bodyOf(received);
    expect([body.length, cut]).toEqual([chunk.length * chunks, false]);
  });

  test('disconnects a client that does not read within the limit, and aborts its upstream request', async () => {
    const strict = await startForwarding({ url: upstream.url, stuckClientMs: 100 });
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(200, SSE);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        response.once('drain', more);
      };
      more();
    });
    const received = await headOf(begin(strict.port, { body: CHAT_STREAMED }));
    received.pause();
    await (
      await upstream.received(0)
    ).gone;
    await until(() => strict.running === 0);
    expect((await bodyOf(received)).cut).toBe(true);
    await strict.stop();
  });
});
