import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { kindsOf } from '../../../src/costs/pricing/request-units.rules.js';
import { USAGE_KINDS, type UsageKind } from '../../../src/costs/usage-kinds.data.js';
import { NO_USAGE, type UsageDetails } from '../../../src/platform/request-context/token-usage.js';
import { NO_DETAILS, reported } from './reports.js';

const kinds = (input: number, output: number, details: Partial<UsageDetails> = {}) =>
  kindsOf(reported(input, output), { ...NO_DETAILS, ...details });
const ANTHROPIC = { inputIncludesCache: false };

describe('kindsOf', () => {
  test('treats all tokens as text without details', () => {
    expect(kindsOf(reported(10, 5), null)).toEqual({
      units: { input: 10, output: 5, requests: 1 },
      inputTokens: 10,
      reasoning: 0,
      imageSize: null,
      imageQuality: null,
      mediaOnly: false,
      unmeasured: [],
      corrected: [],
    });
  });

  test('counts only the request if the usage is unknown', () => {
    expect(kindsOf(NO_USAGE, null).units).toEqual({ requests: 1 });
  });

  test("takes caches out of OpenAI's input", () => {
    const { units, inputTokens } = kinds(100, 5, { cachedInput: 60, cacheWrite5m: 30 });
    expect(units).toMatchObject({ input: 10, cached_input: 60, cache_write_5m: 30 });
    expect(inputTokens).toBe(100);
  });

  test("adds caches to Anthropic's input", () => {
    const report = { ...ANTHROPIC, cachedInput: 60, cacheWrite5m: 30, cacheWrite1h: 9 };
    const { units, inputTokens } = kinds(100, 5, report);
    expect(units).toMatchObject({ input: 100, cached_input: 60, cache_write_5m: 30, cache_write_1h: 9 });
    expect(inputTokens).toBe(199);
  });

  test('separates audio, cached audio and images from text', () => {
    const report = { cachedInput: 50, audioInput: 40, cachedAudioInput: 30, imageInput: 15 };
    expect(kinds(100, 60, { ...report, audioOutput: 20, imageOutput: 30 }).units).toEqual({
      input: 25,
      cached_input: 20,
      audio_input: 10,
      cached_audio_input: 30,
      image_input: 15,
      output: 10,
      audio_output: 20,
      image_output: 30,
      requests: 1,
    });
  });

  test('treats cached tokens as images or audio if there is not enough text', () => {
    expect(kinds(100, 0, { cachedInput: 60, imageInput: 80 }).units).toEqual({
      cached_input: 20,
      cached_image_input: 40,
      image_input: 40,
      requests: 1,
    });
    expect(kinds(100, 0, { cachedInput: 60, audioInput: 80 }).units).toEqual({
      cached_input: 20,
      cached_audio_input: 40,
      audio_input: 40,
      requests: 1,
    });
  });

  test('counts reasoning within the output, or in addition to it', () => {
    expect(kinds(1, 50, { reasoning: 40 })).toMatchObject({ units: { output: 50 }, reasoning: 40 });
    const outside = { outputIncludesReasoning: false, reasoning: 40 };
    expect(kinds(1, 50, outside)).toMatchObject({ units: { output: 90 }, reasoning: 40, corrected: [] });
  });

  test('passes the size and quality of images', () => {
    const report = { images: 2, imageSize: '1024x1024', imageQuality: 'hd' };
    expect(kinds(0, 0, report)).toMatchObject({ units: { images: 2 }, imageSize: '1024x1024', imageQuality: 'hd' });
  });

  test.each<[string, number, number, Partial<UsageDetails>, object, string[]]>([
    ['more cached tokens than input', 10, 0, { cachedInput: 11 }, { cached_input: 10 }, ['cachedInput']],
    [
      'a cache and a write beyond the input',
      10,
      0,
      { cachedInput: 8, cacheWrite5m: 8 },
      { cached_input: 8, cache_write_5m: 2 },
      ['cacheWrite5m'],
    ],
    [
      'more cached audio than audio',
      10,
      0,
      { cachedInput: 5, audioInput: 2, cachedAudioInput: 4 },
      { input: 5, cached_audio_input: 2, cached_input: 3 },
      ['cachedAudioInput'],
    ],
    [
      'more audio and images than input',
      10,
      0,
      { audioInput: 6, imageInput: 6 },
      { audio_input: 6, image_input: 4 },
      ['imageInput'],
    ],
    ['more audio than output', 0, 10, { audioOutput: 12 }, { audio_output: 10 }, ['audioOutput']],
    ['more reasoning than output', 0, 10, { reasoning: 12 }, { output: 10 }, ['reasoning']],
    ['a negative count', -3, 10, {}, { output: 10 }, ['inputTokens']],
    ['a fraction', 1.2, 0, {}, { input: 2 }, ['inputTokens']],
    ['a count that is not a number', NaN, 0, { webSearches: NaN }, {}, ['inputTokens', 'webSearches']],
    ['an infinite count', 0, 0, { images: Infinity }, { images: 2 ** 48 }, ['images']],
  ])('limits %s, and reports it', (_name, ...[input, output, details, units, corrected]) => {
    const limited = kinds(input, output, details);
    expect(limited.units).toEqual({ ...units, requests: 1 });
    expect(limited.corrected).toEqual(corrected);
  });

  const count = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2 ** 31 }));
  const anyCount = fc.oneof(count, fc.double(), fc.constant(-1));
  const report = (each: fc.Arbitrary<number>) =>
    fc.record({
      ...Object.fromEntries(Object.keys(NO_DETAILS).map((name) => [name, fc.constant(null)])),
      ...Object.fromEntries(
        Object.entries(NO_DETAILS).flatMap(([name, value]) => (typeof value === 'number' ? [[name, each]] : [])),
      ),
      inputIncludesCache: fc.boolean(),
      outputIncludesReasoning: fc.boolean(),
    }) as unknown as fc.Arbitrary<UsageDetails>;

  test('divides the tokens of any report into parts that add up', () => {
    const INPUT: UsageKind[] = [
      'input',
      'cached_input',
      'cache_write_5m',
      'cache_write_1h',
      'audio_input',
      'cached_audio_input',
      'image_input',
      'cached_image_input',
    ];
    const OUTPUT: UsageKind[] = ['output', 'audio_output', 'image_output'];
    fc.assert(
      fc.property(count, count, report(count), (input, output, details) => {
        const { units, inputTokens } = kindsOf(reported(input, output), details);
        const sum = (names: UsageKind[]) => names.reduce((total, name) => total + (units[name] ?? 0), 0);
        const caches = details.cachedInput + details.cacheWrite5m + details.cacheWrite1h;
        expect(inputTokens).toBe(details.inputIncludesCache ? input : input + caches);
        expect(sum(INPUT)).toBe(inputTokens);
        expect(sum(OUTPUT)).toBe(output + (details.outputIncludesReasoning ? 0 : details.reasoning));
      }),
    );
  });

  test('returns positive integers of known kinds for any numbers', () => {
    fc.assert(
      fc.property(anyCount, anyCount, report(anyCount), (input, output, details) => {
        const { units, reasoning } = kindsOf(reported(input, output), details);
        for (const [kind, value] of Object.entries(units)) {
          expect(USAGE_KINDS).toHaveProperty([kind]);
          expect(Number.isSafeInteger(value) && value > 0).toBe(true);
        }
        expect(reasoning).toBeLessThanOrEqual(units.output ?? 0);
      }),
    );
  });
});
