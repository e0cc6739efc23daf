import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { topLevelMembers } from '../../src/json/top-level-members.js';
import { anyText } from '../support/any-text.js';

const found = (text: string) => {
  const body = Buffer.from(text);
  return [...topLevelMembers(body)].map(({ name, start, end }) => [name, body.toString('utf8', start, end)] as const);
};
const named = (text: string) => found(text).map(([name]) => name);

describe('names of the members of the outermost object', () => {
  test.each([
    ['{}', []],
    ['{"a":1,"b":{"c":2},"d":[{"e":3}]}', ['a', 'b', 'd']],
    ['{"a" : "b", "c\\"d":"x","\\u0061":"}"}', ['a', 'c"d', 'a']],
    ['{"a":"\\\\","b":"\\\\\\"","c":1}', ['a', 'b', 'c']],
    ['{"__proto__":1,"constructor":{}}', ['__proto__', 'constructor']],
  ])('%s', (text, names) => expect(named(text)).toEqual(names));

  test('are those of JSON.parse, for any object', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText(), fc.jsonValue()), fc.boolean(), (object, pretty) => {
        const text = JSON.stringify(object, null, pretty ? 2 : undefined);
        expect(named(text)).toEqual(Object.keys(JSON.parse(text) as object));
      }),
    );
  });
});

describe('where they stand', () => {
  test('blanks and commas around a member are not in it', () => {
    expect(found(' { "a" :\t1\t ,\n"b":[1, {"c":2} ]\r\n, "d": "x , }" } ').map(([, text]) => text)).toEqual([
      '"a" :\t1',
      '"b":[1, {"c":2} ]',
      '"d": "x , }"',
    ]);
  });

  test('each is, by itself, an object with that one member', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText(), fc.jsonValue()), fc.boolean(), (object, pretty) => {
        const text = JSON.stringify(object, null, pretty ? 2 : undefined);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        for (const [name, member] of found(text)) expect(JSON.parse(`{${member}}`)).toEqual({ [name]: parsed[name] });
      }),
    );
  });

  test('strings of every length around 64 bytes, with escapes at their end', () => {
    for (let length = 55; length < 75; length++)
      for (const end of ['', '"', '\\', '\\"', '"\\', '\\\\', ',', '":1,"b":"']) {
        const value = 'x'.repeat(length) + end;
        const members = [
          [value, JSON.stringify({ [value]: value }).slice(1, -1)],
          ['b', '"b":1'],
        ];
        expect(found(`{${members.map(([, text]) => text).join(',')}}`)).toEqual(members);
      }
  });
});
