import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../support/until.js';
import type { TestGateway } from '../../../support/gateway.js';
import { chatCompletion } from '../../../support/scripted-upstream-responses.js';
import { CHAT } from '../../../support/responses.js';
import { startGateway } from '../../../support/ready-gateway.js';
import { chatRequest, Wire } from '../../../support/wire.js';

const PATH = '/v1/chat/completions';
const RESPONSE = JSON.stringify(chatCompletion('gpt-4o-mini-2024-07-18'));

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

/** Makes the upstream send a blank line, and returns its open response. */
const openedByBlank = (headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  new Promise<ServerResponse>((resolve) =>
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, headers).write('\n');
      resolve(response);
    }),
  );
const send = (key: string, path: string, body: object) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
async function totals(keyId: string) {
  let figures: Record<string, number> = {};
  await until(async () => {
    const usage = await gateway.admin<{ totals: Record<string, number> }>('GET', `/admin/usage?key_id=${keyId}`);
    figures = usage.body.totals;
    return figures['requests'] === 1;
  });
  const { input_tokens, output_tokens, estimated_tokens, errors } = figures;
  return { input_tokens, output_tokens, estimated_tokens, errors };
}
const REPORTED = { input_tokens: 9, output_tokens: 3, estimated_tokens: 0, errors: 0 };

describe('whitespace before a JSON response', () => {
  test.each(['application/json', ''])(
    'whitespace is forwarded with the headers before the JSON arrives, for content type %j',
    async (type) => {
      const key = await gateway.createKey();
      const upstream = openedByBlank(type === '' ? {} : { 'content-type': type });
      const response = await send(key.key, PATH, CHAT);
      // The headers have arrived, although the upstream has sent only a blank line.
      const open = await upstream;
      const reader = response.body!.getReader();
      const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
      expect(await read()).toBe('\n');
      for (const blanks of [' ', '\n \n']) {
        open.write(blanks);
        expect(await read()).toBe(blanks);
      }
      open.end(RESPONSE);
      let rest = '';
      for (let text = await read(); text !== ''; text = await read()) rest += text;
      expect(rest).toBe(RESPONSE);
      expect(response.headers.get('x-gw-model')).toBe(CHAT.model);
      expect(response.headers.get('x-accel-buffering')).toBe('no');
      expect(response.headers.get('content-length')).toBeNull();
      expect(await totals(key.id)).toEqual(REPORTED);
    },
  );

  test('whitespace right before the JSON is held back, so that a header names the response model', async () => {
    const key = await gateway.createKey();
    const upstream = openedByBlank();
    const response = send(key.key, PATH, CHAT);
    const open = await upstream;
    open.write(' \n', () => setImmediate(() => open.end(RESPONSE)));
    const { headers } = await response;
    expect(await (await response).text()).toBe(`\n \n${RESPONSE}`);
    expect(headers.get('x-gw-model')).toBe('gpt-4o-mini-2024-07-18');
    expect(headers.get('content-length')).toBe(String(RESPONSE.length + 3));
    expect(headers.get('x-accel-buffering')).toBeNull();
    expect(await totals(key.id)).toEqual(REPORTED);
  });

  test('an error after whitespace is forwarded with status 200 and recorded as failed', async () => {
    const key = await gateway.createKey();
    const upstream = openedByBlank();
    const response = await send(key.key, PATH, CHAT);
    (await upstream).end('{"error":{"message":"overloaded"}}');
    expect([response.status, await response.text()]).toEqual([200, '\n{"error":{"message":"overloaded"}}']);
    expect(await totals(key.id)).toEqual({ input_tokens: 0, output_tokens: 0, estimated_tokens: 0, errors: 1 });
  });

  test('an upstream connection that is lost after whitespace interrupts the response', async () => {
    const key = await gateway.createKey();
    const upstream = openedByBlank();
    const response = await send(key.key, PATH, CHAT);
    (await upstream).destroy();
    await expect(response.text()).rejects.toThrow();
  });

  test('a client that disconnects after whitespace aborts the upstream request', async () => {
    const key = await gateway.createKey();
    const upstream = openedByBlank();
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, JSON.stringify(CHAT)));
    await upstream;
    const request = await gateway.upstream.received(0);
    await until(() => wire.unread.includes('\r\n\r\n'));
    wire.close();
    await request.gone;
    gateway.upstream.reset();
    expect((await gateway.chat(key)).status).toBe(200);
  });
});

describe('whitespace before an emulated completion', () => {
  const complete = (key: string) => send(key, '/v1/completions', { model: 'gpt-4o-mini', prompt: 'Say hi' });

  test('whitespace is forwarded before the converted JSON', async () => {
    const key = await gateway.createKey();
    const upstream = openedByBlank();
    const response = await complete(key.key);
    const open = await upstream;
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('\n');
    open.write('  ');
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('  ');
    open.end(RESPONSE);
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += Buffer.from(part.value).toString();
    expect(JSON.parse(rest)).toMatchObject({ object: 'text_completion', choices: [{ text: 'Hello there.' }] });
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await totals(key.id)).toEqual(REPORTED);
  });

  test.each<[string, object]>([
    ['{"error":{"message":"overloaded"}}', { input_tokens: 0, estimated_tokens: 0, errors: 1 }],
    // The provider charges for such a response.
    [
      '{"choices":7,"usage":{"prompt_tokens":4,"completion_tokens":2}}',
      { input_tokens: 4, output_tokens: 2, errors: 0 },
    ],
  ])('%s after whitespace interrupts the response and is recorded', async (body, expected) => {
    const key = await gateway.createKey();
    const upstream = openedByBlank();
    const response = await complete(key.key);
    (await upstream).end(body);
    await expect(response.text()).rejects.toThrow();
    expect(await totals(key.id)).toMatchObject(expected);
  });
});
