import { describe, expect, test } from '@jest/globals';
import { estimate } from '../../../src/proxy/metering/estimate/count-tokens.js';
import type { EstimateJob } from '../../../src/proxy/metering/estimate/estimate-job.js';
import { TOKENS_MAX } from '../../../src/proxy/metering/usage-report.js';

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

  test.each<[string, object, number, number]>([
    ['of one text', { prompt: 'x'.repeat(3 * MAX) }, 3 * MAX, 1],
    ['of several', { prompt: ['x'.repeat(MAX - 1), 'xx', 'y', 'z'.repeat(MAX)] }, 2 * MAX + 2, 1],
    ['of very many', { prompt: Array.from({ length: MAX }, () => 'xy') }, 2 * MAX, 1],
    ['of letters of two bytes', { prompt: 'é'.repeat(MAX) }, MAX, 2],
  ])('%s: so much is tokenized, and the figure is in proportion', (_what, request, letters, letterBytes) => {
    const { lengths, input } = counted(request);
    expect(input).toBe(letters);
    const tokenized = lengths.reduce((sum, length) => sum + length, 0) * letterBytes;
    expect(Math.abs(tokenized / MAX - 1)).toBeLessThan(0.01);
  });

  test('up to there all of it is tokenized as it stands', () => {
    expect(counted({ prompt: ['x'.repeat(MAX - 2), 'yz'] }).lengths).toEqual([MAX - 2, 2]);
  });

  test.each([
    ['first', (cheap: string, dear: string) => cheap + dear],
    ['last', (cheap: string, dear: string) => dear + cheap],
    ['every so often', (cheap: string, dear: string) => (cheap.slice(0, 8192) + dear.slice(0, 8192)).repeat(64)],
  ])('it makes nothing cheaper to put what is cheap %s', (_where, made) => {
    const text = made(' '.repeat(2 * MAX), 'x'.repeat(2 * MAX));
    const byWords = (piece: string) => piece.replaceAll(' ', '').length;
    const figures = Array.from({ length: 20 }, () => estimate(asking({ prompt: text }), byWords).input);
    const dear = byWords(text);
    for (const figure of figures) expect(Math.abs(figure / dear - 1)).toBeLessThan(0.3);
    expect(Math.abs(figures.reduce((sum, figure) => sum + figure, 0) / 20 / dear - 1)).toBeLessThan(0.07);
  });
});
