import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { redactWhole, ResponseRedaction } from '../../src/proxy/redaction/response-redaction.js';

const SECRET = 'upstream/account-credential';
const OTHER = 'sk-proj-abcdefghijklmnop';
const CREDENTIALS = { headers: ['authorization', `Bearer ${SECRET}`], secrets: [SECRET, 'another-account-credential'] };
const SSE = 'text/event-stream';
const NDJSON = 'application/x-ndjson';
const JSON_TYPE = 'application/json';

function redacted(pieces: readonly Buffer[], type: string, keepsLength = false): string {
  const redaction = new ResponseRedaction(CREDENTIALS, type, keepsLength);
  return Buffer.concat([...pieces.map((piece) => redaction.push(piece)), redaction.end()]).toString('latin1');
}
const cutAt = (bytes: Buffer, ...cuts: readonly number[]): Buffer[] =>
  [...cuts, bytes.length].map((cut, at) => bytes.subarray(cuts[at - 1] ?? 0, cut));
const bytewise = (bytes: Buffer): Buffer[] => cutAt(bytes, ...Array.from({ length: bytes.length }, (_, at) => at));

/** All letters as escapes. */
const escaped = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const MESSAGE = `{"error":{"message":"Incorrect API key provided: ${OTHER}"}}`;
const SAFE_MESSAGE = '{"error":{"message":"Incorrect API key provided: [redacted]"}}';

describe('errors in a response that arrives in chunks', () => {
  test.each([
    ['a JSON body', JSON_TYPE, MESSAGE, SAFE_MESSAGE],
    ['a JSON body without a content type', '', MESSAGE, SAFE_MESSAGE],
    ['a JSON body of another content type', 'text/plain', MESSAGE, SAFE_MESSAGE],
    ['an event', SSE, `data: ${MESSAGE}\n\ndata: [DONE]\n\n`, `data: ${SAFE_MESSAGE}\n\ndata: [DONE]\n\n`],
    [
      'an event after others',
      SSE,
      `data: {"a":1}\n\ndata: ${MESSAGE}\n\n: ${OTHER}\n\n`,
      `data: {"a":1}\n\ndata: ${SAFE_MESSAGE}\n\n: ${OTHER}\n\n`,
    ],
    ['an event with CRLF lines', SSE, `data: ${MESSAGE}\r\n\r\n`, `data: ${SAFE_MESSAGE}\r\n\r\n`],
    [
      'an event in two lines',
      SSE,
      `data: {"error":\ndata: "${OTHER}"}\n\n`,
      'data: {"error":\ndata: "[redacted]"}\n\n',
    ],
    ['an event without an end', SSE, `data: ${MESSAGE}`, `data: ${SAFE_MESSAGE}`],
    ['an error event', SSE, `event: error\ndata: no key ${OTHER}\n\n`, 'event: error\ndata: no key [redacted]\n\n'],
    ['an error field', SSE, `error: ${OTHER}\n\n`, 'error: [redacted]\n\n'],
    ['a failed response', SSE, `data: {"response":${MESSAGE}}\n\n`, `data: {"response":${SAFE_MESSAGE}}\n\n`],
    ['a line of NDJSON', NDJSON, `{"a":"${OTHER}"}\n${MESSAGE}\n`, `{"a":"${OTHER}"}\n${SAFE_MESSAGE}\n`],
    ['escapes', JSON_TYPE, `{"error":"x ${escaped(OTHER)} \\n"}`, '{"error":"x [redacted] \\n"}'],
    ['a masked key', JSON_TYPE, '{"error":"key sk-proj-abc******xyz."}', '{"error":"key [redacted]."}'],
    ['a field name', JSON_TYPE, `{"error":{"${OTHER}":1}}`, '{"error":{"[redacted]":1}}'],
  ])('a credential in %s is redacted regardless of chunk boundaries', (_where, type, body, expected) => {
    const bytes = Buffer.from(body);
    expect(redacted([bytes], type)).toBe(expected);
    expect(redacted(bytewise(bytes), type)).toBe(expected);
    for (let cut = 0; cut <= bytes.length; cut++) expect(redacted(cutAt(bytes, cut), type)).toBe(expected);
    expect(redacted(bytewise(bytes), type, true)).toHaveLength(bytes.length);
  });

  test.each([
    ['the text of a message', SSE, `data: {"choices":[{"delta":{"content":"\\"error\\": ${OTHER}"}}]}\n\n`],
    ['a null error', SSE, `data: {"error": null,"a":"${OTHER}"}\n\n`],
    ['an error of a tool', SSE, `data: {"item":{"error":"${OTHER}"}}\n\n`],
    ['an event of another name', SSE, `event: errors\ndata: ${OTHER}\n\n`],
    ['a comment', SSE, `: error ${OTHER}\n\n`],
    ['a plain text', 'text/plain', `error: ${OTHER}`],
    ['a JSON body without an error', JSON_TYPE, `{"output":[{"error":"${OTHER}"}]}`],
    ['bytes that are not UTF-8', SSE, 'data: {"error":{"message":"\xff\xc3 no key"}}\n\n'],
  ])('%s stays unchanged regardless of chunk boundaries', (_where, type, body) => {
    const bytes = Buffer.from(body, 'latin1');
    expect(redacted(bytewise(bytes), type)).toBe(body);
    for (let cut = 0; cut <= bytes.length; cut++) expect(redacted(cutAt(bytes, cut), type)).toBe(body);
  });

  test('an error that is not an object is redacted with the fields next to it', () => {
    expect(redacted([Buffer.from(`data: {"error":"invalid_key","message":"${OTHER}"}\n\n`)], SSE)).not.toContain(OTHER);
    expect(redacted([Buffer.from(`data: {"message":"${OTHER}","error" : 401}\n\n`)], SSE)).not.toContain(OTHER);
    expect(redacted([Buffer.from(`data: {"error":["${OTHER}"]}\n\n`)], SSE)).not.toContain(OTHER);
    expect(redacted([Buffer.from(`data: {"error":false,"a":"${OTHER}"}\n\n`)], SSE)).toContain(OTHER);
    expect(redacted([Buffer.from(`data: {"message":"${OTHER}","type":"error"}\n\n`)], SSE)).not.toContain(OTHER);
  });

  test('at least the first 64 KiB of an error are redacted, and the rest is forwarded without waiting for its end', () => {
    const redaction = new ResponseRedaction(CREDENTIALS, SSE, false);
    expect(redaction.push(Buffer.from(`data: {"error":{"message":"${OTHER} `)).toString()).toBe('data:');
    let forwarded = '';
    for (let at = 0; at < 70; at++) forwarded += redaction.push(Buffer.alloc(1024, 'x')).toString();
    expect(forwarded).toContain('[redacted] ');
    expect(forwarded.length).toBeGreaterThan(64 * 1024);
    expect(redaction.push(Buffer.from('"}}\n\n')).toString()).toBe('"}}\n\n');
    expect(redaction.push(Buffer.from(`data: ${MESSAGE}\n\n`)).toString()).toBe(`data: ${SAFE_MESSAGE}\n\n`);
  });

  test('an error is forwarded as soon as its event, line or document is complete', () => {
    for (const [type, body, expected] of [
      [JSON_TYPE, MESSAGE, SAFE_MESSAGE],
      [NDJSON, `${MESSAGE}\n`, `${SAFE_MESSAGE}\n`],
      [SSE, `data: ${MESSAGE}\n\n`, `data: ${SAFE_MESSAGE}\n\n`],
    ] as const) {
      const redaction = new ResponseRedaction(CREDENTIALS, type, false);
      const forwarded = bytewise(Buffer.from(body)).map((piece) => redaction.push(piece).toString());
      expect(forwarded.join('')).toBe(expected);
    }
  });

  test('an error in the first 64 KiB of a JSON body is found, however deep the values before it are', () => {
    const body = Buffer.from(`{"a":${'['.repeat(15_000)}${']'.repeat(15_000)},"error":"${OTHER}"}`);
    expect(redacted(cutAt(body, 9, 20_000), JSON_TYPE)).not.toContain(OTHER);
  });
});

describe("the account's credential in a response that arrives in chunks", () => {
  const PLACES: readonly (readonly [string, string])[] = [
    [SSE, `data: {"choices":[{"delta":{"content":"${SECRET}"}}]}\n\n`],
    [SSE, `: ${SECRET}\n\n`],
    [NDJSON, `{"a":"${SECRET}${SECRET}"}\n`],
    [JSON_TYPE, `{"a":"${SECRET.replace('/', '\\/')}"}`],
    ['text/plain', `${SECRET} and ${SECRET}`],
    ['audio/mpeg', `\0${SECRET}`],
  ];

  test.each(PLACES)('it is replaced in %s: %s', (type, body) => {
    const bytes = Buffer.from(body);
    const secret = body.includes(SECRET) ? SECRET : SECRET.replace('/', '\\/');
    expect(redacted([bytes], type)).toBe(body.replaceAll(secret, '[redacted]'));
    expect(redacted([bytes], type, true)).toBe(body.replaceAll(secret, '[redacted]'.padEnd(secret.length, '*')));
    for (const keepsLength of [false, true]) {
      for (let cut = 0; cut <= bytes.length; cut++) {
        const text = redacted(cutAt(bytes, cut), type, keepsLength);
        // Fewer than eight characters of the beginning can be forwarded before the rest arrives.
        expect(text).not.toContain(secret.slice(0, 8));
        expect(text).not.toContain(secret.slice(8));
        if (keepsLength) expect(text).toHaveLength(body.length);
      }
      expect(redacted(bytewise(bytes), type, keepsLength)).not.toContain(secret.slice(0, 8));
    }
  });

  test('a beginning of it that another text follows stays unchanged', () => {
    const body = `data: {"a":"${SECRET.slice(0, 20)}","b":"${SECRET.slice(0, 12)}${SECRET.slice(0, 3)}"}\n\n`;
    expect(redacted(bytewise(Buffer.from(body)), SSE)).toBe(body);
    expect(redacted([Buffer.from(SECRET.slice(0, -1))], 'text/plain')).toBe(SECRET.slice(0, -1));
  });

  test('a credential that was not sent to this account is searched for in errors only', () => {
    expect(redacted([Buffer.from('data: {"a":"another-account-credential"}\n\n')], SSE)).toContain('another-account');
    expect(redacted([Buffer.from('data: {"error":"another-account-credential"}\n\n')], SSE)).not.toContain('another-');
  });

  test('a placeholder of fewer than eight characters is not searched for', () => {
    const redaction = new ResponseRedaction({ headers: ['authorization', 'Bearer key'], secrets: ['key'] }, SSE, false);
    expect(redaction.push(Buffer.from('data: {"error":"a key"}\n\n')).toString()).toContain('a key');
  });
});

describe('responses without credentials', () => {
  const FOLDER = new URL('../fixtures/streams/', import.meta.url);

  test.each(readdirSync(FOLDER))('the chunks of %s are forwarded as they are, without a copy', (name) => {
    const redaction = new ResponseRedaction(CREDENTIALS, SSE, false);
    const events = readFileSync(new URL(name, FOLDER), 'latin1').split(/(?<=\n\n|\r\n\r\n)/);
    for (const event of events) {
      const chunk = Buffer.from(event, 'latin1');
      const isError = /"error"\s*:\s*[{"]|event: ?error/.test(event);
      if (isError) expect(redaction.push(chunk).equals(chunk)).toBe(true);
      else expect(redaction.push(chunk)).toBe(chunk);
    }
    expect(redaction.end()).toHaveLength(0);
  });

  test.each(readdirSync(FOLDER))('%s is unchanged regardless of chunk boundaries', (name) => {
    const bytes = readFileSync(new URL(name, FOLDER));
    expect(redacted(bytewise(bytes), SSE)).toBe(bytes.toString('latin1'));
  });
});

describe('a complete response', () => {
  const whole = (body: string, pieces = [Buffer.from(body)], isConverted = false) =>
    redactWhole(Buffer.from(body), { pieces, isConverted }, CREDENTIALS);

  test.each([
    ['an error', MESSAGE, SAFE_MESSAGE],
    ['an error in a list', `[${MESSAGE}]`, `[${SAFE_MESSAGE}]`],
    ['a list of errors', `{"errors":[{"message":"${OTHER}"}]}`, '{"errors":[{"message":"[redacted]"}]}'],
    ['an error code', `{"error":401,"message":"${OTHER}"}`, '{"error":401,"message":"[redacted]"}'],
    ['an escaped credential', `{"error":"${escaped(SECRET)}"}`, '{"error":"[redacted]"}'],
    ['the credential outside of an error', `{"a":"${SECRET}"}`, '{"a":"[redacted]"}'],
  ])('%s is redacted', (_what, body, expected) => {
    expect(Buffer.concat(whole(body)).toString()).toBe(expected);
  });

  test('the same pieces are sent if nothing is redacted', () => {
    const pieces = [Buffer.from('{"error":null,"a":'), Buffer.from(`"${OTHER}"}`)];
    expect(whole(Buffer.concat(pieces).toString(), pieces)).toBe(pieces);
  });

  test('a conversion is redacted after it has decoded escapes', () => {
    const pieces = [Buffer.from(`{"text":"${SECRET}"}`)];
    expect(Buffer.concat(whole(`{"a":"${escaped(SECRET)}"}`, pieces, true)).toString()).toBe('{"text":"[redacted]"}');
  });
});
