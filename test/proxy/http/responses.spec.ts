import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { RESPONSE, respondToResponses, MODEL, REQUEST, STREAM } from '../../support/responses-api-responses.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { errorCodeIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { Wire } from '../../support/wire.js';

const PATH = '/v1/responses';
const DELETED = '{"id": "resp_1", "object": "response", "deleted": true}';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  gateway.upstream.on('POST', PATH, respondToResponses);
  gateway.upstream.on('GET', `${PATH}/resp_1`, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RESPONSE));
  });
  gateway.upstream.on('DELETE', `${PATH}/resp_1`, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(DELETED);
  });
});

const post = (body: unknown = REQUEST, given: Key = key) => gateway.call('POST', PATH, { key: given, body });
const used = async (given: Key) => (await snapshot(gateway, given)).this_month.tokens.used;

describe('POST /v1/responses', () => {
  test.each([true, 1, 'yes'])(
    'background: %s is rejected for a key with a token limit, because it would evade the limit',
    async (background) => {
      const limited = await gateway.createKey({ monthly_token_limit: 1000 });
      expect(errorCodeIn(await post({ ...REQUEST, background }, limited))).toBe('400 invalid_value background');
      expect(gateway.upstream.requests).toHaveLength(0);
      expect(errorCodeIn(await post({ ...REQUEST, background }))).toBe('200');
    },
  );

  test.each(['"background":true,"background":false', '"b\\u0061ckground":true,"background":null'])(
    'duplicate background fields are rejected: %s',
    async (fields) => {
      const body = `{${fields},${JSON.stringify(REQUEST).slice(1)}`;
      expect(errorCodeIn(await post(body))).toBe('400 invalid_value background');
      expect(gateway.upstream.requests).toHaveLength(0);
    },
  );

  test.each([false, null])('background: %s is accepted for a key with a token limit', async (background) => {
    const limited = await gateway.createKey({ monthly_token_limit: 1000 });
    expect(errorCodeIn(await post({ ...REQUEST, background }, limited))).toBe('200');
  });

  test('the upstream response is returned byte for byte, and its usage is stored', async () => {
    const made = await gateway.createKey({ monthly_token_limit: 1000 });
    const response = await post(REQUEST, made);
    expect(response.text).toBe(JSON.stringify(RESPONSE));
    expect(response.headers.get('x-gw-model')).toBe(MODEL);
    await until(async () => (await used(made)) > 0);
    expect(await used(made)).toBe(18);
  });

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
      const received = await post({ ...REQUEST, stream: true }, made);
      expect(received.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(received.text).toBe(STREAM);
      await until(async () => (await used(made)) > 0);
      expect(await used(made)).toBe(18);
    },
  );

  test.each([
    `{"model":"${MODEL}",\n "input": "é\\u00e9", "temperature":1.0,"x":12345678901234567890,"betas":["a"]}`,
    `{"model":"${MODEL}","input":[ {"role":"user","content":[]} ],"tools":[{"type":"function","name":"f","strict":null}]}`,
  ])('the body is forwarded byte for byte: %s', async (body) => {
    expect((await post(body)).status).toBe(200);
    expect((await gateway.upstream.received(0)).body.toString()).toBe(body);
  });

  test.each<[string, object]>([
    ['400 missing_required_parameter input', { input: undefined }],
    ['400 invalid_value max_output_tokens', { max_output_tokens: 15 }],
    ['400 invalid_value tools[0].type', { tools: [{ type: 'web_search_preview' }] }],
    ['400 invalid_value metadata.k', { metadata: { k: 'v'.repeat(513) } }],
    ['400 model_endpoint_mismatch model', { model: 'claude-3-haiku-20240307', input: [] }],
    ['400 model_endpoint_mismatch model', { model: 'acme-custom-1' }],
    ['400 model_endpoint_mismatch model', { model: 'text-embedding-3-small' }],
  ])('%s is returned without an upstream request', async (refusal, patch) => {
    expect(errorCodeIn(await post({ ...REQUEST, ...patch }))).toBe(refusal);
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

test('GW_RESPONSES_TOOLS=any accepts tools of every type', async () => {
  const open = await startGateway({ GW_RESPONSES_TOOLS: 'any' }, { upstream: gateway.upstream });
  try {
    const given = await open.createKey();
    const ask = (fields: object) => open.call('POST', PATH, { key: given, body: { ...REQUEST, ...fields } });
    expect((await ask({ tools: [{ type: 'web_search_preview' }] })).status).toBe(200);
    expect(errorCodeIn(await ask({ tools: [{ type: 'function' }] }))).toBe(
      '400 missing_required_parameter tools[0].name',
    );
  } finally {
    await open.stop();
  }
});

describe.each([
  ['GET', JSON.stringify(RESPONSE)],
  ['DELETE', DELETED],
])('%s /v1/responses/{id}', (method, text) => {
  test('the request is forwarded with its query and counted, but without tokens', async () => {
    const made = await gateway.createKey({ monthly_token_limit: 1000 });
    const response = await gateway.call(method, `${PATH}/resp_1?include=a%20b&token=s`, { key: made });
    expect([response.status, response.text]).toEqual([200, text]);
    const request = await gateway.upstream.received(0);
    expect([request.method, request.path, request.body.length]).toEqual([method, `${PATH}/resp_1?include=a%20b`, 0]);
    // Usage is stored in order, so any tokens of the first request would be stored by then.
    await post(REQUEST, made);
    await until(async () => (await used(made)) > 0);
    const figures = await snapshot(gateway, made);
    expect([figures.today.used, figures.this_month.tokens.used]).toEqual([2, 18]);
  });

  test('x-api-key is ignored, so a request without another key returns 401', async () => {
    const response = await gateway.call(method, `${PATH}/resp_1`, { headers: { 'x-api-key': key.key } });
    expect(errorCodeIn(response)).toBe('401 missing_api_key');
  });

  // Written by hand, because a URL parser would normalize some of these paths.
  test.each(['%20', 'a%2Fb', 'a/b', 'a/cancel', '..', '%2e%2e', '.', 'a*', '', 'x'.repeat(201)])(
    'the ID %j returns 404 route_not_found, with and without a key',
    async (id) => {
      for (const line of [[], [`Authorization: Bearer ${key.key}`]]) {
        const head = [`${method} ${PATH}/${id} HTTP/1.1`, 'Host: gateway', ...line, '', ''].join('\r\n');
        expect(errorCodeIn(await Wire.once(gateway.port, head))).toBe('404 route_not_found');
      }
      expect(gateway.upstream.requests).toHaveLength(0);
    },
  );
});
