import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { RESPONSE, answering, MESSAGE, MODEL, STREAM } from '../../support/message-responses.js';
import { type Key, type TestGateway, UPSTREAM_KEY } from '../../support/gateway.js';
import { errorCodeIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { Wire } from '../../support/wire.js';

const PATH = '/v1/messages';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  gateway.upstream.on('POST', PATH, answering(RESPONSE, STREAM));
  gateway.upstream.on('GET', `${PATH}/msg_1`, answering(RESPONSE, ''));
});

const post = (body: unknown = MESSAGE, headers?: Record<string, string>) =>
  gateway.call('POST', PATH, { key, body, headers });
/** Posts the body and returns the upstream request. */
async function sent(body: unknown, headers?: Record<string, string>) {
  expect(errorCodeIn(await post(body, headers))).toBe('200');
  return gateway.upstream.received(gateway.upstream.requests.length - 1);
}

describe('POST /v1/messages', () => {
  test('the upstream response is returned byte for byte', async () => {
    const response = await post();
    expect(response.text).toBe(JSON.stringify(RESPONSE));
    expect(response.headers.get('x-gw-model')).toBe(MODEL);
  });

  test('x-api-key is accepted only without an Authorization header', async () => {
    const asked = (headers: Record<string, string>) => gateway.call('POST', PATH, { body: MESSAGE, headers });
    expect((await asked({ 'x-api-key': key.key })).status).toBe(200);
    expect(errorCodeIn(await asked({ 'x-api-key': key.key, authorization: '' }))).toBe('401 missing_api_key');
    expect(errorCodeIn(await asked({ 'x-api-key': key.key, authorization: 'Bearer x' }))).toBe('401 invalid_api_key');
    expect(errorCodeIn(await asked({}))).toBe('401 missing_api_key');
  });

  test.each<[string, object]>([
    ['400 missing_required_parameter max_tokens', { max_tokens: undefined }],
    ['400 invalid_value messages[0].role', { messages: [{ role: 'assistant', content: 'x' }] }],
    ['400 invalid_value betas[0]', { betas: ['a\r\nx: y'] }],
    ['400 model_endpoint_mismatch model', { model: 'text-embedding-3-small', max_tokens: 0 }],
    ['400 model_endpoint_mismatch model', { model: 'gpt-4o' }],
    ['403 model_not_available model', { model: 'unheard-of' }],
  ])('%s is returned without an upstream request', async (refusal, patch) => {
    expect(errorCodeIn(await post({ ...MESSAGE, ...patch }))).toBe(refusal);
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

describe('upstream request of a message', () => {
  const text = (fields: string) =>
    `{"model":"${MODEL}",\n "max_tokens": 64, "messages":[{"role":"user","content":"é\\u00e9"}]${fields}}`;

  test.each(['', ',"temperature":1.0,"x":12345678901234567890', ',"metadata":{"betas":["a"]}'])(
    'a body without betas is forwarded unchanged, with the extra fields %j',
    async (fields) => {
      const request = await sent(text(fields), { 'anthropic-beta': 'a,  b, a' });
      expect(request.body.toString()).toBe(text(fields));
      expect(request.header('anthropic-beta')).toBe('a,  b, a');
    },
  );

  test.each<[string, string, string, string | undefined, string | undefined]>([
    ['one', ',"betas":["a"],"x":1.0', ',"x":1.0', undefined, 'a'],
    ['several in the last field', ',"x":1.0, "betas" : ["a", "b"] ', ',"x":1.0  ', undefined, 'a,b'],
    ['added to a client header', ',"betas":["b","c","b"]', '', 'a, b', 'a,b,c'],
    ['an escaped name', ',"b\\u0065tas":["a"]', '', undefined, 'a'],
    ['the last of two fields', ',"betas":["a"],"x":1.0,"betas":["b"]', ',"x":1.0', undefined, 'b'],
    ['an empty list', ',"betas":[]', '', undefined, undefined],
    ['null', ',"betas":null', '', 'a', 'a'],
    ['with spaces and empty names', ',"betas":[" a ","","b,a"]', '', undefined, 'a,b'],
  ])('betas move from the body to a header: %s', async (_what, fields, left, header, forwarded) => {
    const request = await sent(text(fields), header === undefined ? {} : { 'anthropic-beta': header });
    expect(request.body.toString()).toBe(text(left));
    expect(request.header('content-length')).toBe(String(Buffer.byteLength(text(left))));
    expect(request.header('anthropic-beta')).toBe(forwarded);
  });

  test('betas are removed from the start of the body', async () => {
    const request = await sent(`{"betas":["a"], ${JSON.stringify(MESSAGE).slice(1)}`);
    expect(request.body.toString()).toBe(`{ ${JSON.stringify(MESSAGE).slice(1)}`);
  });

  test('the version of the client or a default is forwarded, but never its raw key', async () => {
    expect((await sent(MESSAGE)).header('anthropic-version')).toBe('2023-06-01');
    expect((await sent(MESSAGE, { 'anthropic-version': '2023-01-01' })).header('anthropic-version')).toBe('2023-01-01');
    await gateway.call('POST', PATH, { body: MESSAGE, headers: { 'x-api-key': key.key } });
    const [, , request] = gateway.upstream.requests;
    expect(request?.header('x-api-key')).toBe(UPSTREAM_KEY);
    expect(JSON.stringify([request?.headers, request?.body.toString()])).not.toContain(key.key);
  });
});

describe('streamed message', () => {
  test.each([1, 7, 100])(
    'a stream in pieces of %i bytes is forwarded unchanged, and its usage is stored',
    async (size) => {
      const bytes = Buffer.from(STREAM);
      gateway.upstream.on('POST', PATH, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
        response.end();
      });
      const made = await gateway.createKey({ monthly_token_limit: 1000 });
      const received = await gateway.call('POST', PATH, { key: made, body: { ...MESSAGE, stream: true } });
      expect(received.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(received.headers.get('x-gw-model')).toBe(MODEL);
      expect(received.text).toBe(STREAM);
      await until(async () => (await snapshot(gateway, made)).this_month.tokens.used > 0);
      expect((await snapshot(gateway, made)).this_month.tokens.used).toBe(18);
    },
  );
});

describe('GET /v1/messages/{message_id}', () => {
  test('a request with either key header is forwarded with its query and counted', async () => {
    const made = await gateway.createKey();
    const response = await gateway.call('GET', `${PATH}/msg_1?a=%20b&key=s`, { key: made });
    expect([response.status, response.text]).toEqual([200, JSON.stringify(RESPONSE)]);
    const request = await gateway.upstream.received(0);
    expect([request.method, request.path, request.body.length]).toEqual(['GET', `${PATH}/msg_1?a=%20b`, 0]);
    expect(request.header('anthropic-version')).toBe('2023-06-01');
    const bare = await gateway.call('GET', `${PATH}/msg_1`, { headers: { 'x-api-key': made.key } });
    expect(bare.status).toBe(200);
    expect((await snapshot(gateway, made)).today.used).toBe(2);
  });

  test('a request without a key returns 401', async () => {
    expect(errorCodeIn(await gateway.call('GET', `${PATH}/msg_1`))).toBe('401 missing_api_key');
  });

  // Written by hand, because a URL parser would normalize some of these paths.
  test.each([
    '%20',
    '%C3%A4',
    'a%2Fb',
    'a/b',
    '..%2fmodels',
    '..',
    '.',
    '%2e%2e',
    '%2E',
    'a%00',
    'a*',
    'a%',
    '',
    'batches',
    'count_tokens',
    'batche%73',
  ])('the ID %j returns 404 route_not_found, with and without a key', async (id) => {
    for (const line of [[], [`Authorization: Bearer ${key.key}`]]) {
      const head = [`GET ${PATH}/${id} HTTP/1.1`, 'Host: gateway', ...line, '', ''].join('\r\n');
      expect(errorCodeIn(await Wire.once(gateway.port, head))).toBe('404 route_not_found');
    }
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test.each([201, 3_000])('an ID of %i characters returns 404 route_not_found', async (length) => {
    expect(errorCodeIn(await gateway.call('GET', `${PATH}/${'x'.repeat(length)}`))).toBe('404 route_not_found');
  });

  test.each(['A.z_0:9-', '...', 'x'.repeat(200), 'msg%5F2'])('the ID %j is forwarded unchanged', async (id) => {
    gateway.upstream.on('GET', `${PATH}/${id}`, answering(RESPONSE, ''));
    expect((await gateway.call('GET', `${PATH}/${id}`, { key })).status).toBe(200);
    expect((await gateway.upstream.received(0)).path).toBe(`${PATH}/${id}`);
  });

  test('other methods return 404 route_not_found', async () => {
    for (const method of ['POST', 'DELETE', 'PUT'])
      expect(errorCodeIn(await gateway.call(method, `${PATH}/msg_1`, { key }))).toBe('404 route_not_found');
  });
});
