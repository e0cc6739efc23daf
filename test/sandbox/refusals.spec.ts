import { describe, expect, test } from '@jest/globals';
import http from 'node:http';

import { BODY_BYTES_MAX } from '../../sandbox/src/server.js';
import { KEY_HEADER, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const PATH = '/v1/chat/completions';
const user = { role: 'user', content: 'hi' };
const hello = { model: 'gpt-4o', messages: [user] };

describe('errors in OpenAI’s format', () => {
  test('returns 401 without an Authorization header', async () => {
    const reply = await sandbox.post(PATH, hello, {});

    expect(reply.status).toBe(401);
    expect(JSON.parse(reply.text)).toEqual({
      error: {
        message: expect.stringContaining("didn't provide an API key"),
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    });
  });

  test.each([
    ['GET', '/v1/nothing'],
    ['GET', '/v1/chat'],
    ['GET', '/v1/models/%E0%A4%A'],
    ['POST', '/v1/models'],
    ['POST', '/v1/audio/nothing'],
  ])('returns 404 for %s %s', async (method, path) => {
    const reply = method === 'GET' ? await sandbox.get(path) : await sandbox.post(path, {});

    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text).error.message).toBe(`Invalid URL (${method} ${path})`);
  });

  test('returns 404 model_not_found for an unknown model', async () => {
    const reply = await sandbox.post(PATH, { ...hello, model: 'gpt-0' });

    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text).error).toMatchObject({ code: 'model_not_found', param: 'model' });
  });

  test.each([
    ['text-embedding-3-small', 'v1/embeddings'],
    ['gpt-image-1', 'v1/images/generations'],
    ['tts-1', 'v1/audio/speech'],
    ['whisper-1', 'v1/audio/transcriptions'],
    ['gpt-4o-realtime-preview', 'v1/realtime'],
    ['davinci-002', 'v1/completions'],
  ])('returns 400 for %s in a chat and suggests %s', async (model, endpoint) => {
    const reply = await sandbox.post(PATH, { ...hello, model });

    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).error).toMatchObject({
      message: expect.stringContaining(`use ${endpoint}?`),
      param: 'model',
    });
  });

  test.each<[string, unknown, string | null]>([
    ['a body that is not JSON', '{"model":', null],
    ['a body that is an array', [], null],
    ['a missing model', { messages: [user] }, 'model'],
    ['missing messages', { model: 'gpt-4o' }, 'messages'],
    ['an empty list of messages', { ...hello, messages: [] }, 'messages'],
    ['a message that is a string', { ...hello, messages: ['hi'] }, 'messages[0]'],
    ['a message without a role', { ...hello, messages: [user, { content: 'x' }] }, 'messages[1].role'],
    ['n below 1', { ...hello, n: 0 }, 'n'],
    ['n above 128', { ...hello, n: 129 }, 'n'],
    ['a fractional max_tokens', { ...hello, max_tokens: 1.5 }, 'max_tokens'],
    ['stream_options without stream', { ...hello, stream_options: {} }, 'stream_options'],
    ['an unknown tool', { ...hello, tool_choice: { type: 'function', function: { name: 'x' } } }, 'tool_choice'],
  ])('returns 400 for %s', async (_what, body, param) => {
    const reply = await sandbox.post(PATH, body);

    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).error).toMatchObject({ type: 'invalid_request_error', param });
  });

  test('returns 413 for a content-length over the limit before it reads the body', async () => {
    const headers = { ...KEY_HEADER, 'content-length': BODY_BYTES_MAX + 1 };
    const status = await new Promise<number>((resolve, reject) => {
      const req = http.request(`${sandbox.baseUrl()}/chat/completions`, { method: 'POST', headers });

      req.on('error', reject);
      req.on('response', (res) => {
        resolve(res.statusCode ?? 0);
        req.on('error', () => undefined);
        req.destroy();
      });
      req.flushHeaders();
    });

    expect(status).toBe(413);
  });

  test('returns 413 for a chunked body over the limit without breaking the connection', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const piece = Buffer.alloc(1024 * 1024, 0x20);
    const status = await new Promise<number>((resolve, reject) => {
      const req = http.request(`${sandbox.baseUrl()}/chat/completions`, { method: 'POST', headers: KEY_HEADER, agent });

      req.on('error', reject);
      req.on('response', (res) => res.resume().on('end', () => resolve(res.statusCode ?? 0)));
      for (let sent = 0; sent <= BODY_BYTES_MAX; sent += piece.length) req.write(piece);
      req.end();
    });

    agent.destroy();
    expect(status).toBe(413);
  });

  test('a body of exactly the maximum size is accepted', async () => {
    const body = JSON.stringify(hello);
    const reply = await sandbox.post(PATH, body + ' '.repeat(BODY_BYTES_MAX - body.length));

    expect(reply.status).toBe(200);
  });
});
