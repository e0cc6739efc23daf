import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { parseJson, textWithPlainNames } from '../../../src/platform/json/parse-json.js';

const parsed = (text: string) => parseJson(Buffer.from(text));

/** The first object trains V8 on the names that it expects in the next one. */
describe('escaped names after other JSON', () => {
  test.each([
    ['{"a1":1,"\\\\u006d":1,"y":2}', '{"a1":1,"\\u006dodels":["b"],"y":2}', { a1: 1, models: ['b'], y: 2 }],
    ['{"a2":1,"\\\\u006":1}', '{"a2":1,"\\u006dodel":"b"}', { a2: 1, model: 'b' }],
    ['{"a3":1,"model\\\\":1}', '{"a3":1,"model\\u0073":["b"]}', { a3: 1, models: ['b'] }],
    ['{"a4":{"b":1,"\\\\u0063o":1}}', '{"a4":{"b":1,"\\u0063ontent":"c"}}', { a4: { b: 1, content: 'c' } }],
    ['{"a5":"ü€","\\\\u006":1}', '{"a5":"ü€","\\u006dodel" \n\t: "b"}', { a5: 'ü€', model: 'b' }],
    ['[{"a6":1,"\\\\u006":1}]', '[":\\":",{"a6":1,"\\u006dodel":"\\u006d"}]', [':":', { a6: 1, model: 'm' }]],
  ])('after %s is parsed, %s is parsed correctly', (first, second, value) => {
    parsed(first);
    expect(parsed(second)).toEqual(value);
    expect(parsed(second)).toEqual(value);
  });

  test('any escaped names are read correctly after their own prefixes', () => {
    const plain = fc.string({ minLength: 1, maxLength: 8 }).filter((name) => !/["\\\u0000-\u001f]/.test(name));
    const spelled = plain.chain((name) =>
      fc
        .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
        .map((escapes) => ({ name, raw: [...name].map((char, at) => (escapes[at] ? escapeOf(char) : char)).join('') })),
    );
    fc.assert(
      fc.property(fc.uniqueArray(spelled, { selector: ({ name }) => name, maxLength: 5 }), (members) => {
        for (const learnt of members) {
          // All prefixes of the escaped name, because V8 could read the name as one of them.
          for (let length = 1; length <= learnt.raw.length; length++) {
            const names = members.map((member) => (member === learnt ? learnt.raw.slice(0, length) : member.name));
            parsed(`{${names.map((name) => `${JSON.stringify(name)}:1`).join()}}`);
          }
        }
        const read = parsed(`{${members.map(({ raw }) => `"${raw}":1`).join()}}`) as object;
        expect(Object.keys(read).toSorted()).toEqual(members.map(({ name }) => name).toSorted());
      }),
    );
  });
});

test('25,000 escaped names are read correctly, together with the fields between them', () => {
  const members = Array.from({ length: 25_000 }, (_, at) => `"\\u0061${at}":"x","b${at}":[${at}]`);
  const value = Array.from({ length: 25_000 }, (_, at) => [
    [`a${at}`, 'x'],
    [`b${at}`, [at]],
  ]).flat();
  expect(Object.entries(parsed(`{${members.join()}}`) as object)).toEqual(value);
});

const escapeOf = (char: string) =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

describe('agreement with JSON.parse', () => {
  test('any JSON is parsed to the same value as by JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parsed(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    '',
    '{',
    '{"a":',
    '"',
    '"\\',
    '{"\\u00zz":1}',
    '{"\\x":1}',
    '{"a\\":1}',
    '{"\\u0061\n":1}',
    "{'\\u0061':1}",
    '{"\\u0061" 1:1}',
    '{"\\u0061"\u0001:1}',
    '[1,]',
    '{"\\u0061":1,}',
    '{"\\u0061":1}}',
    '\\"\\u0061":',
  ])('invalid JSON throws a SyntaxError: %j', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(() => parsed(text)).toThrow(SyntaxError);
  });

  test('names that need their escapes are read correctly, and `__proto__` is an ordinary name', () => {
    const value = parsed('{"a\\"b":1,"c\\\\d":2,"e\\nf":3,"\\ud800":4,"\\u005f_proto__":{"x":1}}') as object;
    expect(Object.keys(value)).toEqual(['a"b', 'c\\d', 'e\nf', '\ud800', '__proto__']);
    expect((value as { x?: number }).x).toBeUndefined();
  });

  test('escapes in values are unchanged, even in a truncated text', () => {
    expect(textWithPlainNames(Buffer.from('{"\\u0061":"\\u0062\\":\\"","c":"\\u0064'))).toBe(
      '{"a":"\\u0062\\":\\"","c":"\\u0064',
    );
  });
});
