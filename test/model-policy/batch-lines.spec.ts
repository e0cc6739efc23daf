import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GatewayError } from '../../src/platform/errors/gateway-error.js';
import { ELEMENTS_MAX } from '../../src/platform/json/json-structure.js';
import { BatchLines, LINE_BYTES_MAX } from '../../src/model-policy/batch/batch-lines.js';
import { CURRENT, World } from './fakes.js';

const LISTED = ['gpt-4o', 'gpt-4.1', 'gpt-image-1', 'text-embedding-3-small', 'davinci-002'];
const LIMITED = { allowedModels: ['gpt-4o', 'text-embedding-3-small', 'davinci-002'] };

let world: World;
beforeAll(async () => void (world = await World.serving(LISTED, { config: CURRENT })));
afterAll(() => world.stop());

const requestOn = (url: string, body: object, id = '1') => JSON.stringify({ custom_id: id, method: 'POST', url, body });
const chat = (model: string) =>
  requestOn('/v1/chat/completions', { model, messages: [{ role: 'user', content: '✓' }] });
const GOOD = chat('gpt-4o');

function scan(chunks: readonly (string | Buffer)[], key: { allowedModels: string[] | null } = LIMITED) {
  const lines = new BatchLines((request) => world.gate.judgeBatch(request, key, []), 'everywhere');
  for (const chunk of chunks) {
    const refusal = lines.push(Buffer.from(chunk));
    if (refusal !== null) return refusal;
  }
  return lines.end();
}
/** Scans without the model gate. */
function scanAll(file: Buffer): GatewayError | null {
  const lines = new BatchLines(() => null, 'everywhere');
  return lines.push(file) ?? lines.end();
}
const codeOf = (refusal: GatewayError | null) =>
  refusal === null ? 'passes' : `${refusal.status} ${refusal.code} ${refusal.param}`;
const lineOf = (refusal: GatewayError | null) => /^Line (\d+) of the input file: /.exec(refusal?.message ?? '')?.[1];

describe('BatchLines', () => {
  test.each([
    ['with allowed models', `${GOOD}\n${GOOD}`],
    ['that ends with a line feed', `${GOOD}\n`],
    ['with CRLF and blank lines', `${GOOD}\r\n\r\n  \n${GOOD}\r\n`],
    ['without a line', ''],
    ['with an embeddings request', requestOn('/v1/embeddings', { model: 'text-embedding-3-small', input: 'x' })],
    [
      'with a request for a route without a category',
      requestOn('/v1/moderations', { model: 'davinci-002', input: 'x' }),
    ],
    [
      'with an allowed model in a tool',
      requestOn('/v1/responses', { model: 'gpt-4o', tools: [{ type: 'x', model: 'gpt-4o' }] }),
    ],
    ['with a long text', requestOn('/v1/chat/completions', { model: 'gpt-4o', messages: 'x'.repeat(9_000_000) })],
    ['with a repeated field that can be repeated', GOOD.replace('"role"', '"role":"a","role"')],
    ['with CR at the end of lines', `${GOOD}\r${GOOD}\r\r\r\n\n\r${GOOD}`],
    ['with other line breaks in texts', chat('gpt-4o').replace('✓', 'a\u2028b\u2029c\u0085d\ufeff')],
    ['with other fields around the body', GOOD.replace('"body"', '"priority":1,"tags":["model"],"body"')],
    ['with capitals in free-form data', requestOn('/v1/x', { model: 'gpt-4o', metadata: { Model: 'a', N: 1 } })],
  ])('accepts a batch file %s', (_what, file) => expect(codeOf(scan([file]))).toBe('passes'));

  test.each([
    ['a model that the key is not allowed to use', chat('gpt-4.1'), '403 model_not_allowed model'],
    ['an unknown model', chat('nope'), '403 model_not_available model'],
    ['a model that does not fit the route', chat('text-embedding-3-small'), '400 model_endpoint_mismatch model'],
    ['no model', requestOn('/v1/responses', { input: 'x' }), '403 model_not_allowed model'],
    [
      'a forbidden model in a tool inside input',
      requestOn('/v1/responses', {
        model: 'gpt-4o',
        input: [{ tools: [{ type: 'image_generation', model: 'gpt-image-1' }] }],
      }),
      '403 model_not_allowed model',
    ],
    ['two models', GOOD.replace('"model":', '"model":"gpt-4.1","model":'), '400 invalid_value input_file_id'],
    ['two bodies', GOOD.replace('"body":', '"body":{},"body":'), '400 invalid_value input_file_id'],
    ['two bodies, one escaped', GOOD.replace('"body":', '"bod\\u0079":{},"body":'), '400 invalid_value input_file_id'],
    ['two URLs', GOOD.replace('"url":', '"url":"/v1/embeddings","url":'), '400 invalid_value input_file_id'],
    ['no body', '{"custom_id":"1","method":"POST","url":"/v1/responses"}', '400 invalid_value input_file_id'],
    ['no URL', '{"custom_id":"1","body":{"model":"gpt-4o"}}', '400 invalid_value input_file_id'],
    ['an array', '[]', '400 invalid_value input_file_id'],
    ['invalid JSON', '{"custom_id"', '400 invalid_value input_file_id'],
    ['two objects', `${GOOD}${GOOD}`, '400 invalid_value input_file_id'],
    ['a body in another case', GOOD.replace('}}', '},"Body":{"model":"gpt-4.1"}}'), '400 invalid_value input_file_id'],
    ['only a URL in another case', GOOD.replace('"url"', '"URL"'), '400 invalid_value input_file_id'],
    [
      'a model in another case',
      GOOD.replace('"messages"', '"Model":"gpt-4.1","messages"'),
      '400 invalid_value input_file_id',
    ],
    [
      'a repeated max_tokens',
      GOOD.replace('"messages"', '"max_tokens":9,"max_tokens":1,"messages"'),
      '400 invalid_value input_file_id',
    ],
    ['a model around its body', GOOD.replace('"body"', '"model":"gpt-4.1","body"'), '400 invalid_value input_file_id'],
    [
      'other parameters',
      GOOD.replace('"body"', '"params":{"model":"gpt-4.1"},"body"'),
      '400 invalid_value input_file_id',
    ],
    ['a query', GOOD.replace('/completions', '/completions?model=gpt-4.1'), '400 invalid_value input_file_id'],
    ['a byte order mark', `\ufeff${GOOD}`, '400 invalid_value input_file_id'],
    ['a form feed', `\f${GOOD}`, '400 invalid_value input_file_id'],
    ['a vertical tab', `${GOOD}\v`, '400 invalid_value input_file_id'],
    ['a NUL', `${GOOD}\0`, '400 invalid_value input_file_id'],
    ['U+2028 outside of texts', `${GOOD}\u2028${GOOD}`, '400 invalid_value input_file_id'],
    ['U+0085 outside of texts', `${GOOD}\u0085`, '400 invalid_value input_file_id'],
  ])('rejects a line with %s and names its number', (_what, line, expected) => {
    const refusal = scan([`${GOOD}\n\n${line}\n${chat('nope')}\n`]);
    expect([codeOf(refusal), lineOf(refusal)]).toEqual([expected, '3']);
  });

  /** The parts between them can be lines to a parser that is more tolerant than the gateway. */
  const BREAKS = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\f', '\v', '\x1c', '\x1d', '\x1e', '\0', '\ufeff'];

  test.each(BREAKS)('a request that only a parser with the line break %j finds is checked', (lineBreak) => {
    const hidden = chat('gpt-4.1');
    for (const line of [
      `{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"gpt-4o","x":[${lineBreak}${hidden}${lineBreak}]}}`,
      `${GOOD}${lineBreak}${hidden}`,
      `${GOOD} ${lineBreak} ${hidden} ${lineBreak}${GOOD}`,
    ])
      expect([line, scan([line])?.code]).toEqual([line, expect.stringMatching(/invalid_value|model_not_allowed/)]);
  });

  test('returns the same result regardless of how the file is chunked', () => {
    const bytes = Buffer.from(`${GOOD}\r\n${GOOD}\r\r\n${chat('gpt-4.1')}\n${chat('nope')}`);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const refusal = scan([bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect([codeOf(refusal), lineOf(refusal)]).toEqual(['403 model_not_allowed model', '4']);
    }
    const bytewise = scan([...bytes].map((byte) => Buffer.from([byte])));
    expect([codeOf(bytewise), lineOf(bytewise)]).toEqual(['403 model_not_allowed model', '4']);
  });

  test('rejects a file if and only if a line names a model that is not allowed', () => {
    const line = fc.record({ model: fc.constantFrom('gpt-4o', 'gpt-4.1'), text: fc.string() });
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
        const file = Buffer.from(
          lines
            .map(({ model, text }) => requestOn('/v1/chat/completions', { model, messages: [{ content: text }] }, text))
            .join('\n'),
        );
        const ends = [...new Set(cuts.map((cut) => cut % (file.length + 1)))].sort((a, b) => a - b);
        const refusal = scan([...ends, file.length].map((end, at) => file.subarray(ends[at - 1] ?? 0, end)));
        const bad = lines.findIndex(({ model }) => model === 'gpt-4.1');
        expect(lineOf(refusal)).toBe(bad === -1 ? undefined : String(bad + 1));
      }),
    );
  });

  test('a key without allowed models can use every routed model', () => {
    expect(codeOf(scan([chat('gpt-4.1'), '\n', requestOn('/v1/responses', {})], { allowedModels: null }))).toBe(
      'passes',
    );
  });

  test.each([
    ['that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['that is longer than 10 MiB', Buffer.alloc(LINE_BYTES_MAX + 1, 'x')],
    ['with too many arrays', Buffer.from(requestOn('/v1/x', { x: new Array(ELEMENTS_MAX).fill([]) }))],
  ])('rejects a line %s', (_what, line) => {
    const refusal = scan([`${GOOD}\n`, line, '\n']);
    expect([codeOf(refusal), lineOf(refusal)]).toEqual(['400 invalid_value input_file_id', '2']);
  });

  test('rejects more than 100,000 requests or a million lines', () => {
    const lines = (text: string, count: number) => codeOf(scanAll(Buffer.from(text.repeat(count))));
    const request = '{"url":"","body":{}}\n';
    expect([lines(request, 100_000), lines(request, 100_001)]).toEqual(['passes', '400 invalid_value input_file_id']);
    for (const blank of ['\n', '\r', '\r\n', ' \n'])
      expect([lines(blank, 999_999), lines(blank, 1_000_001)]).toEqual(['passes', '400 invalid_value input_file_id']);
  });

  test('rejects a line without an end after it has read about 10 MiB', () => {
    const lines = new BatchLines(() => null, 'everywhere');
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const refusals = Array.from({ length: 12 }, () => lines.push(chunk));
    expect(refusals.filter((refusal) => refusal === null)).toHaveLength(10);
    expect(lineOf(refusals.at(-1)!)).toBe('1');
  });
});
