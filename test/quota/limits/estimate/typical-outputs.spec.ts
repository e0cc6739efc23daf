import { describe, expect, test } from '@jest/globals';
import { TypicalOutputs } from '../../../../src/quota/limits/estimate/typical-outputs.js';

const DEFAULT = 4096;

function outputsOf(...tokens: readonly number[]): TypicalOutputs {
  const outputs = new TypicalOutputs();
  for (const each of tokens) outputs.note('key', 'model', each);
  return outputs;
}
const expected = (...tokens: readonly number[]) => outputsOf(...tokens).expected('key', 'model', DEFAULT);
const times = (count: number, tokens: number) => new Array<number>(count).fill(tokens);

describe('the expected output', () => {
  test('the expected output is the default before the first response', () => {
    expect(expected()).toBe(DEFAULT);
  });

  test('the expected output is at least the default with fewer than 20 responses', () => {
    expect(expected(...times(19, 10))).toBe(DEFAULT);
    expect(expected(...times(19, 10_000))).toBeGreaterThanOrEqual(20_000);
  });

  test('the expected output is at least 1,024 with 20 responses', () => {
    expect(expected(...times(20, 10))).toBe(1024);
  });

  test('the expected output is twice the 95th percentile, at most 42% too high', () => {
    for (const tokens of [1000, 1024, 5000, 100_000]) {
      const figure = expected(...times(96, tokens), ...times(4, 900_000));
      expect(figure).toBeGreaterThanOrEqual(2 * tokens);
      expect(figure).toBeLessThan(2 * tokens * 1.42);
    }
  });

  test('the expected output rises if more than 5% of the responses are long', () => {
    expect(expected(...times(90, 100), ...times(10, 20_000))).toBeGreaterThanOrEqual(40_000);
  });

  test('the expected output falls if a key produces less than before', () => {
    expect(expected(...times(1024, 50_000), ...times(20_000, 10))).toBe(1024);
  });

  test('the expected output is separate for each key and model', () => {
    const outputs = outputsOf(...times(100, 9000));
    expect(outputs.expected('key', 'other', DEFAULT)).toBe(DEFAULT);
    expect(outputs.expected('other', 'model', DEFAULT)).toBe(DEFAULT);
    expect(outputs.expected('key', null, DEFAULT)).toBe(DEFAULT);
  });

  test('the expected output is stored only for the 10,000 most recent pairs of key and model', () => {
    const outputs = outputsOf(...times(100, 9000));
    for (let at = 0; at < 10_000; at++) outputs.note(`key ${at}`, 'model', 1);
    expect(outputs.expected('key', 'model', DEFAULT)).toBe(DEFAULT);
  });

  test('the expected output accepts any number', () => {
    expect(expected(...times(30, -1), 0, 2 ** 53)).toBe(1024);
  });
});
