import { describe, expect, test } from '@jest/globals';
import { parsedObject, textsOfCutJson } from '../../../src/proxy/metering/estimate/counted-text.js';

const texts = (json: string) => textsOfCutJson(Buffer.from(json)).texts;

describe('of JSON whose end is missing', () => {
  test.each([
    ...['text', 'content', 'thinking', 'reasoning', 'reasoning_content', 'refusal', 'arguments', 'partial_json'],
    ...['input', 'output'],
  ])('the texts called %s are counted', (name) => {
    expect(texts(`{"x":[{"${name}":"a"},{"${name}" \n:\t "b c`)).toEqual(['a', 'b c']);
  });

  test('what is no text is not', () => {
    expect(texts('{"model":"a","text":7,"context":"b","content":{"data":"c"},"url":"d","texts":"e"')).toEqual([]);
  });

  test('names are read that are spelled with escapes', () => {
    expect(texts('{"messages":[{"p3":1,"\\u0063ontent":"a')).toEqual(['a']);
  });

  test('escapes are read as what they stand for, and no quote among them ends a text', () => {
    expect(texts('{"text":"a \\"b\\" \\\\","text":"\\u00e9\\n\\\\\\"c')).toEqual(['a "b" \\', 'é\n\\"c']);
  });

  test('a text cut within an escape is counted as it stands', () => {
    expect(texts('{"text":"a\\u00')).toEqual(['a\\u00']);
  });

  test('the format adds nothing', () => {
    expect(textsOfCutJson(Buffer.from('{"messages":[{"content":"a')).framingTokens).toBe(0);
  });

  test('a part of a larger buffer is read alone', () => {
    const bytes = new Uint8Array(Buffer.from('{"text":"a"{"text":"b"{"text":"c"'));
    expect(textsOfCutJson(bytes.subarray(11, 22)).texts).toEqual(['b']);
  });
});

test.each(['7', '"a"', 'null', 'true', '{"a":', '', 'a'])('%j is no object', (json) => {
  expect(parsedObject(Buffer.from(json))).toBeNull();
});
