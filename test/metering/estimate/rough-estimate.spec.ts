import { describe, expect, test } from '@jest/globals';
import type { EstimateJob } from '../../../src/proxy/metering/estimate/estimate-job.js';
import { roughEstimate } from '../../../src/proxy/metering/estimate/rough-estimate.js';

const KB = 1024;
const side = (value: unknown) => {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { bytes, totalBytes: bytes.length };
};
const asking = (request: unknown): EstimateJob => ({ model: null, request: side(request), answer: null });
const answering = (answer: unknown): EstimateJob => ({
  ...{ model: null, request: null, answer: { ...side(answer), format: 'json' } },
});
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

/** The mean of some figures: which pieces are read is left to chance. */
function inputOf(request: unknown): number {
  const job = asking(request);
  return Array.from({ length: 50 }, () => roughEstimate(job).input).reduce((sum, input) => sum + input, 0) / 50;
}
const expectNear = (actual: number, expected: number, share: number) =>
  expect(Math.abs(actual / expected - 1)).toBeLessThan(share);

describe('a rough figure', () => {
  test('is a token for four bytes that have begun, on the side that is asked for', () => {
    expect(roughEstimate(asking({ prompt: ['abcd', 'abcde', 'éé'] }))).toEqual({ input: 1 + 2 + 1, output: 0 });
    expect(roughEstimate(answering({ choices: [{ text: 'abcde' }] }))).toEqual({ input: 0, output: 2 });
  });

  test('of an answer is taken from its first 16 KB, in proportion', () => {
    // Four letters of the text are within them.
    const cut = `${'{"choices":[{"text":'.padEnd(16 * KB - 5, ' ')}"${'x'.repeat(16 * KB + 4)}`;
    expect(roughEstimate(answering(cut))).toEqual({ input: 0, output: 2 });
  });

  test('of a request beyond 16 KB is taken from all over it, whatever stands first', () => {
    const text = 'So many words, “some” of them naïve. '.repeat(2000);
    const tokens = Buffer.byteLength(text) / 4;
    expectNear(inputOf(user(text)), tokens, 0.02);
    expectNear(inputOf({ zz: 'j'.repeat(17 * KB), ...user(text) }), tokens + (17 * KB) / 4, 0.05);
    expectNear(inputOf(`${' '.repeat(17 * KB)}${JSON.stringify(user(text))}`), tokens, 0.1);
  });

  test('is none for images, audio and files, however many they are', () => {
    const bytes = (length: number) => Buffer.alloc(length, 'a picture').toString('base64');
    const url = `data:image/png;base64,${bytes(3_000_000)}`;
    expect(inputOf(user([{ type: 'image_url', image_url: { url } }]))).toBeLessThan(20_000);
    // As some clients write it.
    expect(inputOf(JSON.stringify(user([{ image_url: { url } }])).replaceAll('/', '\\/'))).toBeLessThan(20_000);
    const icons = Array.from({ length: 200 }, () => ({ type: 'input_audio', input_audio: { data: bytes(3000) } }));
    expect(inputOf(user(icons))).toBeLessThan((200 * 4000) / 4 / 10);
  });

  test.each([
    ['a text without blanks', user('NoBlankAtAll'.repeat(20_000))],
    ['such a text that names an image', user(`{"image_url": "${'NoBlankAtAll'.repeat(20_000)}`)],
    ['one under the name of an image that a text holds', user(`","image_url":["${'NoBlankAtAll'.repeat(20_000)}`)],
    ['one behind the name of an image', { ...user('NoBlankAtAll'.repeat(20_000)), url: '' }],
    ['one that is nested', `{"messages":${'['.repeat(120_000)}${']'.repeat(120_000)}}`],
  ])('is not made nothing by %s', (_what, request) => {
    expectNear(inputOf(request), 60_000, 0.05);
  });

  test.each([
    ['a text without a quote', user('x'.repeat(10_000_000))],
    ['an image', user([{ image_url: { url: 'x'.repeat(10_000_000) } }])],
    ['blanks before an image', `{"url":${' '.repeat(5_000_000)}"${'x'.repeat(5_000_000)}"}`],
    ['backslashes', `{"${'\\\\'.repeat(2_500_000)}":"${'x'.repeat(5_000_000)}"}`],
  ])('of %s takes some milliseconds, whatever its length', (_what, request) => {
    const job = asking(request);
    const start = performance.now();
    for (let i = 0; i < 10; i++) roughEstimate(job);
    expect((performance.now() - start) / 10).toBeLessThan(30);
  });
});
