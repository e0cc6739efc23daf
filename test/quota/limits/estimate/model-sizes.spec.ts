import { describe, expect, test } from '@jest/globals';
import { figuresOf } from '../../../../src/quota/limits/estimate/model-sizes.js';
import { MODEL_SIZES } from '../../../../src/quota/limits/estimate/model-sizes.data.js';
import { canonicalName } from '../../../../src/model-policy/registry/canonical-id.js';

describe('the sizes of a model', () => {
  test.each([
    ['gpt-4o', 128_000, 16_384],
    ['gpt-4o-2024-05-13', 128_000, 4096],
    ['gpt-4o-2024-11-20', 128_000, 16_384],
    ['openai/gpt-4.1-mini', 1_047_576, 32_768],
    ['gpt-4-0613', 8192, 8192],
    ['gpt-5.4-mini-2026-03-17', 400_000, 128_000],
    ['GPT-5', 400_000, 128_000],
    ['ft:gpt-4o-mini:acme::id', 128_000, 16_384],
    ['claude-sonnet-4-5-20250929', 1_000_000, 64_000],
    ['anthropic/claude-sonnet-4.6', 1_000_000, 128_000],
    ['claude-opus-4-20250514', 200_000, 32_000],
    ['claude-opus-5', 1_000_000, 128_000],
    ['models/gemini-2.5-pro', 1_048_576, 65_536],
    ['meta-llama/llama-3.3-70b-instruct:free', 131_072, null],
  ])('the sizes of a model are those of its family: %s', (model, context, output) => {
    expect(figuresOf(model)).toMatchObject({ context, output, known: true });
  });

  test.each([null, '', 'acme-7', 'gpt', '/', 'a'.repeat(5000), '-gpt-4o'])(
    'default sizes are assumed for %p',
    (model) => {
      expect(figuresOf(model)).toMatchObject({ context: 128_000, output: null, known: false });
    },
  );

  test('all sizes are positive, and all names are canonical and unique', () => {
    const names = MODEL_SIZES.map(([name]) => name);
    expect(names).toEqual([...new Set(names.map(canonicalName))]);
    for (const [, context, output] of MODEL_SIZES) {
      expect(context).toBeGreaterThan(0);
      expect(output ?? 1).toBeLessThanOrEqual(context);
    }
  });
});
