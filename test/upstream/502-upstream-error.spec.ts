import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { CHAT_STREAMED, errorIn, send, startForwarding, UPSTREAM_KEY, type ForwardingApp } from './forwarding-app.js';
import { until } from '../support/until.js';

const ROUTE = '/v1/chat/completions';

describe('upstream responses outside 2xx', () => {
  let upstream: ScriptedUpstream;
  let app: ForwardingApp;
  beforeAll(async () => {
    upstream = await startUpstream();
    app = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_CONNECTIONS: '1' } });
  });
  afterAll(async () => {
    await app.stop();
    await upstream.stop();
  });
  beforeEach(() => upstream.reset());

  const respondWith = (status: number, body: string | Buffer, headers: Record<string, string> = {}) =>
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });

  test.each([
    [400, 'false'],
    [401, 'false'],
    [404, 'false'],
    [408, undefined],
    [409, undefined],
    [422, 'false'],
    [429, undefined],
    [500, undefined],
    [503, undefined],
    [301, undefined],
    [304, undefined],
  ])('turns upstream status %i into 502 upstream_error with x-should-retry %s', async (status, shouldRetry) => {
    respondWith(status, status === 304 ? '' : '{"error":{"message":"Said so."}}', {
      location: `${upstream.url}/models`,
    });
    for (const body of [undefined, CHAT_STREAMED]) {
      const got = await send(app.port, body === undefined ? {} : { body });
      expect([got.status, errorIn(got).code]).toEqual([502, 'upstream_error']);
      expect(got.headers['x-gw-upstream-status']).toBe(String(status));
      expect(got.headers['x-should-retry']).toBe(shouldRetry);
    }
    expect(upstream.requests).toHaveLength(2);
  });

  test('forwards Retry-After and the upstream’s request ID', async () => {
    respondWith(429, '{}', { 'retry-after': '17', 'x-request-id': 'up-1' });
    const { headers } = await send(app.port);
    expect([headers['retry-after'], headers['x-gw-upstream-request-id']]).toEqual(['17', 'up-1']);
  });

  test('forwards request-id as the upstream request ID only if there is no x-request-id', async () => {
    for (const [ids, forwarded] of [
      [{ 'request-id': 'req_1' }, 'req_1'],
      [{ 'request-id': 'req_1', 'x-request-id': 'up-1' }, 'up-1'],
    ] as const) {
      respondWith(529, '{}', ids);
      expect((await send(app.port)).headers['x-gw-upstream-request-id']).toBe(forwarded);
    }
  });

  test('reports the status of an upstream error with an unknown content encoding', async () => {
    respondWith(400, 'garbled', { 'content-encoding': 'foo', 'x-request-id': 'up-1' });
    const got = await send(app.port);
    expect(errorIn(got)).toMatchObject({ code: 'upstream_error', message: 'The upstream returned status 400.' });
    expect(got.headers).toMatchObject({
      'x-gw-upstream-status': '400',
      'x-should-retry': 'false',
      'x-gw-upstream-request-id': 'up-1',
    });
  });

  test('forwards only the first of several Retry-After headers', async () => {
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(429, ['Retry-After', '3', 'Retry-After', '5', 'Content-Length', '0']).end();
    });
    expect((await send(app.port)).headers['retry-after']).toBe('3');
  });

  test.each([
    ['{"error":{"message":"From error.message","code":"x"}}', 'From error.message'],
    ['{"message":"From message"}', 'From message'],
    ['{"error":"From error"}', 'From error'],
    ['[{"error":{"message":"In a list"}}]', 'In a list'],
    ['{"error":{"code":1}}', 'The upstream returned status 400.'],
    ['{"error":null,"message":7}', 'The upstream returned status 400.'],
    ['<html>nginx</html>', 'The upstream returned status 400.'],
    ['', 'The upstream returned status 400.'],
    ['{"error":{"message":', 'The upstream returned status 400.'],
    ['{"detail":[{"msg":"x","loc":["body",0,{"toString":null,"valueOf":null}]}]}', 'body.0: x'],
    ['{"detail":{"message":"In detail"}}', 'In detail'],
  ])('shows for the upstream error %s the message "%s"', async (body, message) => {
    respondWith(400, body);
    expect(errorIn(await send(app.port)).message).toBe(message);
  });

  test('decodes a compressed error message', async () => {
    respondWith(400, gzipSync('{"error":{"message":"Packed"}}'), { 'content-encoding': 'gzip' });
    expect(errorIn(await send(app.port)).message).toBe('Packed');
  });

  test('redacts credentials in an error message and truncates it to 500 characters', async () => {
    const message = `${'é'.repeat(480)} sk-proj-${'a1'.repeat(40)} and ${UPSTREAM_KEY} ${'z'.repeat(600)}`;
    respondWith(401, JSON.stringify({ error: { message } }));
    const shown = errorIn(await send(app.port)).message;
    expect(shown).toHaveLength(500);
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain('a1a1');
    respondWith(401, JSON.stringify({ error: { message: `key ${UPSTREAM_KEY} is wrong` } }));
    expect(errorIn(await send(app.port)).message).toBe('key [redacted] is wrong');
  });

  test('stops reading an endless error message and closes its connection', async () => {
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
        response.once('drain', more);
      };
      more();
    });
    expect(errorIn(await send(app.port)).message).toBe('The upstream returned status 500.');
    await (
      await upstream.received(0)
    ).gone;
    await until(() => app.first.permits.free === 1);
  });

  test('reports the upstream status even if the error message is truncated', async () => {
    upstream.on('POST', ROUTE, (_request, response) => {
      response.writeHead(503, { 'content-type': 'application/json' }).write('{"error":', () => response.destroy());
    });
    expect((await send(app.port)).headers['x-gw-upstream-status']).toBe('503');
  });
});
