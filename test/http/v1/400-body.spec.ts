import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestGateway, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { CHAT, errorIn, refusalIn } from '../../support/answers.js';
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

/** A head with these lines, then the body; the content type is not written unless it is among them. */
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
  ])('for %j', async (type) => {
    const answer = await post(BODY, type);
    expect(refusalIn(answer)).toBe('400 invalid_content_type');
    expect(errorIn(answer)).toMatchObject({ type: 'invalid_request_error', param: null });
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('without any', async () => expect(refusalIn(await raw(BODY))).toBe('400 invalid_content_type'));

  test('for an empty one', async () =>
    expect(refusalIn(await raw(BODY, 'Content-Type:'))).toBe('400 invalid_content_type'));

  test('without a body too', async () =>
    expect(refusalIn(await gateway.call('POST', PATH, { key }))).toBe('400 invalid_content_type'));

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;',
    'application/json; charset',
    'application/json; odata=verbose; =;;',
  ])('not for %j, which goes upstream as it came', async (type) => {
    expect((await post(BODY, type)).status).toBe(200);
    expect((await gateway.upstream.received(0)).header('content-type')).toBe(type);
  });
});

describe('400 invalid_json', () => {
  test.each<[string, string | Buffer]>([
    ['an empty body', ''],
    ['blanks', ' \n'],
    ['half an object', BODY.slice(0, -1)],
    ['something behind the object', `${BODY} x`],
    ['two objects', BODY + BODY],
    ['single quotes', "{'model':1}"],
    ['a trailing comma', '{"model":"gpt-4o-mini",}'],
    ['a comment', `/* */${BODY}`],
    ['NaN', '{"model":NaN}'],
    ['a bare control character', '{"model":"\n"}'],
    ['a NUL behind it', `${BODY}\0`],
    ['a byte order mark', Buffer.concat([BOM, Buffer.from(BODY)])],
    ['UTF-16', Buffer.from(BODY, 'utf16le')],
    ['a byte that is no UTF-8', Buffer.from(BODY.replace('Hello', '\xff'), 'latin1')],
    ['an overlong form', Buffer.from(BODY.replace('Hello', '\xc0\xaf'), 'latin1')],
    ['an encoded surrogate', Buffer.from(BODY.replace('Hello', '\xed\xa0\x80'), 'latin1')],
    ['a form', 'model=gpt-4o-mini'],
  ])('for %s', async (_what, body) => {
    const answer = await post(body);
    expect(refusalIn(answer)).toBe('400 invalid_json');
    expect(errorIn(answer).param).toBeNull();
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('for a body of 100,000 brackets, which costs no crash', async () => {
    for (const body of ['['.repeat(100_000), '{"a":'.repeat(100_000)])
      expect(refusalIn(await post(body))).toBe('400 invalid_json');
    const deep = `{"model":"gpt-4o-mini","metadata":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(refusalIn(await post(deep))).toMatch(/^400 /);
  });
});

describe('400 invalid_type with param null', () => {
  test.each(['[]', `[${BODY}]`, 'null', 'true', '1', '"text"', ' 1e999 ', '""'])('for %s', async (body) => {
    const answer = await post(body);
    expect(refusalIn(answer)).toBe('400 invalid_type');
    expect(errorIn(answer).param).toBeNull();
  });

  test('not for an object between blanks', async () => expect((await post(`\r\n\t ${BODY}\n`)).status).toBe(200));
});

describe('400 invalid_value for two readings of one body', () => {
  const rest = BODY.slice(1);
  test.each([
    ['a second model', `{"model":"gpt-4o",${rest}`, 'model'],
    ['the same model again', `{"model":"gpt-4o-mini",${rest}`, 'model'],
    ['a second model that is no text', `{"model":null,${rest}`, 'model'],
    ['a second model with escapes', `{"\\u006dodel":"gpt-4o",${rest}`, 'model'],
    ['a second model with escapes in capitals', `{"mod\\u0065\\u006C":"gpt-4o",${rest}`, 'model'],
    ['blanks before the colon', `{"model" \n:"gpt-4o",${rest}`, 'model'],
    ['a second models', `{"models":["gpt-4o"],"models":["gpt-4o"],${rest}`, 'model'],
  ])('%s', async (_what, body, param) => {
    const answer = await post(body);
    expect(refusalIn(answer)).toBe(`400 invalid_value ${param}`);
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test.each([
    ['a model further down', `{"metadata":{"model":"x"},"user":"\\"model\\":",${rest}`],
    ['a model as a value', `{"user":"model",${rest}`],
    ['other names in other case', `{"Model":"x","MODEL":"y",${rest}`],
    ['other members twice', `{"user":"a","user":"b",${rest}`],
    ['a single model with escapes', BODY.replace('"model"', '"\\u006d\\u006fdel"')],
  ])('not for %s', async (_what, body) => {
    const answer = await post(body);
    expect(refusalIn(answer)).toBe('200');
    expect((await gateway.upstream.received(0)).body.toString()).toBe(body);
  });
});

describe('names that JavaScript knows', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then'])(
    '%s is an ordinary field',
    async (name) => {
      const body = `{"${name}":{"model":"nope","stream":true},${BODY.slice(1)}`;
      expect(refusalIn(await post(body))).toBe('200');
      expect((await gateway.upstream.received(0)).body.toString()).toBe(body);
    },
  );

  test('a model that is only inherited is missing', async () => {
    const body = '{"__proto__":{"model":"gpt-4o-mini","messages":[{"role":"user","content":"x"}]}}';
    expect(refusalIn(await post(body))).toBe('400 missing_required_parameter model');
  });
});

describe('400 bad_request for broken framing', () => {
  test('a chunk length that is none', async () => {
    const head = chatHead(key.key, 'Content-Type: application/json', 'Transfer-Encoding: chunked');
    const answer = await Wire.once(gateway.port, `${head}5\r\n{"mod\r\nnone\r\n`);
    expect(refusalIn(answer)).toBe('400 bad_request');
    expect(errorIn(answer).request_id).toBe(answer.headers['x-request-id']);
    expect((await gateway.chat(key)).status).toBe(200);
  });

  describe.each([
    ['a body that is read', PATH, 'application/json'],
    ['an upload', '/v1/files', 'multipart/form-data; boundary=x'],
  ])('in the middle of %s is a refusal like every other', (_what, path, type) => {
    const head = (...lines: string[]) => {
      const ours = [`Content-Type: ${type}`, 'X-Request-Id: mine', 'Origin: https://a.example'];
      return postHead(path, key.key, ...ours, 'Transfer-Encoding: chunked', ...lines);
    };

    async function expectRefusal(wire: Wire): Promise<void> {
      const answer = await wire.answer();
      const { message, request_id: id } = errorIn(answer);
      expect(`${refusalIn(answer)}: ${message}`).toBe('400 bad_request: This is not a well-formed HTTP request.');
      expect(answer.headers).toMatchObject({
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
      await until(async () => (await statuses()).length > 0, 5000);
      expect(await statuses()).toEqual([400]);
    }

    test('in one packet with the head', async () => {
      const wire = await Wire.open(gateway.port);
      wire.write(`${head()}none\r\nmore of it\r\n`);
      await expectRefusal(wire);
    });

    test('while it is read', async () => {
      const wire = await Wire.open(gateway.port);
      wire.write(head('Expect: 100-continue'));
      expect((await wire.answer()).status).toBe(100);
      wire.write('5\r\n{"mod\r\nnone\r\nmore of it\r\n');
      await expectRefusal(wire);
    });
  });

  test('both a length and chunks', async () => {
    const answer = await Wire.once(gateway.port, chatRequest(key.key, BODY, 'Transfer-Encoding: chunked'));
    expect(refusalIn(answer)).toBe('400 bad_request');
  });

  test('two lengths', async () => {
    const answer = await Wire.once(gateway.port, chatRequest(key.key, BODY, 'Content-Length: 5'));
    expect(refusalIn(answer)).toBe('400 bad_request');
  });

  test('a client that goes away in the middle of its body leaves the gateway serving', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(chatHead(key.key, 'Content-Type: application/json', 'Content-Length: 1000') + '{"model"');
    wire.close();
    expect((await gateway.chat(key)).status).toBe(200);
    expect(gateway.upstream.requests).toHaveLength(1);
  });
});
