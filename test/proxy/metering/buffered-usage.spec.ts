import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scanModel } from '../../../src/proxy/response-model.js';
import { NO_USAGE, type TokenUsage } from '../../../src/platform/request-context/token-usage.js';
import { buffered, partial, reported, streamed } from '../../support/metered.js';
import { cpuTimeOf } from '../../support/cpu-time.js';

const read = (text: string): TokenUsage => buffered('chat', Buffer.from(text));

/** Text that could be mistaken for a report: field names as values, quotes and backslashes anywhere, nested reports. */
const confusingText = fc
  .array(
    fc.constantFrom(
      'usage',
      '"usage"',
      '"usage":{',
      '"model":"x"',
      '\\',
      '"',
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      'é🎉',
      '\u0000',
      '\n',
      'model',
      'x'.repeat(61),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const FIGURES = ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens', 'promptTokenCount'];
const name = fc.oneof(fc.constantFrom('usage', 'model', 'usageMetadata', 'choices', ...FIGURES), confusingText);
const { value: confusingValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    confusingText,
    fc.integer({ min: 0, max: 5000 }),
    fc.constantFrom(null, true, 1.5),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  ),
}));
const report = fc.dictionary(fc.constantFrom(...FIGURES, 'candidatesTokenCount'), fc.constantFrom(0, 1, 7, -1, null), {
  maxKeys: 4,
  noNullPrototype: true,
});
const confusingObject = fc.oneof(
  fc.dictionary(name, confusingValue, { maxKeys: 8, noNullPrototype: true }),
  fc.record(
    {
      usage: fc.oneof(report, confusingValue),
      usageMetadata: report,
      choices: fc.tuple(fc.record({ text: confusingText, usage: report }), confusingValue),
      model: confusingText,
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
);

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

type Figures = readonly [input: number | null, output: number | null];

function figuresOf(report: unknown, names: readonly (readonly [string, string])[]): Figures | null {
  if (typeof report !== 'object' || report === null || Array.isArray(report)) return null;
  const figure = (side: 0 | 1): number | null => {
    const figures = names.map((name) => (report as Record<string, unknown>)[name[side]]).filter(isCount);
    return figures.find((count) => count > 0) ?? figures[0] ?? null;
  };
  const [input, output] = [figure(0), figure(1)];
  return input === null && output === null ? null : [input, output];
}

/** The reference implementation: parses the response. The scan must return the same result. */
function byParsing(response: Record<string, unknown>): TokenUsage {
  const field = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)[name]
      : undefined;
  const first = Array.isArray(response['choices']) ? (response['choices'] as unknown[])[0] : undefined;
  const NAMES = [
    ['prompt_tokens', 'completion_tokens'],
    ['input_tokens', 'output_tokens'],
  ] as const;
  const reports = [
    figuresOf(response['usage'], NAMES),
    figuresOf(response['usageMetadata'], [['promptTokenCount', 'candidatesTokenCount']]),
    figuresOf(field(first, 'usage'), NAMES),
  ].filter((report) => report !== null);
  const complete = reports.find(([input, output]) => (input ?? 0) > 0 && (output ?? 0) > 0);
  const report = complete ?? reports[0];
  if (report === undefined) return NO_USAGE;
  const [input, output] = report;
  return input === null || output === null ? partial(input ?? 0, output ?? 0) : reported(input, output);
}

describe('token usage of a whole response', () => {
  test('the scan finds the same usage as JSON.parse in any object, buffered or streamed', () => {
    fc.assert(
      fc.property(confusingObject, fc.constantFrom(undefined, 1, '\t'), (response, indent) => {
        const text = JSON.stringify(response, null, indent);
        const expected = byParsing(response);
        expect(read(text)).toEqual(expected);
        const passed = streamed('chat', 'application/json');
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += 40) passed.push(bytes.subarray(at, at + 40));
        expect(passed.end(true)).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    [
      'a report at the end',
      '{"id":"x","choices":[{"message":{"content":"a \\"usage\\": {}"}}],"usage":{"prompt_tokens":3,"completion_tokens":4}}',
      reported(3, 4),
    ],
    [
      'a report at the beginning',
      '{"usage":{"prompt_tokens":3,"completion_tokens":4},"choices":[{"usage":{"prompt_tokens":1,"completion_tokens":1}}]}\n',
      reported(3, 4),
    ],
    ['a report of zero tokens', '{"usage":{"prompt_tokens":0,"completion_tokens":0}}', reported(0, 0)],
    ['a report of input only', '{"choices":[],"usage":{"prompt_tokens":9,"total_tokens":9}}', partial(9, 0)],
    [
      'a repeated report, of which the last counts, as for JSON.parse',
      '{"usage":{"prompt_tokens":1,"completion_tokens":1},"usage":{"prompt_tokens":2,"completion_tokens":2}}',
      reported(2, 2),
    ],
    [
      'a report named usageMetadata',
      '{"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}}',
      reported(3, 4),
    ],
    ['a nested report, which is ignored', '{"a":{"usage":{"prompt_tokens":3,"completion_tokens":4}}}', NO_USAGE],
    ['a report of null', '{"usage":null}', NO_USAGE],
    [
      'a report in an array of chunks',
      '[{"usage":{"prompt_tokens":3}},{"usage":{"prompt_tokens":3,"completion_tokens":4}}]',
      reported(3, 4),
    ],
    ['a report with alternative field names', '{"usage":{"input_tokens":3,"output_tokens":4}}', reported(3, 4)],
    [
      'a report with two sets of field names, one of them 0',
      '{"usage":{"prompt_tokens":0,"completion_tokens":0,"input_tokens":3,"output_tokens":4}}',
      reported(3, 4),
    ],
    [
      'a report in the first choice',
      '{"choices":[{"usage":{"prompt_tokens":3,"completion_tokens":4}},{"usage":{"prompt_tokens":1,"completion_tokens":1}}]}',
      reported(3, 4),
    ],
    ['a report in x_groq', '{"x_groq":{"id":"r","usage":{"prompt_tokens":3,"completion_tokens":4}}}', reported(3, 4)],
    [
      'a report in usage and another in x_groq',
      '{"usage":{"prompt_tokens":3,"completion_tokens":4},"x_groq":{"usage":{"prompt_tokens":1,"completion_tokens":1}}}',
      reported(3, 4),
    ],
    [
      'a report of zero and a complete one in x_groq',
      '{"usage":{"prompt_tokens":0,"completion_tokens":0},"x_groq":{"usage":{"prompt_tokens":3,"completion_tokens":4}}}',
      reported(3, 4),
    ],
    [
      'events that are labeled as JSON',
      'data: {"choices":[]}\n\ndata: {"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\ndata: [DONE]\n\n',
      reported(3, 4),
    ],
    [
      'NDJSON that is labeled as JSON',
      '{"usage":{"prompt_tokens":3,"completion_tokens":4}}\n{"done":true}\n',
      reported(3, 4),
    ],
    ['text that is not JSON', 'usage "usage": {', NO_USAGE],
    ['an empty body', '', NO_USAGE],
  ])('reads the usage from %s', (_where, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('finds the usage at the end of a response whose beginning is missing', () => {
    const report = ',"usage":{"prompt_tokens":3,"completion_tokens":4}}';
    const body = Buffer.from(
      `{"choices":[{"content":"a \\"b\\" \\\\ {\\"usage\\":{\\"prompt_tokens\\":9}}"}]${report}`,
    );
    expect(JSON.parse(body.toString())).toHaveProperty('usage');
    for (let from = 0; from <= body.length - report.length; from++) {
      expect(buffered('chat', body.subarray(from))).toEqual(reported(3, 4));
    }
  });

  test('finds the usage at the end of 10 MB without reading all of it', () => {
    const body = Buffer.from(
      `{"data":[${'[0.12345,-0.5],'.repeat(700_000)}1],"usage":{"prompt_tokens":3,"completion_tokens":4}}`,
    );
    expect(buffered('chat', body)).toEqual(reported(3, 4));
    const parsed = cpuTimeOf(() => JSON.parse(body.toString()) as unknown);
    expect(cpuTimeOf(() => buffered('chat', body))).toBeLessThan(parsed / 3);
  });
});

describe('model of a whole response', () => {
  test('the scan finds the same model as JSON.parse in any object', () => {
    fc.assert(
      fc.property(confusingObject, fc.constantFrom(undefined, 1), (response, indent) => {
        expect(scanModel(Buffer.from(JSON.stringify(response, null, indent)))).toBe(
          typeof response.model !== 'string' || response.model === ''
            ? null
            : [...response.model].length <= 200
              ? response.model
              : '',
        );
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['{"model":"gpt-4o"}', 'gpt-4o'],
    [' \n{"id":"a","model" : "vendor/n\\u00e4me \\"q\\" 🎉"}', 'vendor/näme "q" 🎉'],
    ['{"mod\\u0065l":"escaped"}', 'escaped'],
    ['{"a":"\\\\","model":"after a backslash"}', 'after a backslash'],
    [`{"a":"${'x'.repeat(100)}\\\\","model":"after a long one"}`, 'after a long one'],
    [`{"a":"${'x'.repeat(100)}\\\\\\"","model":"after a longer one"}`, 'after a longer one'],
    ['{"a":{"model":"nested"},"b":["model"],"c":"model"}', null],
    ['{"model":7}', null],
    ['{"model":""}', null],
    ['{"model":"cut o', null],
    ['{"model":"bad \\x escape"}', null],
    ['{"model"', null],
    ['["model","x"]', null],
    ['nonsense', null],
    ['', null],
    [`{"model":"${'x'.repeat(200)}"}`, 'x'.repeat(200)],
    [`{"model":"${'x'.repeat(201)}"}`, ''],
    [`{"model":"${'x'.repeat(5000)}"}`, ''],
    [`{"model":"${'x'.repeat(5000)}`, null],
    [`{"model":"${'😀'.repeat(200)}"}`, '😀'.repeat(200)],
    [`{"model":"${'\\ud83d\\ude00'.repeat(200)}"}`, '😀'.repeat(200)],
    [`{"model":"${'😀'.repeat(201)}"}`, ''],
    [`{"model":"${'\\u0041'.repeat(200)}"}`, 'A'.repeat(200)],
    [`{"a":"${'x'.repeat(1024 * 1024)}","model":"beyond what is looked at"}`, null],
    [`{"a":"${'x'.repeat(1024 * 1024 - 19)}","model":"m"}`, 'm'],
    [`{"a":"${'x'.repeat(1024 * 1024 - 18)}","model":"m"}`, null],
  ])('returns the top-level model or null, or an empty string for a long name (case %#)', (text, model) => {
    expect(scanModel(Buffer.from(text))).toBe(model);
  });

  test('the scan never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => scanModel(Buffer.concat([Buffer.from('{"'), bytes]))).not.toThrow();
      }),
    );
  });
});
