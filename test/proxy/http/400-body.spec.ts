import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestGateway, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { CHAT, errorIn, errorCodeIn } from '../../support/responses.js';
import { until } from '../../support/until.js';
import { chatHead, chatRequest, postHead, Wire } from '../../support/wire.js';

const PATH = '/v1/chat/completions';
const BODY = JSON.stringify(CHAT);
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

const post = (body: string | Buffer, type = 'application/json') =>
  gateway.call('POST', PATH, { key, body, headers: { 'content-type': type } });

/** Sends the body with these header lines. `Content-Type` is sent only if it is one of them. */
const raw = (body: string, ...lines: string[]) =>
  Wire.once(gateway.port, chatHead(key.key, `Content-Length: ${Buffer.byteLength(body)}`, ...lines) + body);

describe('400 invalid_content_type', () => {
  test.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    'application',
    '*/*',
    ';',
    '; charset=utf-8',
    'application/json application/json',
    'application/json, text/plain',
    '"application/json"',
    'text/plain; x=application/json',
  ])('the content type %j is rejected', async (type) => {
    const response = await post(BODY, type);
    expect(errorCodeIn(response)).toBe('400 invalid_content_type');
    expect(errorIn(response)).toMatchObject({ type: 'invalid_request_error', param: null });
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('a missing content type is rejected', async () =>
    expect(errorCodeIn(await raw(BODY))).toBe('400 invalid_content_type'));

  test('an empty content type is rejected', async () =>
    expect(errorCodeIn(await raw(BODY, 'Content-Type:'))).toBe('400 invalid_content_type'));

  test('a missing content type is rejected even without a body', async () =>
    expect(errorCodeIn(await gateway.call('POST', PATH, { key }))).toBe('400 invalid_content_type'));

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;',
    'application/json; charset',
    'application/json; odata=verbose; =;;',
  ])('the content type %j is accepted and forwarded unchanged', async (type) => {
    expect((await post(BODY, type)).status).toBe(200);
    expect((await gateway.upstream.received(0)).header('content-type')).toBe(type);
  });
});

describe('400 invalid_json', () => {
  test.each<[string, string | Buffer]>([
    ['an empty body', ''],
    ['whitespace', ' \n'],
    ['a truncated object', BODY.slice(0, -1)],
    ['text after the object', `${BODY} x`],
    ['two objects', BODY + BODY],
    ['single quotes', "{'model':1}"],
    ['a trailing comma', '{"model":"gpt-4o-mini",}'],
    ['a comment', `/* */${BODY}`],
    ['NaN', '{"model":NaN}'],
    ['a bare control character', '{"model":"\n"}'],
    ['a NUL after the object', `${BODY}\0`],
    ['a byte order mark', Buffer.concat([BOM, Buffer.from(BODY)])],
    ['UTF-16', Buffer.from(BODY, 'utf16le')],
    ['an invalid UTF-8 byte', Buffer.from(BODY.replace('Hello', '\xff'), 'latin1')],
    ['an overlong UTF-8 sequence', Buffer.from(BODY.replace('Hello', '\xc0\xaf'), 'latin1')],
    ['an encoded surrogate', Buffer.from(BODY.replace('Hello', '\xed\xa0\x80'), 'latin1')],
    ['form fields', 'model=gpt-4o-mini'],
  ])('%s is rejected', async (_what, body) => {
    const response = await post(body);
    expect(errorCodeIn(response)).toBe('400 invalid_json');
    expect(errorIn(response).param).toBeNull();
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('deeply nested bodies are rejected without a crash', async () => {
    for (const body of ['['.repeat(100_000), '{"a":'.repeat(100_000)])
      expect(errorCodeIn(await post(body))).toBe('400 invalid_json');
    const deep = `{"model":"gpt-4o-mini","metadata":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(errorCodeIn(await post(deep))).toMatch(/^400 /);
  });
});

describe('400 invalid_type with param null', () => {
  test.each(['[]', `[${BODY}]`, 'null', 'true', '1', '"text"', ' 1e999 ', '""'])(
    'the body %s is rejected',
    async (body) => {
      const response = await post(body);
      expect(errorCodeIn(response)).toBe('400 invalid_type');
      expect(errorIn(response).param).toBeNull();
    },
  );

  test('an object between whitespace is accepted', async () =>
    expect((await post(`\r\n\t ${BODY}\n`)).status).toBe(200));
});

describe('400 invalid_value for a model with two readings', () => {
  const rest = BODY.slice(1);
  test.each([
    ['a second model', `{"model":"gpt-4o",${rest}`, 'model'],
    ['the same model again', `{"model":"gpt-4o-mini",${rest}`, 'model'],
    ['a second model that is null', `{"model":null,${rest}`, 'model'],
    ['a second model with escapes', `{"\\u006dodel":"gpt-4o",${rest}`, 'model'],
    ['a second model with upper-case escapes', `{"mod\\u0065\\u006C":"gpt-4o",${rest}`, 'model'],
    ['a second model with a space after its name', `{"model" \n:"gpt-4o",${rest}`, 'model'],
    ['a second models field', `{"models":["gpt-4o"],"models":["gpt-4o"],${rest}`, 'model'],
  ])('%s is rejected', async (_what, body, param) => {
    const response = await post(body);
    expect(errorCodeIn(response)).toBe(`400 invalid_value ${param}`);
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test.each([
    ['a nested model', `{"metadata":{"model":"x"},"user":"\\"model\\":",${rest}`],
    ['the value "model"', `{"user":"model",${rest}`],
    ['another field twice', `{"user":"a","user":"b",${rest}`],
    ['a field that equals model except for case', `{"Model":"x",${rest}`],
    ['a single model with escapes', BODY.replace('"model"', '"\\u006d\\u006fdel"')],
  ])('%s is accepted', async (_what, body) => {
    const response = await post(body);
    expect(errorCodeIn(response)).toBe('200');
    expect((await gateway.upstream.received(0)).body.toString()).toBe(body);
  });
});

describe('names of JavaScript properties', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then'])(
    '%s is an ordinary field',
    async (name) => {
      const body = `{"${name}":{"model":"nope","stream":true},${BODY.slice(1)}`;
      expect(errorCodeIn(await post(body))).toBe('200');
      expect((await gateway.upstream.received(0)).body.toString()).toBe(body);
    },
  );

  test('an inherited model counts as missing', async () => {
    const body = '{"__proto__":{"model":"gpt-4o-mini","messages":[{"role":"user","content":"x"}]}}';
    expect(errorCodeIn(await post(body))).toBe('400 missing_required_parameter model');
  });
});

describe('400 bad_request for broken framing', () => {
  test('an invalid chunk length is rejected, and the gateway keeps serving', async () => {
    const head = chatHead(key.key, 'Content-Type: application/json', 'Transfer-Encoding: chunked');
    const response = await Wire.once(gateway.port, `${head}5\r\n{"mod\r\nnone\r\n`);
    expect(errorCodeIn(response)).toBe('400 bad_request');
    expect(errorIn(response).request_id).toBe(response.headers['x-request-id']);
    expect((await gateway.chat(key)).status).toBe(200);
  });

  describe.each([
    ['a JSON body', PATH, 'application/json'],
    ['an upload', '/v1/files', 'multipart/form-data; boundary=x'],
  ])('invalid chunk in %s', (_what, path, type) => {
    const head = (...lines: string[]) => {
      const ours = [`Content-Type: ${type}`, 'X-Request-Id: mine', 'Origin: https://a.example'];
      return postHead(path, key.key, ...ours, 'Transfer-Encoding: chunked', ...lines);
    };

    async function expectRefusal(wire: Wire): Promise<void> {
      const response = await wire.response();
      const { message, request_id: id } = errorIn(response);
      expect(`${errorCodeIn(response)}: ${message}`).toBe(
        '400 bad_request: The request is not well-formed HTTP. Check the client and any proxy in between.',
      );
      expect(response.headers).toMatchObject({
        'x-request-id': id,
        'x-gw-client-id': 'mine',
        'x-gw-key-name': 'test',
        'x-ratelimit-limit-requests': expect.any(String) as unknown as string,
        'access-control-allow-origin': '*',
        connection: 'close',
      });
      await wire.closed;
      expect(wire.unread).toBe('');
      const found = `/admin/request-logs?request_id=${id}`;
      const statuses = async () =>
        (await gateway.admin<{ logs: { status: number }[] }>('GET', found)).body.logs.map((row) => row.status);
      await until(async () => (await statuses()).length > 0);
      expect(await statuses()).toEqual([400]);
    }

    test('an invalid chunk in one packet with the headers gets a regular error response', async () => {
      const wire = await Wire.open(gateway.port);
      wire.write(`${head()}none\r\nmore of it\r\n`);
      await expectRefusal(wire);
    });

    test('an invalid chunk while the body is read gets a regular error response', async () => {
      const wire = await Wire.open(gateway.port);
      wire.write(head('Expect: 100-continue'));
      expect((await wire.response()).status).toBe(100);
      wire.write('5\r\n{"mod\r\nnone\r\nmore of it\r\n');
      await expectRefusal(wire);
    });
  });

  test('a request with both a length and chunks is rejected', async () => {
    const response = await Wire.once(gateway.port, chatRequest(key.key, BODY, 'Transfer-Encoding: chunked'));
    expect(errorCodeIn(response)).toBe('400 bad_request');
  });

  test('a request with two lengths is rejected', async () => {
    const response = await Wire.once(gateway.port, chatRequest(key.key, BODY, 'Content-Length: 5'));
    expect(errorCodeIn(response)).toBe('400 bad_request');
  });

  test('the gateway keeps serving after a client disconnects in the middle of its body', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(key.key, 'Content-Type: application/json', 'Content-Length: 1000') + '{"model"');
    wire.close();
    expect((await gateway.chat(key)).status).toBe(200);
    expect(gateway.upstream.requests).toHaveLength(1);
  });
});
