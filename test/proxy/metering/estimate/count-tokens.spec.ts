import { describe, expect, test } from '@jest/globals';
import { estimate } from '../../../../src/proxy/metering/estimate/count-tokens.js';
import type { EstimateJob } from '../../../../src/proxy/metering/estimate/estimate-job.js';
import { TOKENS_MAX } from '../../../../src/proxy/metering/usage-report.js';

const side = (value: unknown, times = 1) => {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { bytes, totalBytes: bytes.length * times };
};
const requestJob = (request: unknown, times?: number): EstimateJob => ({
  model: null,
  request: side(request, times),
  response: null,
});
const responseJob = (response: unknown, times?: number): EstimateJob => ({
  model: null,
  request: null,
  response: { ...side(response, times), format: 'json' },
});
const byLetters = (text: string) => text.length;
/** Returns the length of each text that was tokenized, and the resulting estimate. */
function counted(request: unknown) {
  const lengths: number[] = [];
  const { input } = estimate(requestJob(request), (text) => (lengths.push(text.length), text.length));
  return { lengths, input };
}

describe('estimate', () => {
  test('counts only the sides that the job contains', () => {
    expect(estimate(requestJob({ prompt: 'abc' }), byLetters)).toEqual({ input: 3, output: 0 });
    expect(estimate(responseJob({ content: [{ text: 'abcd' }] }), byLetters)).toEqual({ input: 0, output: 4 });
    const both = { ...requestJob({ prompt: 'abc' }), response: responseJob({ choices: [{ text: 'ab' }] }).response };
    expect(estimate(both, byLetters)).toEqual({ input: 3, output: 2, choices: 1 });
  });

  test('sums up the tokens of all texts and of the format', () => {
    expect(estimate(requestJob({ messages: [{ content: 'abc' }, { content: 'de' }] }), byLetters).input).toBe(
      5 + 4 + 4 + 3,
    );
  });

  test('extrapolates a side of which only the beginning was kept, rounded to the nearest integer', () => {
    expect(estimate(requestJob({ messages: [{ content: 'abc' }] }, 3), byLetters).input).toBe(30);
    expect(estimate(responseJob({ choices: [{ text: 'ab' }] }, 1.2), byLetters).output).toBe(2);
    expect(estimate(responseJob({ choices: [{ text: 'ab' }] }, 1.3), byLetters).output).toBe(3);
  });

  test('counts 0 for an empty request and an empty response', () => {
    expect(estimate({ ...requestJob(''), response: responseJob('').response }, byLetters)).toEqual({
      input: 0,
      output: 0,
    });
  });

  test('an estimate never exceeds the largest integer of the database', () => {
    expect(estimate(requestJob({ prompt: 'abc' }, 1e12), byLetters).input).toBe(TOKENS_MAX);
  });
});

describe('estimates of more than 256 KiB of text', () => {
  const MAX = 256 * 1024;

  test.each<[string, object, number, number]>([
    ['one long text', { prompt: 'x'.repeat(3 * MAX) }, 3 * MAX, 1],
    ['several texts', { prompt: ['x'.repeat(MAX - 1), 'xx', 'y', 'z'.repeat(MAX)] }, 2 * MAX + 2, 1],
    ['very many texts', { prompt: Array.from({ length: MAX }, () => 'xy') }, 2 * MAX, 1],
    ['letters of two bytes', { prompt: 'é'.repeat(MAX) }, MAX, 2],
  ])('tokenizes 256 KiB of a request with %s and extrapolates the rest', (_what, request, letters, letterBytes) => {
    const { lengths, input } = counted(request);
    expect(input).toBe(letters);
    const tokenized = lengths.reduce((sum, length) => sum + length, 0) * letterBytes;
    expect(Math.abs(tokenized / MAX - 1)).toBeLessThan(0.01);
  });

  test('tokenizes all texts unchanged up to 256 KiB', () => {
    expect(counted({ prompt: ['x'.repeat(MAX - 2), 'yz'] }).lengths).toEqual([MAX - 2, 2]);
  });

  test.each([
    ['at the beginning', (cheap: string, dear: string) => cheap + dear],
    ['at the end', (cheap: string, dear: string) => dear + cheap],
    ['in every other 8 KiB', (cheap: string, dear: string) => (cheap.slice(0, 8192) + dear.slice(0, 8192)).repeat(64)],
  ])('cheap text %s does not lower the estimate', (_where, mix) => {
    const text = mix(' '.repeat(2 * MAX), 'x'.repeat(2 * MAX));
    const byWords = (piece: string) => piece.replaceAll(' ', '').length;
    const figures = Array.from({ length: 20 }, () => estimate(requestJob({ prompt: text }), byWords).input);
    const dear = byWords(text);
    for (const figure of figures) expect(Math.abs(figure / dear - 1)).toBeLessThan(0.3);
    expect(Math.abs(figures.reduce((sum, figure) => sum + figure, 0) / 20 / dear - 1)).toBeLessThan(0.07);
  });
});
