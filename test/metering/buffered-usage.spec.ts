import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scanModel } from '../../src/proxy/metering/model-scan.js';
import { NO_USAGE, type TokenUsage } from '../../src/request-context/token-usage.js';
import { buffered, reported, streamed } from '../support/metered.js';

const read = (text: string): TokenUsage => buffered('chat', Buffer.from(text));

/** Objects full of what could be mistaken: the names as values, quotes and backslashes at every place, nested reports. */
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

/** The figures of a report, found by parsing. */
function figuresOf(report: unknown, names: readonly (readonly [string, string])[]): Figures | null {
  if (typeof report !== 'object' || report === null || Array.isArray(report)) return null;
  const figure = (side: 0 | 1): number | null => {
    const figures = names.map((name) => (report as Record<string, unknown>)[name[side]]).filter(isCount);
    return figures.find((count) => count > 0) ?? figures[0] ?? null;
  };
  const [input, output] = [figure(0), figure(1)];
  return input === null && output === null ? null : [input, output];
}

/** The plain way, to which the scan is compared. */
function byParsing(answer: Record<string, unknown>): TokenUsage {
  const member = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)[name]
      : undefined;
  const first = Array.isArray(answer['choices']) ? (answer['choices'] as unknown[])[0] : undefined;
  const NAMES = [
    ['prompt_tokens', 'completion_tokens'],
    ['input_tokens', 'output_tokens'],
  ] as const;
  const reports = [
    figuresOf(answer['usage'], NAMES),
    figuresOf(answer['usageMetadata'], [['promptTokenCount', 'candidatesTokenCount']]),
    figuresOf(member(first, 'usage'), NAMES),
  ].filter((report) => report !== null);
  const complete = reports.find(([input, output]) => (input ?? 0) > 0 && (output ?? 0) > 0);
  const report = complete ?? reports[0];
  return report === undefined ? NO_USAGE : reported(report[0] ?? 0, report[1] ?? 0);
}

describe('the usage of a whole answer', () => {
  test('is what parsing it would give, for any JSON object, held or not', () => {
    fc.assert(
      fc.property(confusingObject, fc.constantFrom(undefined, 1, '\t'), (answer, indent) => {
        const text = JSON.stringify(answer, null, indent);
        const expected = byParsing(answer);
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
      'at the end',
      '{"id":"x","choices":[{"message":{"content":"a \\"usage\\": {}"}}],"usage":{"prompt_tokens":3,"completion_tokens":4}}',
      reported(3, 4),
    ],
    [
      'at the beginning',
      '{"usage":{"prompt_tokens":3,"completion_tokens":4},"choices":[{"usage":{"prompt_tokens":1,"completion_tokens":1}}]}\n',
      reported(3, 4),
    ],
    ['of zero', '{"usage":{"prompt_tokens":0,"completion_tokens":0}}', reported(0, 0)],
    ['of embeddings, which have no output', '{"data":[],"usage":{"prompt_tokens":9,"total_tokens":9}}', reported(9, 0)],
    [
      'given twice: the last one, as for JSON.parse',
      '{"usage":{"prompt_tokens":1,"completion_tokens":1},"usage":{"prompt_tokens":2,"completion_tokens":2}}',
      reported(2, 2),
    ],
    ['by its other name', '{"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}}', reported(3, 4)],
    ['only nested', '{"a":{"usage":{"prompt_tokens":3,"completion_tokens":4}}}', NO_USAGE],
    ['null', '{"usage":null}', NO_USAGE],
    [
      'in an array of chunks',
      '[{"usage":{"prompt_tokens":3}},{"usage":{"prompt_tokens":3,"completion_tokens":4}}]',
      reported(3, 4),
    ],
    ['in other names', '{"usage":{"input_tokens":3,"output_tokens":4}}', reported(3, 4)],
    [
      'in two sets of names of which one is 0',
      '{"usage":{"prompt_tokens":0,"completion_tokens":0,"input_tokens":3,"output_tokens":4}}',
      reported(3, 4),
    ],
    [
      'in the first choice',
      '{"choices":[{"usage":{"prompt_tokens":3,"completion_tokens":4}},{"usage":{"prompt_tokens":1,"completion_tokens":1}}]}',
      reported(3, 4),
    ],
    ['in x_groq', '{"x_groq":{"id":"r","usage":{"prompt_tokens":3,"completion_tokens":4}}}', reported(3, 4)],
    [
      'in x_groq too',
      '{"usage":{"prompt_tokens":3,"completion_tokens":4},"x_groq":{"usage":{"prompt_tokens":1,"completion_tokens":1}}}',
      reported(3, 4),
    ],
    [
      'of zero, and complete in x_groq',
      '{"usage":{"prompt_tokens":0,"completion_tokens":0},"x_groq":{"usage":{"prompt_tokens":3,"completion_tokens":4}}}',
      reported(3, 4),
    ],
    [
      'of events that are labelled as JSON',
      'data: {"choices":[]}\n\ndata: {"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\ndata: [DONE]\n\n',
      reported(3, 4),
    ],
    [
      'of NDJSON that is labelled as JSON',
      '{"usage":{"prompt_tokens":3,"completion_tokens":4}}\n{"done":true}\n',
      reported(3, 4),
    ],
    ['of no JSON at all', 'usage "usage": {', NO_USAGE],
    ['of nothing', '', NO_USAGE],
  ])('%s', (_where, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('is found in the last part of an answer alone, wherever that begins', () => {
    const report = ',"usage":{"prompt_tokens":3,"completion_tokens":4}}';
    const body = Buffer.from(
      `{"choices":[{"content":"a \\"b\\" \\\\ {\\"usage\\":{\\"prompt_tokens\\":9}}"}]${report}`,
    );
    expect(JSON.parse(body.toString())).toHaveProperty('usage');
    for (let from = 0; from <= body.length - report.length; from++) {
      expect(buffered('chat', body.subarray(from))).toEqual(reported(3, 4));
    }
  });

  test('at the end of 10 MB is found without reading the 10 MB', () => {
    const body = Buffer.from(
      `{"data":[${'[0.12345,-0.5],'.repeat(700_000)}1],"usage":{"prompt_tokens":3,"completion_tokens":4}}`,
    );
    const start = performance.now();
    for (let i = 0; i < 100; i++) expect(buffered('chat', body)).toEqual(reported(3, 4));
    // JSON.parse of this takes more than 50 ms a time.
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe('the model of a whole answer', () => {
  test('is what parsing it would give, for any JSON object', () => {
    fc.assert(
      fc.property(confusingObject, fc.constantFrom(undefined, 1), (answer, indent) => {
        expect(scanModel(Buffer.from(JSON.stringify(answer, null, indent)))).toBe(
          typeof answer.model !== 'string' || answer.model === ''
            ? null
            : [...answer.model].length <= 200
              ? answer.model
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
  ])('%#', (text, model) => {
    expect(scanModel(Buffer.from(text))).toBe(model);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => scanModel(Buffer.concat([Buffer.from('{"'), bytes]))).not.toThrow();
      }),
    );
  });
});
