import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BodyMemory } from '../../src/fairness/body-memory.js';
import { CHAT, refusalIn } from '../support/answers.js';
import { startGateway } from '../support/ready-gateway.js';
import { heldBytes } from '../support/held-bytes.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { until } from '../support/until.js';
import { Prototypes } from './fuzz.js';

/** Bodies that cost a parser more than they weigh, each of at most 10 MiB: judged in bounded time, their memory given back. */
const LIMIT = 10 * 1024 * 1024;
/** Alone on a machine the worst takes one and a half; a busy machine is given room. */
const JUDGED_MS_MAX = 15_000;
const HELD_BYTES_MAX = 32 * 1024 * 1024;

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  key = await gateway.createKey();
  // Known from then on: a database that is busy with another suite's millions of rows refuses it no more.
  await gateway.chat(key);
  gateway.upstream.reset();
});

const rest = JSON.stringify(CHAT).slice(1);
/** A good chat body with this member before its own. */
const withMember = (member: string): string => `{${member},${rest}`;
const fill = (piece: string): string => piece.repeat(Math.floor((LIMIT - 200) / piece.length));

/** Names that collide in a hash without a seed: V8 reads them as array indices, whose own hash is the number. */
const indices = (count: number): string => Array.from({ length: count }, (_, at) => `"${at * 16_384}":0`).join();

const EXTREMES: readonly (readonly [what: string, body: () => string, refusal: RegExp])[] = [
  // A tenth of the limit: nesting takes V8 half a second per megabyte, and several times as long beside other suites.
  ['1 MB of [', () => '['.repeat(LIMIT / 10), /^400 invalid_json$/],
  ['1 MB of {"a":', () => '{"a":'.repeat(LIMIT / 50), /^400 invalid_json$/],
  ['10 MB of "', () => '"'.repeat(LIMIT), /^400 invalid_json$/],
  ['10 MB of blanks', () => ' '.repeat(LIMIT), /^400 invalid_json$/],
  ['10 MB of digits', () => `{"a":${'9'.repeat(LIMIT - 10)}}`, /^400 missing_required_parameter model$/],
  ['10 MB of \\u0000', () => `{"a":"${fill('\\u0000')}"}`, /^400 missing_required_parameter model$/],
  [
    'a depth of 100,000 lists',
    () => withMember(`"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    /^400 |^200$/,
  ],
  [
    'a depth of 100,000 objects',
    () => withMember(`"x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    /^400 invalid_json$|^200$/,
  ],
  [
    'a depth of 100,000 in the messages',
    () => `{"model":"gpt-4o-mini","messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    /^400 /,
  ],
  [
    'a depth of 100,000 in a tool',
    () =>
      withMember(
        `"tools":[{"type":"function","function":{"name":"f","parameters":${'{"a":'.repeat(100_000)}{}${'}'.repeat(100_000)}}}]`,
      ),
    /^400 |^200$/,
  ],
  ['one million empty strings', () => withMember(`"x":[${'"",'.repeat(999_999)}""]`), /^200$/],
  [
    'one million empty strings as stop',
    () => withMember(`"stop":[${'"",'.repeat(999_999)}""]`),
    /^400 invalid_value stop/,
  ],
  [
    'a million messages',
    () => `{"model":"gpt-4o-mini","messages":[${'{},'.repeat(999_999)}{}]}`,
    /^400 missing_required_parameter messages\[0\]\.role$/,
  ],
  [
    'two million members',
    () => `{${Array.from({ length: 1_000_000 }, (_, at) => `"${at}":0`).join()}}`.slice(0, LIMIT),
    /^400 /,
  ],
  ['names that collide', () => withMember(`"logit_bias":{${indices(400_000)}}`), /^400 |^200$/],
  ['names that collide at the top', () => withMember(indices(400_000)), /^200$/],
  ['the same member 900,000 times', () => withMember(new Array(900_000).fill('"user":"a"').join()), /^200$/],
  [
    'a second model behind 900,000 members',
    () => withMember(`${new Array(900_000).fill('"user":"a"').join()},"model":"x"`),
    /^400 invalid_value model$/,
  ],
  [
    '"model further down 900,000 times',
    () => withMember(`"x":[${new Array(900_000).fill('"model"').join()}]`),
    /^200$/,
  ],
  [
    '__proto__ a hundred thousand deep',
    () => withMember(`${'"__proto__":{'.repeat(100_000)}${'}'.repeat(100_000)}`),
    /^400 |^200$/,
  ],
  [
    'escapes of every letter',
    () => withMember(`"user":"${fill('\\u006d').slice(0, 6 * 40)}","x":"${fill('\\u006d').slice(0, 9_000_000)}"`),
    /^200$/,
  ],
  ['a string of 9 MB of quotes', () => withMember(`"x":"${'\\"'.repeat(4_500_000)}"`), /^200$/],
];

/** Sends the body beside another request. A 503 is repeated: the pause after the slow body before it is not over (D7). */
async function judge(body: Buffer) {
  for (let tries = 1; ; tries++) {
    const beganMs = performance.now();
    const [answer, other] = await Promise.all([
      gateway.call('POST', '/v1/chat/completions', { key, body }),
      gateway.call('GET', '/health'),
    ]);
    if (answer.status !== 503 || tries === 5) return { answer, other, tookMs: performance.now() - beganMs };
  }
}

describe('a body of the worst shape is judged in time, holds nothing afterwards, and everybody else is served', () => {
  const prototypes = new Prototypes();

  test.each(EXTREMES)(
    '%s',
    async (_what, make, expected) => {
      const body = Buffer.from(make());
      expect(body.length).toBeLessThanOrEqual(LIMIT);
      const held = heldBytes();
      const { answer, other, tookMs } = await judge(body);
      expect(tookMs).toBeLessThan(JUDGED_MS_MAX);
      expect([refusalIn(answer), other.status]).toEqual([expect.stringMatching(expected), 200]);
      if (answer.status === 200) expect((await gateway.upstream.received(0)).body.equals(body)).toBe(true);
      gateway.upstream.reset();
      await until(() => gateway.app.get(BodyMemory).bytesHeld === 0, 5_000);
      await until(() => heldBytes() - held - body.length < HELD_BYTES_MAX, 5_000);
      prototypes.mustBeUntouched();
    },
    120_000,
  );

  test.each([
    ['a form of a million boundaries', (boundary: string) => `--${boundary}\r\n`.repeat(100_000)],
    ['a part’s head without end', (boundary: string) => `--${boundary}\r\n${'X-A: b\r\n'.repeat(1_000_000)}`],
    [
      'ten thousand parts',
      (boundary: string) => `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n`.repeat(10_000),
    ],
    [
      '9 MB of text',
      (boundary: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(9_000_000)}\r\n--${boundary}--\r\n`,
    ],
    [
      'a name of 8 KB of escapes',
      (boundary: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${'\\"'.repeat(4_000)}"\r\n\r\nx\r\n--${boundary}--\r\n`,
    ],
  ])('%s', async (_what, make) => {
    const beganMs = performance.now();
    const answer = await gateway.call('POST', '/v1/images/edits', {
      ...{ key, body: make('b'), headers: { 'content-type': 'multipart/form-data; boundary=b' } },
    });
    expect(performance.now() - beganMs).toBeLessThan(JUDGED_MS_MAX);
    expect(refusalIn(answer)).toMatch(/^400 invalid_value /);
  });

  test('an upstream’s message of 64 KB that looks like the beginning of tokens is told in time', async () => {
    gateway.upstream.on('POST', '/v1/chat/completions', (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'eyJ'.repeat(21_000) } }));
    });
    const beganMs = performance.now();
    expect(refusalIn(await gateway.chat(key))).toBe('502 upstream_error');
    expect(performance.now() - beganMs).toBeLessThan(1_500);
  });

  test('after all of it a request is served', async () => {
    expect((await gateway.chat(key)).status).toBe(200);
  });
});
