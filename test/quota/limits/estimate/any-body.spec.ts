import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RequestEstimate } from '../../../../src/quota/limits/estimate/request-estimate.js';

const KINDS = ['text', 'embeddings', 'images', 'speech', 'transcription'] as const;
const CHAT = '/v1/chat/completions';
const ENDPOINTS = [CHAT, '/v1/completions', '/v1/messages', '/v1/responses', '/v1/decisions'];
const MODELS = [
  null,
  'gpt-4o',
  'gpt-4o-mini',
  'claude-sonnet-4-5',
  'acme-7',
  '',
  'a/b/c:free',
  '-',
  'ft:gpt-4.1:acme::x',
];

const FIELDS = [
  'model',
  'messages',
  'input',
  'prompt',
  'content',
  'role',
  'type',
  'text',
  'tools',
  'n',
  'best_of',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tool_calls',
  'max_uses',
  'thinking',
  'budget_tokens',
  'prediction',
  'modalities',
  'image_url',
  'url',
  'source',
  'data',
  'file',
  'file_data',
  'file_id',
  'input_audio',
  'detail',
  'quality',
  'size',
  'cache_control',
  'ttl',
  'previous_response_id',
  'conversation',
  'web_search_options',
  'signature',
  '__proto__',
];
const WORDS = [
  'image_url',
  'input_image',
  'image',
  'file',
  'document',
  'input_audio',
  'video_url',
  'thinking',
  'web_search',
  'auto',
  'text',
  'low',
  '1h',
  'audio',
  '',
  'data:application/pdf;base64,AAAA',
  'data:,',
  'A'.repeat(700),
  'words '.repeat(90),
];

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(...WORDS, null, true, 0, -1, 1.5, 1e308, 2 ** 31, 2 ** 53),
    fc.nat(5000),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 5 }),
  ),
}));
const anyBody = fc.dictionary(fc.constantFrom(...FIELDS), anyValue, { maxKeys: 8 });

interface Given {
  readonly json: Record<string, unknown>;
  readonly kind: (typeof KINDS)[number];
  readonly endpoint: string;
  readonly model: string | null;
  readonly outputExpected: number;
}
const anyRequest: fc.Arbitrary<Given> = fc.record({
  json: anyBody,
  kind: fc.constantFrom(...KINDS),
  endpoint: fc.constantFrom(...ENDPOINTS),
  model: fc.constantFrom(...MODELS),
  outputExpected: fc.integer({ min: 1, max: 200_000 }),
});

const MORE_BYTES_MAX = 1_000_000;
// Allocated once, because new buffers make V8 collect garbage.
let zeros = Buffer.alloc(2 * MORE_BYTES_MAX);
function bodyOf(bytes: number): Buffer {
  if (bytes > zeros.length) zeros = Buffer.alloc(bytes);
  return zeros.subarray(0, bytes);
}

const estimateOf = ({ json, ...given }: Given, more = 0) =>
  new RequestEstimate({ ...given, json, body: bodyOf(JSON.stringify(json).length + more), outputDefault: 4096 });

const tokensOf = (units: object) => Object.values(units).reduce((sum: number, count) => sum + Number(count), 0);

describe('an estimate of any body', () => {
  test('never throws, and consists of counts', () => {
    fc.assert(
      fc.property(anyRequest, (given) => {
        const estimate = estimateOf(given);
        for (const level of ['typical', 'full'] as const) {
          const { units, inputTokens } = estimate.of(level);
          for (const count of [...Object.values(units), inputTokens])
            if (!Number.isSafeInteger(count) || count <= 0) throw new Error(`${level}: ${count} is not a count`);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('an estimate is at least as high for the maximum as for the likely usage, in every kind', () => {
    fc.assert(
      fc.property(anyRequest, (given) => {
        const estimate = estimateOf(given);
        const [likely, most] = [estimate.of('typical').units, estimate.of('full').units];
        for (const [kind, count] of Object.entries(likely))
          expect(most[kind as keyof typeof most] ?? 0).toBeGreaterThanOrEqual(count);
      }),
      { numRuns: 2000 },
    );
  });

  test('an estimate does not decrease with the bytes of the body', () => {
    fc.assert(
      fc.property(anyRequest, fc.nat(MORE_BYTES_MAX), (given, more) => {
        const [longer, shorter] = [estimateOf(given, more), estimateOf(given)];
        for (const level of ['typical', 'full'] as const)
          expect(tokensOf(longer.of(level).units)).toBeGreaterThanOrEqual(tokensOf(shorter.of(level).units));
      }),
      { numRuns: 500 },
    );
  });

  test('handles deep and wide bodies', () => {
    let deep: unknown = 'a';
    for (let at = 0; at < 100_000; at++) deep = at % 2 === 0 ? [deep] : { type: 'document', source: deep };
    const wide = Array.from({ length: 100_000 }, () => ({ type: 'image' }));
    for (const value of [deep, wide]) {
      const estimate = new RequestEstimate({
        kind: 'text',
        endpoint: CHAT,
        model: null,
        outputExpected: 1,
        outputDefault: 1,
        json: { messages: value },
        body: Buffer.alloc(10),
      });
      expect(estimate.of('full').inputTokens).toBeGreaterThan(0);
    }
  });
});
