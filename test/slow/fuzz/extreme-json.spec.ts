import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BodyMemory } from '../../../src/platform/fairness/body-memory.js';
import { CHAT, errorCodeIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { heldBytes } from '../../support/held-bytes.js';
import { chatCompletion } from '../../support/scripted-upstream-responses.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';
import { Prototypes } from '../../fuzz/fuzz.js';

const LIMIT = 10 * 1024 * 1024;
/** For all bodies together. */
const HELD_BYTES_MAX = 32 * 1024 * 1024;

let gateway: TestGateway;
let key: Key;
/** After a first request, and before the first body. A collection before each body would take 5 s of CPU time. */
let held: number;
beforeAll(async () => {
  gateway = await startGateway();
  await gateway.chat(await gateway.createKey());
  held = heldBytes();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  key = await gateway.createKey();
  // After this request the key is known to the process, so a database that is busy with other suites cannot cause a 503.
  await gateway.chat(key);
  gateway.upstream.reset();
  // The default response needs the parsed body.
  gateway.upstream.on('POST', '/v1/chat/completions', () => ({ body: chatCompletion('gpt-4o-mini') }));
});

const rest = JSON.stringify(CHAT).slice(1);
const withField = (field: string): string => `{${field},${rest}`;
const fill = (piece: string): string => piece.repeat(Math.floor((LIMIT - 200) / piece.length));

/** Field names that V8 treats as array indices. Their hash is the number without a seed, so they collide. */
const indices = (count: number): string => Array.from({ length: count }, (_, at) => `"${at * 16_384}":0`).join();

const EXTREMES: readonly (readonly [name: string, body: () => string, refusal: RegExp])[] = [
  // A tenth of the limit. Nesting takes V8 0.5 s per megabyte, and several times as long while other suites run.
  ['1 MB of [', () => '['.repeat(LIMIT / 10), /^400 invalid_json$/],
  ['1 MB of {"a":', () => '{"a":'.repeat(LIMIT / 50), /^400 invalid_json$/],
  ['10 MB of "', () => '"'.repeat(LIMIT), /^400 invalid_json$/],
  ['10 MB of spaces', () => ' '.repeat(LIMIT), /^400 invalid_json$/],
  ['10 MB of digits', () => `{"a":${'9'.repeat(LIMIT - 10)}}`, /^400 missing_required_parameter model$/],
  ['10 MB of \\u0000', () => `{"a":"${fill('\\u0000')}"}`, /^400 missing_required_parameter model$/],
  ['100,000 nested arrays', () => withField(`"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}`), /^400 |^200$/],
  [
    '100,000 nested objects',
    () => withField(`"x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    /^400 invalid_json$|^200$/,
  ],
  [
    '100,000 nested arrays in messages',
    () => `{"model":"gpt-4o-mini","messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    /^400 /,
  ],
  [
    '100,000 nested objects in a tool',
    () =>
      withField(
        `"tools":[{"type":"function","function":{"name":"f","parameters":${'{"a":'.repeat(100_000)}{}${'}'.repeat(100_000)}}}]`,
      ),
    /^400 |^200$/,
  ],
  ['one million empty strings', () => withField(`"x":[${'"",'.repeat(999_999)}""]`), /^400 invalid_json$/],
  ['100,000 empty strings as stop', () => withField(`"stop":[${'"",'.repeat(99_999)}""]`), /^400 invalid_value stop/],
  [
    '100,000 messages',
    () => `{"model":"gpt-4o-mini","messages":[${'{},'.repeat(99_999)}{}]}`,
    /^400 missing_required_parameter messages\[0\]\.role$/,
  ],
  ['900,000 numbers', () => withField(`"x":[${'1,'.repeat(899_999)}1]`), /^200$/],
  [
    'one million fields',
    () => `{${Array.from({ length: 1_000_000 }, (_, at) => `"${at}":0`).join()}}`.slice(0, LIMIT),
    /^400 /,
  ],
  ['colliding names in logit_bias', () => withField(`"logit_bias":{${indices(9_000)}}`), /^400 |^200$/],
  ['colliding names at the top level', () => withField(indices(9_000)), /^200$/],
  ['too many colliding names', () => withField(indices(400_000)), /^400 invalid_json$/],
  ['100,000 copies of one field', () => withField(new Array(100_000).fill('"user":"a"').join()), /^200$/],
  ['900,000 copies of one field', () => withField(new Array(900_000).fill('"user":"a"').join()), /^400 invalid_json$/],
  [
    'a second model after 100,000 fields',
    () => withField(`${new Array(100_000).fill('"user":"a"').join()},"model":"x"`),
    /^400 invalid_value model$/,
  ],
  [
    '100,000 strings "model" in an array',
    () => withField(`"x":[${new Array(100_000).fill('"model"').join()}]`),
    /^200$/,
  ],
  [
    '__proto__ nested 100,000 times',
    () => withField(`${'"__proto__":{'.repeat(100_000)}${'}'.repeat(100_000)}`),
    /^400 |^200$/,
  ],
  [
    '9 MB of escaped letters',
    () => withField(`"user":"${fill('\\u006d').slice(0, 6 * 40)}","x":"${fill('\\u006d').slice(0, 9_000_000)}"`),
    /^200$/,
  ],
  ['9 MB of escaped quotes', () => withField(`"x":"${'\\"'.repeat(4_500_000)}"`), /^200$/],
];

/**
 * Sends the body and another request at the same time. Retries a 503, which the gateway returns while it recovers from the
 * previous slow body (D7).
 */
async function judge(body: Buffer) {
  for (;;) {
    const [response, other] = await Promise.all([
      gateway.call('POST', '/v1/chat/completions', { key, body }),
      gateway.call('GET', '/health'),
    ]);
    if (response.status !== 503) return { response, other };
  }
}

describe('extreme request bodies', () => {
  const prototypes = new Prototypes();

  test.each(EXTREMES)(
    'a body of %s is accepted or rejected, and releases its memory, while another request is served',
    async (_name, make, expected) => {
      const body = Buffer.from(make());
      expect(body.length).toBeLessThanOrEqual(LIMIT);
      const { response, other } = await judge(body);
      expect([errorCodeIn(response), other.status]).toEqual([expect.stringMatching(expected), 200]);
      if (response.status === 200) expect((await gateway.upstream.received(0)).body.equals(body)).toBe(true);
      gateway.upstream.reset();
      await until(() => gateway.app.get(BodyMemory).bytesHeld === 0);
      await until(() => heldBytes() - held - body.length < HELD_BYTES_MAX);
      prototypes.mustBeUntouched();
    },
    120_000,
  );

  test.each([
    ['100,000 boundaries', (boundary: string) => `--${boundary}\r\n`.repeat(100_000)],
    ['8 MB of part headers', (boundary: string) => `--${boundary}\r\n${'X-A: b\r\n'.repeat(1_000_000)}`],
    [
      '10,000 parts',
      (boundary: string) => `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n`.repeat(10_000),
    ],
    [
      '9 MB of text in one field',
      (boundary: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(9_000_000)}\r\n--${boundary}--\r\n`,
    ],
    [
      'a field name of 8 KB of escapes',
      (boundary: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${'\\"'.repeat(4_000)}"\r\n\r\nx\r\n--${boundary}--\r\n`,
    ],
  ])('a form with %s is rejected', async (_name, make) => {
    const response = await gateway.call('POST', '/v1/images/edits', {
      key,
      body: make('b'),
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(errorCodeIn(response)).toMatch(/^400 invalid_value /);
  });

  test('a 63 KB upstream error message that resembles tokens is processed', async () => {
    gateway.upstream.on('POST', '/v1/chat/completions', (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'eyJ'.repeat(21_000) } }));
    });
    expect(errorCodeIn(await gateway.chat(key))).toBe('502 upstream_error');
  });

  test('a valid request is served alongside extreme bodies', async () => {
    expect((await gateway.chat(key)).status).toBe(200);
  });
});
