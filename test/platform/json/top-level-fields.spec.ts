import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { topLevelFields } from '../../../src/platform/json/top-level-fields.js';
import { anyText } from '../../support/any-text.js';

const found = (text: string) => {
  const body = Buffer.from(text);
  return [...topLevelFields(body)].map(({ name, start, end }) => [name, body.toString('utf8', start, end)] as const);
};
const named = (text: string) => found(text).map(([name]) => name);

describe('names in topLevelFields', () => {
  test.each([
    ['{}', []],
    ['{"a":1,"b":{"c":2},"d":[{"e":3}]}', ['a', 'b', 'd']],
    ['{"a" : "b", "c\\"d":"x","\\u0061":"}"}', ['a', 'c"d', 'a']],
    ['{"a":"\\\\","b":"\\\\\\"","c":1}', ['a', 'b', 'c']],
    ['{"__proto__":1,"constructor":{}}', ['__proto__', 'constructor']],
  ])('finds in %s the names %j', (text, names) => expect(named(text)).toEqual(names));

  test('finds the same names as JSON.parse in any object', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText(), fc.jsonValue()), fc.boolean(), (object, pretty) => {
        const text = JSON.stringify(object, null, pretty ? 2 : undefined);
        expect(named(text)).toEqual(Object.keys(JSON.parse(text) as object));
      }),
    );
  });
});

describe('positions in topLevelFields', () => {
  test('a field excludes the whitespace and commas around it', () => {
    expect(found(' { "a" :\t1\t ,\n"b":[1, {"c":2} ]\r\n, "d": "x , }" } ').map(([, text]) => text)).toEqual([
      '"a" :\t1',
      '"b":[1, {"c":2} ]',
      '"d": "x , }"',
    ]);
  });

  test('the bytes of each field in braces form an object with that field', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText(), fc.jsonValue()), fc.boolean(), (object, pretty) => {
        const text = JSON.stringify(object, null, pretty ? 2 : undefined);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        for (const [name, field] of found(text)) expect(JSON.parse(`{${field}}`)).toEqual({ [name]: parsed[name] });
      }),
    );
  });

  test('finds fields with strings of every length around 64 bytes and escapes at their end', () => {
    for (let length = 55; length < 75; length++)
      for (const end of ['', '"', '\\', '\\"', '"\\', '\\\\', ',', '":1,"b":"']) {
        const value = 'x'.repeat(length) + end;
        const fields = [
          [value, JSON.stringify({ [value]: value }).slice(1, -1)],
          ['b', '"b":1'],
        ];
        expect(found(`{${fields.map(([, text]) => text).join(',')}}`)).toEqual(fields);
      }
  });
});
