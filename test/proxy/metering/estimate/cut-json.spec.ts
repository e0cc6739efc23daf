import { describe, expect, test } from '@jest/globals';
import { parsedObject, textsOfCutJson } from '../../../../src/proxy/metering/estimate/counted-text.js';

const texts = (json: string) => textsOfCutJson(Buffer.from(json)).texts;

describe('textsOfCutJson', () => {
  test.each([
    'text',
    'content',
    'thinking',
    'reasoning',
    'reasoning_content',
    'refusal',
    'arguments',
    'partial_json',
    'input',
    'output',
  ])('finds the text in the field %s', (name) => {
    expect(texts(`{"x":[{"${name}":"a"},{"${name}" \n:\t "b c`)).toEqual(['a', 'b c']);
  });

  test('does not find fields that are not text', () => {
    expect(texts('{"model":"a","text":7,"context":"b","content":{"data":"c"},"url":"d","texts":"e"')).toEqual([]);
  });

  test('finds a field whose name contains escapes', () => {
    expect(texts('{"messages":[{"p3":1,"\\u0063ontent":"a')).toEqual(['a']);
  });

  test('decodes escapes, and an escaped quote does not end a text', () => {
    expect(texts('{"text":"a \\"b\\" \\\\","text":"\\u00e9\\n\\\\\\"c')).toEqual(['a "b" \\', 'é\n\\"c']);
  });

  test('returns a text that is truncated inside an escape without decoding it', () => {
    expect(texts('{"text":"a\\u00')).toEqual(['a\\u00']);
  });

  test('adds no framing tokens', () => {
    expect(textsOfCutJson(Buffer.from('{"messages":[{"content":"a')).framingTokens).toBe(0);
  });

  test('reads only its part of a larger buffer', () => {
    const bytes = new Uint8Array(Buffer.from('{"text":"a"{"text":"b"{"text":"c"'));
    expect(textsOfCutJson(bytes.subarray(11, 22)).texts).toEqual(['b']);
  });
});

test.each(['7', '"a"', 'null', 'true', '{"a":', '', 'a'])('parsedObject returns null for %j', (json) => {
  expect(parsedObject(Buffer.from(json))).toBeNull();
});
