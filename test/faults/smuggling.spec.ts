import { describe, expect, test } from '@jest/globals';
import { CHAT, errorIn, refusalIn, snapshot } from '../support/answers.js';
import { startImpatientGateway } from '../support/ready-gateway.js';
import { chatHead, chatRequest, Wire } from '../support/wire.js';
import { gatewayOfFile } from '../support/gateway-of-file.js';

/**
 * Requests that another server could read with another end. In each the bytes behind the doubtful end are a whole request by
 * themselves: it must never be taken for one that its sender has not framed as such.
 */
const BODY = JSON.stringify(CHAT);
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const MARK = 'smuggled';

const file = gatewayOfFile(startImpatientGateway);

const smuggled = (): string => chatRequest(file.key.key, BODY, `Idempotency-Key: ${MARK}`);
const head = (...lines: string[]): string => chatHead(file.key.key, JSON_TYPE, ...lines);
const length = (bytes: number | string): string => `Content-Length: ${bytes}`;
const inChunks = (...lines: string[]): string => `${lines.join('\r\n')}\r\n`;
const whole = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

type Shape = readonly [what: string, bytes: () => string];

/** No proper HTTP: 400, and not a byte behind it is looked at. */
const REFUSED: readonly Shape[] = [
  ['a length and chunks, the length first', () => head(length(5), CHUNKED) + inChunks('0', '') + smuggled()],
  ['chunks and a length, the chunks first', () => head(CHUNKED, length(5)) + inChunks('0', '') + smuggled()],
  ['a length of 0 and chunks', () => head(length(0), CHUNKED) + whole + smuggled()],
  ['two lengths', () => head(length(0), length(BODY.length)) + BODY + smuggled()],
  ['the same length twice', () => head(length(BODY.length), length(BODY.length)) + BODY + smuggled()],
  ['a list of lengths', () => head(length(`${BODY.length}, ${BODY.length}`)) + BODY + smuggled()],
  ...['+5', '-5', '0x5', '5e0', '5.0', '5 5', '5;', '٥', '18446744073709551621', '9'.repeat(40)].map((text): Shape => [
    `the length ${text.slice(0, 21)}`,
    () => head(length(text)) + smuggled(),
  ]),
  ...[
    ...['xchunked', 'chunkedx', '"chunked"', 'chunked, identity', 'chunked, gzip', 'identity', 'gzip', 'chunked;q=1'],
    ...['chunked\x0b', '\x0bchunked', 'chunk\0ed', 'chunked, chunked\x00', 'chunked\x01'],
  ].map((coding): Shape => [
    `Transfer-Encoding: ${JSON.stringify(coding)}`,
    () => head(`Transfer-Encoding: ${coding}`) + whole + smuggled(),
  ]),
  ['a space before the colon', () => head('Transfer-Encoding : chunked', length(BODY.length)) + BODY + smuggled()],
  ['a tab before the colon', () => head('Content-Length\t: 5') + smuggled()],
  ['a space before the name', () => head(' Transfer-Encoding: chunked') + whole + smuggled()],
  ['a folded Transfer-Encoding', () => head('Transfer-Encoding:', ' chunked') + whole + smuggled()],
  ['a folded length', () => head('Content-Length: 1', ' 0') + smuggled()],
  ['a folded header of no meaning', () => head('X-A: 1', '\t2', length(0)) + smuggled()],
  ['a header line that ends with a bare LF', () => head(`X-A: 1\n${length(5)}`) + smuggled()],
  ['a header line that ends with a bare CR', () => head(`X-A: 1\r${length(5)}`) + smuggled()],
  ['bare LF everywhere', () => (head(length(0)) + smuggled()).replaceAll('\r\n', '\n')],
  ['a NUL in a name', () => head('Content-Length\0: 5') + smuggled()],
  ['a NUL in a value', () => head('X-A: a\0b', length(0)) + smuggled()],
  ['an empty name', () => head(': 5', length(0)) + smuggled()],
  ['a tab in the request line', () => head(length(0)).replace('POST ', 'POST\t') + smuggled()],
  ['a method in small letters', () => head(length(0)).replace('POST', 'post') + smuggled()],
  ['a version in small letters', () => head(length(0)).replace('HTTP/1.1', 'http/1.1') + smuggled()],
  ['no version', () => head(length(0)).replace(' HTTP/1.1', '') + smuggled()],
];

/** Broken in the middle of its chunks: the head was good, what follows is refused and the connection ends. */
const BROKEN_CHUNKS: readonly Shape[] = [
  ['a size below zero', () => inChunks('-5', 'hello', '0', '')],
  ['a size with a sign', () => inChunks('+5', 'hello', '0', '')],
  ['a size with 0x', () => inChunks('0x5', 'hello', '0', '')],
  ['no size', () => inChunks('', 'hello', '0', '')],
  ['a size beyond every number', () => inChunks('F'.repeat(17), 'hello', '0', '')],
  ['a size that wraps around to 5', () => inChunks('10000000000000005', 'hello', '0', '')],
  ['a blank before the size', () => inChunks(' 5', 'hello', '0', '')],
  ['a size that ends with a bare LF', () => `5\nhello\r\n${inChunks('0', '')}`],
  ['a size that ends with a bare CR', () => `5\rhello\r\n${inChunks('0', '')}`],
  ['a chunk longer than its size', () => inChunks('3', 'hello', '0', '')],
  ['a chunk without its line’s end', () => `5\r\nhello${inChunks('0', '')}`],
  ['an extension with a bare LF', () => inChunks('5;a=b\nc', 'hello', '0', '')],
  ['an extension with a NUL', () => inChunks('5;a=\0', 'hello', '0', '')],
  ['extensions of 100 KB', () => inChunks(`5;a=${'x'.repeat(100_000)}`, 'hello', '0', '')],
  ['a trailer without a colon', () => inChunks('5', 'hello', '0', 'nonsense', '')],
  ['a trailer that names a length', () => inChunks('5', 'hello', '0', 'Content-Length: 5', '')],
  ['a folded trailer', () => inChunks('5', 'hello', '0', 'X-A: 1', ' 2', '')],
];

const upstreamSaw = (): (string | undefined)[] =>
  file.gateway.upstream.requests
    .filter(({ path }) => path === '/v1/chat/completions')
    .map((request) => request.header('idempotency-key') ?? request.body.toString());

/** Nothing of what this wire has sent was served, whoever reads it how. */
async function expectNothingPassed(): Promise<void> {
  expect(upstreamSaw()).toEqual([]);
  expect((await snapshot(file.gateway, file.key)).today.used).toBe(0);
  expect((await file.gateway.chat(file.key)).status).toBe(200);
}

describe('a request that could be read in two ways is refused with 400, and its connection ends', () => {
  test.each(REFUSED)('%s', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(bytes());
    const answer = await wire.answer();
    expect(refusalIn(answer)).toMatch(/^400 (bad_request|invalid_json)$/);
    expect(errorIn(answer).request_id).toBe(answer.headers['x-request-id']);
    await wire.closed;
    expect(wire.unread).toBe('');
    await expectNothingPassed();
  });
});

describe('a body that breaks its own framing is refused, and its connection ends', () => {
  test.each(BROKEN_CHUNKS)('%s', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(head(CHUNKED) + bytes() + smuggled());
    const answer = await wire.answer();
    expect(refusalIn(answer)).toMatch(/^(400 bad_request|408 request_timeout)$/);
    await wire.closed;
    expect(wire.unread).toBe('');
    await expectNothingPassed();
  });
});

describe('a request that can be read in one way only is served as that, and the next on its connection too', () => {
  test.each<Shape>([
    ['its length between blanks', () => head(`Content-Length: \t${BODY.length} `) + BODY],
    ['its length with a 0 before it', () => head(length(`0${BODY.length}`)) + BODY],
    ['chunks in other letters', () => head('TRANSFER-ENCODING: Chunked') + whole],
    ['one byte a chunk', () => head(CHUNKED) + [...BODY].map((c) => `1\r\n${c}\r\n`).join('') + inChunks('0', '')],
    ['sizes with zeros before them', () => head(CHUNKED) + `000000${whole}`],
    ['extensions of chunks', () => head(CHUNKED) + whole.replace('\r\n', ';a=b;c="d"\r\n')],
    ['trailers', () => head(CHUNKED) + whole.slice(0, -2) + 'Host: evil\r\nX-GW-Model: evil\r\n\r\n'],
    ['two blanks in its request line', () => head(length(BODY.length)).replace('POST ', 'POST  ') + BODY],
    ['empty lines before it', () => `\r\n\r\n${head(length(BODY.length))}${BODY}`],
    [
      'names with underscores',
      () => head('Transfer_Encoding: chunked', 'Content_Length: 3', length(BODY.length)) + BODY,
    ],
    ['a Connection that names the length', () => head('Connection: content-length', length(BODY.length)) + BODY],
    ['a TE', () => head('TE: trailers, chunked', length(BODY.length)) + BODY],
    ['an Upgrade to h2c', () => head('Connection: Upgrade', 'Upgrade: h2c', length(BODY.length)) + BODY],
  ])('%s', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(bytes());
    expect((await wire.answer()).status).toBe(200);
    wire.write(smuggled());
    expect((await wire.answer()).status).toBe(200);
    wire.close();
    expect(upstreamSaw()).toEqual([BODY, MARK]);
    const [first] = file.gateway.upstream.requests;
    // Framed anew, by one length.
    expect([first?.header('content-length'), first?.header('transfer-encoding')]).toEqual([
      `${BODY.length}`,
      undefined,
    ]);
    expect((await snapshot(file.gateway, file.key)).today.used).toBe(2);
  });
});

describe('what stands in a body is never taken for a request', () => {
  test.each<Shape>([
    [
      'of GET',
      () => chatHead(file.key.key, length(smuggled().length)).replace('POST /v1/chat/completions', 'GET /v1/models'),
    ],
    ['of a wrong key', () => chatHead('sk-gw-none', JSON_TYPE, length(smuggled().length))],
    ['of no route', () => head(length(smuggled().length)).replace('/v1/chat', '/v1/nothing')],
    ['of another type', () => chatHead(file.key.key, 'Content-Type: text/plain', length(smuggled().length))],
    ['that is no JSON', () => head(length(smuggled().length))],
    [
      'of OPTIONS',
      () => head(length(smuggled().length), 'Access-Control-Request-Method: GET').replace('POST', 'OPTIONS'),
    ],
    ['of the admin API', () => head(length(smuggled().length)).replace('/v1/chat/completions', '/admin/api-keys')],
    ['of health', () => head(length(smuggled().length)).replace('POST /v1/chat/completions', 'GET /health')],
  ])('%s', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    // The body in a piece of its own, behind the answer: that is when a parser which forgot about it would be caught.
    wire.write(bytes());
    await Promise.race([wire.answer().catch(() => null), new Promise((resolve) => setTimeout(resolve, 100))]);
    wire.write(smuggled());
    const last = chatRequest(file.key.key, BODY, 'Idempotency-Key: last');
    wire.write(last);
    let answer = await wire.answer();
    while (answer.status !== 200 || !answer.text.includes('chatcmpl')) answer = await wire.answer();
    wire.close();
    expect(upstreamSaw()).toEqual(['last']);
  });
});

describe('a connection serves the next request after each kind of refusal that leaves its framing whole', () => {
  test('one behind the other, sent at once and one by one', async () => {
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
        expect([status, (await wire.answer()).status]).toEqual([status, status]);
        if (!atOnce) wire.write(chatRequest(file.key.key, BODY));
        // Of an upload beyond its limit no more than that is taken: there the connection may end instead.
        const next = await wire.answer().catch(() => null);
        expect([status, next?.status ?? 'cut']).toEqual([status, status === 413 ? expect.anything() : 200]);
        wire.close();
      }
    }
  });
});
