import { describe, expect, test } from 'vitest';
import { estimate, roughEstimate } from '../../../src/proxy/usage/estimate/count-tokens.js';
import type { EstimateJob } from '../../../src/proxy/usage/estimate/estimate-job.js';
import { TOKENS_MAX } from '../../../src/proxy/usage/usage-report.js';

const side = (value: unknown, times = 1) => {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { bytes, totalBytes: bytes.length * times };
};
const asking = (request: unknown, times?: number): EstimateJob => ({
  ...{ model: null, request: side(request, times), answer: null },
});
const answering = (answer: unknown, times?: number): EstimateJob => ({
  ...{ model: null, request: null, answer: { ...side(answer, times), format: 'json' } },
});
const byLetters = (text: string) => text.length;
/** The letters of each text that was tokenized, and the figure that came of them. */
function counted(request: unknown) {
  const lengths: number[] = [];
  const { input } = estimate(asking(request), (text) => (lengths.push(text.length), text.length));
  return { lengths, input };
}

describe('a job', () => {
  test('is counted on the side that is asked for', () => {
    expect(estimate(asking({ prompt: 'abc' }), byLetters)).toEqual({ input: 3, output: 0 });
    expect(estimate(answering({ content: [{ text: 'abcd' }] }), byLetters)).toEqual({ input: 0, output: 4 });
    const both = { ...asking({ prompt: 'abc' }), answer: answering({ choices: [{ text: 'ab' }] }).answer };
    expect(estimate(both, byLetters)).toEqual({ input: 3, output: 2 });
  });

  test('has the sum of its texts and of what its format adds', () => {
    expect(estimate(asking({ messages: [{ content: 'abc' }, { content: 'de' }] }), byLetters).input).toBe(
      5 + 4 + 4 + 3,
    );
  });

  test('of which the beginning was kept is counted in proportion, to the nearest whole number', () => {
    expect(estimate(asking({ messages: [{ content: 'abc' }] }, 3), byLetters).input).toBe(30);
    expect(estimate(answering({ choices: [{ text: 'ab' }] }, 1.2), byLetters).output).toBe(2);
    expect(estimate(answering({ choices: [{ text: 'ab' }] }, 1.3), byLetters).output).toBe(3);
  });

  test('of no bytes at all is nothing', () => {
    expect(estimate({ ...asking(''), answer: answering('').answer }, byLetters)).toEqual({ input: 0, output: 0 });
  });

  test('is never more than the database holds', () => {
    expect(estimate(asking({ prompt: 'abc' }, 1e12), byLetters).input).toBe(TOKENS_MAX);
  });
});

describe('beyond 256 KB of text', () => {
  const MAX = 256 * 1024;

  test('nothing is tokenized, and the figure is in proportion', () => {
    expect(counted({ prompt: 'x'.repeat(MAX) })).toEqual({ lengths: [MAX], input: MAX });
    expect(counted({ prompt: 'x'.repeat(3 * MAX) })).toEqual({ lengths: [MAX], input: 3 * MAX });
    expect(counted({ prompt: ['x'.repeat(MAX), 'x'.repeat(MAX)] })).toEqual({ lengths: [MAX], input: 2 * MAX });
    expect(counted({ prompt: ['x'.repeat(MAX - 1), 'xx', 'y', 'z'] })).toEqual({
      ...{ lengths: [MAX - 1, 1], input: MAX + 3 },
    });
  });

  test('a text is cut by its letters, however many bytes they have', () => {
    const { lengths, input } = counted({ prompt: ['é'.repeat(MAX), 'é'] });
    expect([lengths, input]).toEqual([[MAX / 2], MAX + 1]);
  });
});

describe('a rough figure', () => {
  test('is a token for four bytes that have begun, on the side that is asked for', () => {
    expect(roughEstimate(asking({ prompt: ['abcd', 'abcde', 'éé'] }))).toEqual({ input: 1 + 2 + 1, output: 0 });
    expect(roughEstimate(answering({ choices: [{ text: 'abcde' }] }))).toEqual({ input: 0, output: 2 });
  });

  test('is taken from the first 16 KB, in proportion', () => {
    // Four letters of the text are within them.
    const cutText = (before: string) => `${before.padEnd(16 * 1024 - 5, ' ')}"${'x'.repeat(16 * 1024 + 4)}`;
    expect(roughEstimate(asking(cutText('{"prompt":')))).toEqual({ input: 2, output: 0 });
    expect(roughEstimate(answering(cutText('{"choices":[{"text":')))).toEqual({ input: 0, output: 2 });
  });
});
