import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { DataSource } from 'typeorm';
import { until } from '../../support/until.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import type { Script } from '../../../sandbox/src/scripted/scripted-provider.js';
import { CHAT_USAGE } from '../../support/scripted-upstream-responses.js';
import { errorIn, errorCodeIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { Wire } from '../../support/wire.js';

const CHAT_PATH = '/v1/chat/completions';
const PATH = '/v1/completions';
const BODY = { model: 'gpt-4o-mini', prompt: 'Say hi' };
const SSE = 'text/event-stream';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

const complete = <T = { choices: { text: string; finish_reason: string | null }[] }>(
  fields: object | string,
  made = key,
) => gateway.call<T>('POST', PATH, { key: made, body: typeof fields === 'string' ? fields : { ...BODY, ...fields } });
const json =
  (body: unknown, headers: Record<string, string> = {}): Script =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Returns the chunks of a streamed completion, their text, and whether the stream ends with `[DONE]`. */
function read(sse: string) {
  const payloads = sse.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [event.slice(6)] : []));
  const chunks = payloads
    .filter((text) => text !== '[DONE]')
    .map((text) => JSON.parse(text) as { choices: { text: string }[] });
  return {
    chunks,
    text: chunks.flatMap(({ choices }) => choices.map(({ text }) => text)).join(''),
    done: payloads.at(-1) === '[DONE]',
  };
}

describe('completion by a chat model', () => {
  test('a completion is forwarded as a chat request that keeps every byte except prompt and echo', async () => {
    const body =
      ' {"model":"gpt-4o-mini", "prompt":["one","two"],"seed":12345678901234567890,"top_p":1.0,"echo":false}\n';
    expect(errorCodeIn(await complete(body))).toBe('200');
    const sent = await gateway.upstream.received(0);
    expect(sent.path).toBe(CHAT_PATH);
    expect(sent.body.toString()).toBe(
      ' {"messages":[{"role":"user","content":"one\\n\\ntwo"}],"model":"gpt-4o-mini", "seed":12345678901234567890,"top_p":1.0}\n',
    );
    expect(Number(sent.header('content-length'))).toBe(sent.body.length);
  });

  test('the query is forwarded without credentials', async () => {
    const path = `${PATH}?api-version=2&api_key=secret&x=%20`;
    expect(errorCodeIn(await gateway.call('POST', path, { key, body: BODY }))).toBe('200');
    expect((await gateway.upstream.received(0)).path).toBe(`${CHAT_PATH}?api-version=2&x=%20`);
  });

  test('the response is a text completion', async () => {
    const response = await complete({ echo: true });
    expect(response.body).toEqual({
      id: 'cmpl-scripted1',
      object: 'text_completion',
      created: 1_700_000_000,
      model: 'gpt-4o-mini',
      choices: [{ text: 'Say hiHello there.', index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: CHAT_USAGE,
    });
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(response.text)));
    expect(response.headers.get('x-gw-model')).toBe('gpt-4o-mini');
  });

  test('a response of several MiB is converted', async () => {
    const content = 'é"\n'.repeat(1024 * 1024);
    gateway.upstream.on('POST', CHAT_PATH, json({ id: 'chatcmpl-1', choices: [{ index: 0, message: { content } }] }));
    expect((await complete({})).body.choices[0]!.text).toBe(content);
  });

  test('a response that is not a chat completion becomes 502', async () => {
    gateway.upstream.on('POST', CHAT_PATH, json({ error: { message: 'overloaded' } }));
    expect(errorCodeIn(await complete({}))).toBe('502 upstream_error');
  });

  test('a rejection by the upstream becomes 502 with the upstream’s message', async () => {
    gateway.upstream.on('POST', CHAT_PATH, (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"context too long"}}');
    });
    const received = await complete({});
    expect(errorCodeIn(received)).toBe('502 upstream_error');
    expect(errorIn(received).message).toBe('context too long');
  });

  test('a messages field of the client is replaced by the prompt', async () => {
    await complete('{"model":"gpt-4o-mini","prompt":"mine","m\\u0065ssages":[{"role":"system","content":"no"}]}');
    const sent = (await gateway.upstream.received(0)).body.toString();
    expect(sent).toBe('{"messages":[{"role":"user","content":"mine"}],"model":"gpt-4o-mini"}');
  });
});

describe('streamed completion by a chat model', () => {
  test('the stream consists of text completion chunks and ends with [DONE]', async () => {
    const response = await complete({ stream: true, echo: true });
    expect(response.headers.get('content-type')).toBe(SSE);
    expect(response.headers.get('content-length')).toBeNull();
    const { chunks, text, done } = read(response.text);
    expect([text, done]).toEqual(['Say hiHello thére 👋', true]);
    for (const chunk of chunks) expect(chunk).toMatchObject({ object: 'text_completion', id: 'cmpl-scripted1' });
    expect(chunks.filter(({ choices }) => choices.length === 0)).toEqual([]);
  });

  test('the stream reports the usage if the client requested it', async () => {
    const { chunks } = read((await complete({ stream: true, stream_options: { include_usage: true } })).text);
    expect(chunks.filter(({ choices }) => choices.length === 0)).toEqual([
      expect.objectContaining({ usage: CHAT_USAGE }),
    ]);
  });

  test('each chunk is converted and forwarded as it arrives', async () => {
    const opened = Promise.withResolvers<ServerResponse>();
    gateway.upstream.on('POST', CHAT_PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': SSE }).flushHeaders();
      opened.resolve(response);
    });
    const response = await fetch(gateway.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...BODY, stream: true }),
    });
    const reader = response.body!.getReader();
    const upstream = await opened.promise;
    for (const content of ['one', 'two']) {
      upstream.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
      expect(read(Buffer.from((await reader.read()).value).toString()).text).toBe(content);
    }
    upstream.end('data: [DONE]\n\n');
    expect(Buffer.from((await reader.read()).value).toString()).toBe('data: [DONE]\n\n');
    expect((await reader.read()).done).toBe(true);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['breaks', (response) => response.destroy()],
    ['has a line over 8 MiB', (response) => void response.write(`data: "${'x'.repeat(9 * 1024 * 1024)}`)],
  ])('the response ends without [DONE] if the upstream stream %s', async (_what, go) => {
    gateway.upstream.on('POST', CHAT_PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': SSE });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n', () => go(response));
    });
    const wire = await Wire.open(gateway.port);
    const body = JSON.stringify({ ...BODY, stream: true });
    wire.write(
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key.key}\r\ncontent-type: application/json\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    await expect(wire.response()).rejects.toThrow('the connection ended');
    expect(wire.unread).toContain('"text":"Hi"');
    expect(wire.unread).not.toMatch(/\r\n0\r\n|\[DONE\]/);
  });

  test('an error event is forwarded', async () => {
    gateway.upstream.on('POST', CHAT_PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': SSE }).end('data: {"error":{"message":"overloaded"}}\n\n');
    });
    expect((await complete({ stream: true })).text).toBe('data: {"error":{"message":"overloaded"}}\n\n');
  });
});

describe('token usage of a completion', () => {
  test.each([
    ['buffered', {}],
    ['streamed', { stream: true, stream_options: { include_usage: true } }],
  ])('tokens of a %s completion are recorded as the upstream reports them', async (_how, fields) => {
    const made = await gateway.createKey();
    await complete(fields, made);
    const stored = async () => {
      const [row] = await gateway.app
        .get(DataSource)
        .query<{ input: string; output: string }[]>(
          'select sum(input_tokens) as input, sum(output_tokens) as output from usage_daily where key_id = $1',
          [made.id],
        );
      return [Number(row!.input), Number(row!.output)];
    };
    await until(async () => (await stored())[0] !== 0);
    expect(await stored()).toEqual([CHAT_USAGE.prompt_tokens, CHAT_USAGE.completion_tokens]);
  });
});

describe('completion by a legacy base model', () => {
  const native = { id: 'cmpl-native', object: 'text_completion', choices: [{ text: 'native', index: 0 }] };
  beforeEach(() => gateway.upstream.on('POST', PATH, json(native)));

  test('request and response are forwarded byte for byte', async () => {
    const body = ' {"prompt":["a","b"], "model":"davinci-002","temperature":1.0,"echo":true,"x":12345678901234567890}';
    expect((await complete(body)).text).toBe(JSON.stringify(native));
    const sent = await gateway.upstream.received(0);
    expect([sent.path, sent.body.toString()]).toEqual([PATH, body]);
  });

  test('unsupported parameters are rejected as for other models', async () => {
    for (const field of ['best_of', 'logprobs']) {
      const response = await complete({ model: 'babbage-002', [field]: 1 });
      expect(errorCodeIn(response)).toBe(`400 unsupported_parameter ${field}`);
    }
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

describe('invalid completion', () => {
  test.each<[object, string]>([
    [{ model: undefined }, '400 missing_required_parameter model'],
    [{ model: 'text-embedding-3-small' }, '400 model_endpoint_mismatch model'],
    [{ model: 'nope' }, '403 model_not_available model'],
    [{ prompt: 7 }, '400 invalid_type prompt'],
    [{ prompt: [1, 2] }, '400 invalid_type prompt[0]'],
    [{ seed: 1.5 }, '400 invalid_value seed'],
    [{ stream_options: { include_usage: true } }, '400 invalid_value stream_options'],
    [{ best_of: 1 }, '400 unsupported_parameter best_of'],
    [{ logprobs: 0 }, '400 unsupported_parameter logprobs'],
    [{ model: 'o1', temperature: 0.5 }, '400 unsupported_value temperature'],
    [{ model: 'o1', n: 2 }, '400 unsupported_value n'],
    [{ prompt: 'x'.repeat(70_000), n: 1000, echo: true }, '400 invalid_value n'],
  ])('invalid fields are rejected with code and param (row %#)', async (fields, expected) => {
    expect(errorCodeIn(await complete(fields))).toBe(expected);
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('null in an optional field is accepted', async () => {
    const nulls = {
      prompt: null,
      n: null,
      echo: null,
      best_of: null,
      logprobs: null,
      stream: null,
      stream_options: null,
    };
    expect(errorCodeIn(await complete(nulls))).toBe('200');
    expect((await gateway.upstream.received(0)).json()['messages']).toEqual([{ role: 'user', content: '' }]);
  });
});
