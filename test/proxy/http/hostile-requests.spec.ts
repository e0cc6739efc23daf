import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ChunkBuffer } from '../../../src/platform/request-context/chunk-buffer.js';
import { TestGateway, type Key } from '../../support/gateway.js';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await TestGateway.start();
  key = await gateway.createKey({ allowed_models: ['gpt-4o-mini'] });
});
afterAll(() => gateway.stop());

const CHAT = '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hello"}]}';
const post = (contentType: string, body = CHAT) =>
  gateway.call('POST', '/v1/chat/completions', { key, body, headers: { 'content-type': contentType } });

test('a client that resets its connection right after CONNECT does not stop the gateway', async () => {
  for (let round = 0; round < 100; round++) {
    const socket = connect(gateway.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  expect((await gateway.call('GET', '/health')).status).toBe(200);
});

describe('charset of a JSON body', () => {
  test.each(['utf-7', 'utf-16', '"utf-7"', 'latin1', 'utf-8x', ' utf-7'])(
    'the charset %s is rejected',
    async (charset) => {
      const response = await post(`application/json; charset=${charset}`);
      expect([response.status, response.text]).toEqual([400, expect.stringContaining('invalid_content_type')]);
    },
  );

  test.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8', ' utf-8 ; x=y'])('the charset %s is accepted', async (charset) => {
    expect((await post(`application/json; charset=${charset}`)).status).toBe(200);
  });

  test.each([
    'charset=utf-8; charset=utf-7',
    'charset*0=utf-7',
    "charset*=us-ascii''utf-7",
    'CHARSET*0*=utf-7; charset=utf-8',
    'x=y charset=utf-7',
    'x="; charset=utf-7"',
  ])('the content type parameters %s are rejected', async (parameters) => {
    expect((await post(`application/json; ${parameters}`)).status).toBe(400);
  });
});

test('a message with 1,000 betas fields is rejected', async () => {
  const betas = '"betas":["a"],'.repeat(1000);
  const body = `{${betas}"model":"gpt-4o-mini","max_tokens":5,"messages":[{"role":"user","content":"x"}]}`;
  const open = await gateway.createKey();
  const response = await gateway.call('POST', '/v1/messages', {
    key: open,
    body: body.replace('gpt-4o-mini', 'claude-3-5-sonnet-20241022'),
  });
  expect([response.status, response.text]).toEqual([400, expect.stringContaining('"param":"betas"')]);
});

test('a body of one-byte chunks is stored completely and in few pieces', () => {
  const pieces = new ChunkBuffer();
  const bytes = Buffer.from('0123456789'.repeat(10_000));
  for (const byte of bytes) pieces.push(Buffer.of(byte));
  expect(pieces.all().length).toBeLessThan(1200);
  expect(pieces.whole().equals(bytes)).toBe(true);
});
