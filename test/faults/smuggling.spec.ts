import { describe, expect, test } from '@jest/globals';
import { CHAT, errorIn, errorCodeIn, snapshot } from '../support/responses.js';
import { startGatewayWithShortTimeouts } from '../support/ready-gateway.js';
import { chatHead, chatRequest, Wire } from '../support/wire.js';
import { gatewayOfFile } from '../support/gateway-of-file.js';

/**
 * Requests that another server might read with a different end. The bytes after the ambiguous end form a complete request.
 * The gateway must never treat them as a request unless the sender has framed them as one.
 */
const BODY = JSON.stringify(CHAT);
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const MARK = 'smuggled';

const file = gatewayOfFile(startGatewayWithShortTimeouts);

const smuggled = (): string => chatRequest(file.key.key, BODY, `Idempotency-Key: ${MARK}`);
const head = (...lines: string[]): string => chatHead(file.key.key, JSON_TYPE, ...lines);
const length = (bytes: number | string): string => `Content-Length: ${bytes}`;
const inChunks = (...lines: string[]): string => `${lines.join('\r\n')}\r\n`;
const whole = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

type Shape = readonly [what: string, bytes: () => string];

/** Malformed HTTP. It returns 400, and no byte after it is read. */
const REFUSED: readonly Shape[] = [
  ['a length and chunks, the length first', () => head(length(5), CHUNKED) + inChunks('0', '') + smuggled()],
  ['chunks and a length, the chunks first', () => head(CHUNKED, length(5)) + inChunks('0', '') + smuggled()],
  ['a length of 0 and chunks', () => head(length(0), CHUNKED) + whole + smuggled()],
  ['two lengths', () => head(length(0), length(BODY.length)) + BODY + smuggled()],
  ['the same length twice', () => head(length(BODY.length), length(BODY.length)) + BODY + smuggled()],
  ['a comma-separated list of lengths', () => head(length(`${BODY.length}, ${BODY.length}`)) + BODY + smuggled()],
  ...['+5', '-5', '0x5', '5e0', '5.0', '5 5', '5;', '٥', '18446744073709551621', '9'.repeat(40)].map((text): Shape => [
    `the length ${text.slice(0, 21)}`,
    () => head(length(text)) + smuggled(),
  ]),
  ...[
    'xchunked',
    'chunkedx',
    '"chunked"',
    'chunked, identity',
    'chunked, gzip',
    'identity',
    'gzip',
    'chunked;q=1',
    'chunked\x0b',
    '\x0bchunked',
    'chunk\0ed',
    'chunked, chunked\x00',
    'chunked\x01',
  ].map((coding): Shape => [
    `Transfer-Encoding: ${JSON.stringify(coding)}`,
    () => head(`Transfer-Encoding: ${coding}`) + whole + smuggled(),
  ]),
  ['a space before the colon', () => head('Transfer-Encoding : chunked', length(BODY.length)) + BODY + smuggled()],
  ['a tab before the colon', () => head('Content-Length\t: 5') + smuggled()],
  ['a space before the name', () => head(' Transfer-Encoding: chunked') + whole + smuggled()],
  ['a folded Transfer-Encoding', () => head('Transfer-Encoding:', ' chunked') + whole + smuggled()],
  ['a folded length', () => head('Content-Length: 1', ' 0') + smuggled()],
  ['a folded header without a meaning', () => head('X-A: 1', '\t2', length(0)) + smuggled()],
  ['a header line that ends with a bare LF', () => head(`X-A: 1\n${length(5)}`) + smuggled()],
  ['a header line that ends with a bare CR', () => head(`X-A: 1\r${length(5)}`) + smuggled()],
  ['bare LF everywhere', () => (head(length(0)) + smuggled()).replaceAll('\r\n', '\n')],
  ['a NUL in a header name', () => head('Content-Length\0: 5') + smuggled()],
  ['a NUL in a header value', () => head('X-A: a\0b', length(0)) + smuggled()],
  ['an empty header name', () => head(': 5', length(0)) + smuggled()],
  ['a tab in the request line', () => head(length(0)).replace('POST ', 'POST\t') + smuggled()],
  ['a lower-case method', () => head(length(0)).replace('POST', 'post') + smuggled()],
  ['a lower-case version', () => head(length(0)).replace('HTTP/1.1', 'http/1.1') + smuggled()],
  ['no version', () => head(length(0)).replace(' HTTP/1.1', '') + smuggled()],
];

/** Valid headers with malformed chunks. The request is rejected and the connection closes. */
const BROKEN_CHUNKS: readonly Shape[] = [
  ['a negative size', () => inChunks('-5', 'hello', '0', '')],
  ['a size with a sign', () => inChunks('+5', 'hello', '0', '')],
  ['a size with 0x', () => inChunks('0x5', 'hello', '0', '')],
  ['no size', () => inChunks('', 'hello', '0', '')],
  ['a size that is too large', () => inChunks('F'.repeat(17), 'hello', '0', '')],
  ['a size that wraps around to 5', () => inChunks('10000000000000005', 'hello', '0', '')],
  ['a space before the size', () => inChunks(' 5', 'hello', '0', '')],
  ['a size that ends with a bare LF', () => `5\nhello\r\n${inChunks('0', '')}`],
  ['a size that ends with a bare CR', () => `5\rhello\r\n${inChunks('0', '')}`],
  ['a chunk longer than its size', () => inChunks('3', 'hello', '0', '')],
  ['a chunk without its line end', () => `5\r\nhello${inChunks('0', '')}`],
  ['an extension with a bare LF', () => inChunks('5;a=b\nc', 'hello', '0', '')],
  ['an extension with a NUL', () => inChunks('5;a=\0', 'hello', '0', '')],
  ['extensions of 100 KB', () => inChunks(`5;a=${'x'.repeat(100_000)}`, 'hello', '0', '')],
  ['a trailer without a colon', () => inChunks('5', 'hello', '0', 'nonsense', '')],
  ['a trailer with a Content-Length', () => inChunks('5', 'hello', '0', 'Content-Length: 5', '')],
  ['a folded trailer', () => inChunks('5', 'hello', '0', 'X-A: 1', ' 2', '')],
];

const upstreamRequests = (): (string | undefined)[] =>
  file.gateway.upstream.requests
    .filter(({ path }) => path === '/v1/chat/completions')
    .map((request) => request.header('idempotency-key') ?? request.body.toString());

/** Expects that nothing on this connection was served or counted, and that the gateway serves others. */
async function expectNothingPassed(): Promise<void> {
  expect(upstreamRequests()).toEqual([]);
  expect((await snapshot(file.gateway, file.key)).today.used).toBe(0);
  expect((await file.gateway.chat(file.key)).status).toBe(200);
}

describe('ambiguous requests', () => {
  test.each(REFUSED)('rejects %s with 400 and closes the connection', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(bytes());
    const response = await wire.response();
    expect(errorCodeIn(response)).toMatch(/^400 (bad_request|invalid_json)$/);
    expect(errorIn(response).request_id).toBe(response.headers['x-request-id']);
    await wire.closed;
    expect(wire.unread).toBe('');
    await expectNothingPassed();
  });
});

describe('malformed chunks', () => {
  test.each(BROKEN_CHUNKS)('rejects a chunked body with %s and closes the connection', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(head(CHUNKED) + bytes() + smuggled());
    const response = await wire.response();
    expect(errorCodeIn(response)).toMatch(/^(400 bad_request|408 request_timeout)$/);
    await wire.closed;
    expect(wire.unread).toBe('');
    await expectNothingPassed();
  });
});

describe('unusual but unambiguous requests', () => {
  test.each<Shape>([
    ['whitespace around its length', () => head(`Content-Length: \t${BODY.length} `) + BODY],
    ['a leading zero in its length', () => head(length(`0${BODY.length}`)) + BODY],
    ['Transfer-Encoding in other cases', () => head('TRANSFER-ENCODING: Chunked') + whole],
    ['one byte per chunk', () => head(CHUNKED) + [...BODY].map((c) => `1\r\n${c}\r\n`).join('') + inChunks('0', '')],
    ['leading zeros in chunk sizes', () => head(CHUNKED) + `000000${whole}`],
    ['chunk extensions', () => head(CHUNKED) + whole.replace('\r\n', ';a=b;c="d"\r\n')],
    ['trailers', () => head(CHUNKED) + whole.slice(0, -2) + 'Host: evil\r\nX-GW-Model: evil\r\n\r\n'],
    ['two spaces in its request line', () => head(length(BODY.length)).replace('POST ', 'POST  ') + BODY],
    ['blank lines before it', () => `\r\n\r\n${head(length(BODY.length))}${BODY}`],
    [
      'header names with underscores',
      () => head('Transfer_Encoding: chunked', 'Content_Length: 3', length(BODY.length)) + BODY,
    ],
    ['Connection: content-length', () => head('Connection: content-length', length(BODY.length)) + BODY],
    ['a TE header', () => head('TE: trailers, chunked', length(BODY.length)) + BODY],
    ['an upgrade to h2c', () => head('Connection: Upgrade', 'Upgrade: h2c', length(BODY.length)) + BODY],
  ])('serves a request with %s, and the next one on its connection', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(bytes());
    expect((await wire.response()).status).toBe(200);
    wire.write(smuggled());
    expect((await wire.response()).status).toBe(200);
    wire.close();
    expect(upstreamRequests()).toEqual([BODY, MARK]);
    const [first] = file.gateway.upstream.requests;
    // The upstream request is framed with a single length.
    expect([first?.header('content-length'), first?.header('transfer-encoding')]).toEqual([
      `${BODY.length}`,
      undefined,
    ]);
    expect((await snapshot(file.gateway, file.key)).today.used).toBe(2);
  });
});

describe('requests inside a body', () => {
  test.each<Shape>([
    [
      'a GET request',
      () => chatHead(file.key.key, length(smuggled().length)).replace('POST /v1/chat/completions', 'GET /v1/models'),
    ],
    ['a request with a wrong key', () => chatHead('sk-gw-none', JSON_TYPE, length(smuggled().length))],
    ['a request to an unknown route', () => head(length(smuggled().length)).replace('/v1/chat', '/v1/nothing')],
    [
      'a request with another content type',
      () => chatHead(file.key.key, 'Content-Type: text/plain', length(smuggled().length)),
    ],
    ['a request whose body is not JSON', () => head(length(smuggled().length))],
    [
      'an OPTIONS request',
      () => head(length(smuggled().length), 'Access-Control-Request-Method: GET').replace('POST', 'OPTIONS'),
    ],
    [
      'a request to the Admin API',
      () => head(length(smuggled().length)).replace('/v1/chat/completions', '/admin/api-keys'),
    ],
    ['a health request', () => head(length(smuggled().length)).replace('POST /v1/chat/completions', 'GET /health')],
  ])('never treats the body of %s as a request', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    // The body is sent separately, after the response, because a parser that forgot about it would then fail.
    wire.write(bytes());
    await Promise.race([wire.response().catch(() => null), new Promise((resolve) => setTimeout(resolve, 100))]);
    wire.write(smuggled());
    const last = chatRequest(file.key.key, BODY, 'Idempotency-Key: last');
    wire.write(last);
    let response = await wire.response();
    while (response.status !== 200 || !response.text.includes('chatcmpl')) response = await wire.response();
    wire.close();
    expect(upstreamRequests()).toEqual(['last']);
  });
});

describe('connections after a rejected request', () => {
  test('serves the next request on a connection after each kind of rejection', async () => {
    const suspended = await file.gateway.createKey();
    await file.gateway.admin('POST', `/admin/api-keys/${suspended.id}/suspend`);
    const spent = await file.gateway.createKey({ rpm_limit: 1, rpd_limit: 1 });
    await file.gateway.chat(spent);
    file.gateway.upstream.reset();
    const refusals: readonly (readonly [number, string])[] = [
      [401, chatRequest(null, BODY)],
      [401, chatRequest('sk-gw-none', BODY)],
      [403, chatRequest(suspended.key, BODY)],
      [404, chatRequest(file.key.key, BODY).replace('/v1/chat', '/v1/Chat')],
      [404, chatRequest(file.key.key, BODY).replace('POST', 'PUT')],
      [404, 'GET /v1/models/%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
      [400, chatRequest(file.key.key, '{"model":')],
      [400, chatRequest(file.key.key, '[]')],
      [400, chatRequest(file.key.key, BODY).replace('application/json', 'text/plain')],
      [400, chatRequest(file.key.key, `{"model":"x",${BODY.slice(1)}`)],
      [400, chatRequest(file.key.key, '{"model":"gpt-4o-mini"}')],
      [403, chatRequest(file.key.key, BODY.replace('gpt-4o-mini', 'no-such-model'))],
      [429, chatRequest(spent.key, BODY)],
      [413, head(CHUNKED) + `${(11 * 1024 * 1024).toString(16)}\r\n${' '.repeat(11 * 1024 * 1024)}\r\n0\r\n\r\n`],
    ];
    for (const atOnce of [true, false]) {
      for (const [status, bytes] of refusals) {
        const wire = await Wire.open(file.gateway.port);
        wire.write(atOnce ? bytes + chatRequest(file.key.key, BODY) : bytes);
        expect([status, (await wire.response()).status]).toEqual([status, status]);
        if (!atOnce) wire.write(chatRequest(file.key.key, BODY));
        // An upload is read only up to its limit, so its connection can close instead.
        const next = await wire.response().catch(() => null);
        expect([status, next?.status ?? 'cut']).toEqual([status, status === 413 ? expect.anything() : 200]);
        wire.close();
      }
    }
  });
});
