import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestGateway, UPSTREAM_KEY, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { CHAT } from '../../support/responses.js';

const PATH = '/v1/chat/completions';
const BODY = JSON.stringify(CHAT);

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

/** Sends one request and returns the upstream request. */
async function sent(body: string | Buffer, { headers = {}, path = PATH } = {}) {
  const response = await gateway.call('POST', path, { key, body, headers });
  expect(response.status).toBe(200);
  return gateway.upstream.received(0);
}

describe('upstream request headers', () => {
  const passed = {
    accept: 'text/event-stream',
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'sdk/1.0',
    'openai-beta': 'assistants=v2',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'a,b',
    'idempotency-key': 'once',
    tracestate: 'a=b',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  };
  const dropped = {
    cookie: '__Host-gw_admin_session=1',
    'x-api-key': 'sk-gw-client',
    'proxy-authorization': 'Basic eA==',
    'x-forwarded-for': '1.2.3.4',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example',
    'x-real-ip': '1.2.3.4',
    via: '1.1 x',
    'accept-encoding': 'br, gzip',
    'openai-organization': 'org',
    'openai-project': 'p',
    'x-request-id': 'mine',
    'x-anything': 'else',
    'accept-language': 'de',
    origin: 'https://a.example',
    referer: 'https://a.example/',
    host: 'evil.example',
  };

  test('exactly the allowlisted headers are forwarded, with the credential of the provider account', async () => {
    const request = await sent(BODY, { headers: { ...passed, ...dropped } });
    const seen = Array.from({ length: request.headers.length / 2 }, (_, at) => [
      request.headers[2 * at]!.toLowerCase(),
      request.headers[2 * at + 1],
    ]);
    expect(seen.sort()).toEqual(
      Object.entries({
        ...passed,
        'content-length': String(BODY.length),
        'accept-encoding': 'identity',
        authorization: `Bearer ${UPSTREAM_KEY}`,
        host: new URL(gateway.upstream.url).host,
        connection: 'keep-alive',
      }).sort(),
    );
  });

  test('the raw key of the client never reaches the upstream', async () => {
    const { path, headers, body } = await sent(BODY, { path: `${PATH}?key=${key.key}`, headers: dropped });
    expect(JSON.stringify([path, headers, body.toString()])).not.toContain(key.key);
  });
});

describe('upstream query', () => {
  test.each([
    ['?a=1&b=%20x+y', '?a=1&b=%20x+y'],
    ['?apikey=s', ''],
    ['?a=1&API_KEY=s&b=2', '?a=1&b=2'],
    ['?%6Bey=s&a=1', '?a=1'],
    [
      '?pass%77ord=s&PWD=s&passwd=s&client_secret=s&secret=s&auth=s&authorization=s&token=s&access_token=s&api-key=s',
      '',
    ],
    ['?monkey=1&keys=2&tokens=3', '?monkey=1&keys=2&tokens=3'],
    ['?key', ''],
    ['?&&a=%zz&=', '?&&a=%zz&='],
  ])('the query %s is forwarded as %j', async (query, forwarded) => {
    expect((await sent(BODY, { path: PATH + query })).path).toBe(PATH + forwarded);
  });
});

describe('upstream request body', () => {
  const withField = (field: string) => `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"x"}],${field}}`;

  test.each<[string, string | Buffer]>([
    ['integers beyond 2^53', withField('"seed":9007199254740993,"metadata":{"n":123456789012345678901234567890}')],
    ['numbers in long notation', withField('"temperature":1.0,"top_p":0.50,"presence_penalty":-0,"x":1E+2')],
    ['duplicate fields except model', withField('"user":"a","user":"b","metadata":{"model":"a","model":"b"}')],
    ['escapes', withField('"user":"\\u00e9\\u0041\\/\\ud83d\\ude00"')],
    ['a lone surrogate as an escape', withField('"user":"\\ud800"')],
    ['characters of every width', Buffer.from(withField('"user":"aé世👋\u2028\u0000"'.replace('\u0000', '')))],
    [
      'whitespace of every kind',
      ` \r\n\t{ "model"\n:\t"gpt-4o-mini" ,\r\n"messages" : [ {"role":"user","content":"x"} ] }\n `,
    ],
    ['unknown fields in their order', withField('"zz":1,"aa":{"b":[{},[],null]},"stream":null')],
    ['a stream without usage', withField('"stream":true')],
    ['names of JavaScript properties', withField('"__proto__":{"a":1},"constructor":1,"toJSON":"x"')],
    ['empty names', withField('"":{"":""}')],
    ['1 MB of text', withField(`"metadata":{"x":"${'é'.repeat(500_000)}"}`)],
  ])('a body with %s is forwarded byte for byte', async (_what, body) => {
    expect((await sent(body)).body.equals(Buffer.from(body))).toBe(true);
  });

  test('a body in chunks is forwarded with a length', async () => {
    const body = withField('"user":"é"');
    const bytes = Buffer.from(body);
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const response = await fetch(gateway.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    expect(response.status).toBe(200);
    await response.text();
    const request = await gateway.upstream.received(0);
    expect(request.body.equals(bytes)).toBe(true);
    expect(request.header('content-length')).toBe(String(bytes.length));
    expect(request.header('transfer-encoding')).toBeUndefined();
  });
});
