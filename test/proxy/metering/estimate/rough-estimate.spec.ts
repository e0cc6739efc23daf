import { describe, expect, test } from '@jest/globals';
import type { EstimateJob } from '../../../../src/proxy/metering/estimate/estimate-job.js';
import { roughEstimate } from '../../../../src/proxy/metering/estimate/rough-estimate.js';
import { growthOf, LINEAR_GROWTH_MAX } from '../../../support/cpu-time.js';

const KB = 1024;
const side = (value: unknown) => {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { bytes, totalBytes: bytes.length };
};
const requestJob = (request: unknown): EstimateJob => ({ model: null, request: side(request), response: null });
const responseJob = (response: unknown): EstimateJob => ({
  model: null,
  request: null,
  response: { ...side(response), format: 'json' },
});
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

/** Returns the mean of 50 estimates, because the pieces that are read are random. */
function inputOf(request: unknown): number {
  const job = requestJob(request);
  return Array.from({ length: 50 }, () => roughEstimate(job).input).reduce((sum, input) => sum + input, 0) / 50;
}
const expectNear = (actual: number, expected: number, share: number) =>
  expect(Math.abs(actual / expected - 1)).toBeLessThan(share);

describe('roughEstimate', () => {
  test('counts four bytes of text as one token, rounded up, for the side that the job names', () => {
    expect(roughEstimate(requestJob({ prompt: ['abcd', 'abcde', 'éé'] }))).toEqual({ input: 1 + 2 + 1, output: 0 });
    expect(roughEstimate(responseJob({ choices: [{ text: 'abcde' }] }))).toEqual({ input: 0, output: 2, choices: 1 });
  });

  test('extrapolates a response from its first 16 KiB', () => {
    // The first 16 KiB contain four letters of the text.
    const cut = `${'{"choices":[{"text":'.padEnd(16 * KB - 5, ' ')}"${'x'.repeat(16 * KB + 4)}`;
    expect(roughEstimate(responseJob(cut))).toEqual({ input: 0, output: 2 });
  });

  test('estimates a request above 16 KiB from samples of all its parts', () => {
    const text = 'So many words, “some” of them naïve. '.repeat(2000);
    const tokens = Buffer.byteLength(text) / 4;
    expectNear(inputOf(user(text)), tokens, 0.02);
    expectNear(inputOf({ zz: 'j'.repeat(17 * KB), ...user(text) }), tokens + (17 * KB) / 4, 0.05);
    expectNear(inputOf(`${' '.repeat(17 * KB)}${JSON.stringify(user(text))}`), tokens, 0.1);
  });

  test('does not count images, audio or files, regardless of their number', () => {
    const bytes = (length: number) => Buffer.alloc(length, 'a picture').toString('base64');
    const url = `data:image/png;base64,${bytes(3_000_000)}`;
    expect(inputOf(user([{ type: 'image_url', image_url: { url } }]))).toBeLessThan(20_000);
    // Some clients escape slashes.
    expect(inputOf(JSON.stringify(user([{ image_url: { url } }])).replaceAll('/', '\\/'))).toBeLessThan(20_000);
    const icons = Array.from({ length: 200 }, () => ({ type: 'input_audio', input_audio: { data: bytes(3000) } }));
    expect(inputOf(user(icons))).toBeLessThan((200 * 4000) / 4 / 10);
  });

  test.each([
    ['text without spaces', user('NoBlankAtAll'.repeat(20_000))],
    [
      'text without spaces that contains the name of an image field',
      user(`{"image_url": "${'NoBlankAtAll'.repeat(20_000)}`),
    ],
    ['text without spaces that imitates an image field', user(`","image_url":["${'NoBlankAtAll'.repeat(20_000)}`)],
    ['text without spaces before an image field', { ...user('NoBlankAtAll'.repeat(20_000)), url: '' }],
    ['a deeply nested array', `{"messages":${'['.repeat(120_000)}${']'.repeat(120_000)}}`],
  ])('counts %s in full', (_what, request) => {
    expectNear(inputOf(request), 60_000, 0.05);
  });

  test.each([
    ['a long text without quotes', (size: number) => user('x'.repeat(size))],
    ['a large image', (size: number) => user([{ image_url: { url: 'x'.repeat(size) } }])],
    ['spaces before an image', (size: number) => `{"url":${' '.repeat(size / 2)}"${'x'.repeat(size / 2)}"}`],
    ['backslashes', (size: number) => `{"${'\\\\'.repeat(size / 4)}":"${'x'.repeat(size / 2)}"}`],
  ])('estimates megabytes with %s in linear time', (_what, requestOf) => {
    const growth = growthOf((size) => requestJob(requestOf(size)), 1_000_000, roughEstimate);
    expect(growth).toBeLessThan(LINEAR_GROWTH_MAX);
  });
});
