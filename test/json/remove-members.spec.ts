import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { removeTopLevelMembers } from '../../src/json/top-level-members.js';
import { anyText } from '../support/any-text.js';

const cut = (text: string, ...names: string[]) => removeTopLevelMembers(Buffer.from(text), names).toString();

describe('cutting members out of a body takes their bytes and one comma each', () => {
  test.each([
    ['{"x":1,"a":2,"b":3}', '{"a":2,"b":3}'],
    ['{"a":2,"x":1,"b":3}', '{"a":2,"b":3}'],
    ['{"a":2,"b":3,"x":1}', '{"a":2,"b":3}'],
    ['{"x":1}', '{}'],
    [' { "x" : [1] } ', ' {  } '],
    ['{"x":1,"x":2}', '{}'],
    ['{"x":1,"a":2,"x":3,"\\u0078":{"x":4},"b":1.0,"x":5,"x":"},\\""}', '{"a":2,"b":1.0}'],
    ['{ "a": 1 ,\n "x": 2 }', '{ "a": 1 \n  }'],
    ['{ "x": 2 ,\n "a": 1 }', '{  \n "a": 1 }'],
    ['{"a":"x","b":["x",{"x":1}],"xx":1,"X":2,"":{"x":3}}', '{"a":"x","b":["x",{"x":1}],"xx":1,"X":2,"":{"x":3}}'],
  ])('%s becomes %s', (text, left) => expect(cut(text, 'x')).toBe(left));

  test('of several names', () => expect(cut('{"x":1,"a":2,"y":3,"z":4}', 'x', 'z', 'y')).toBe('{"a":2}'));

  test('64 times at most: one more is refused by its name', () => {
    const repeated = (times: number) => `{${'"x":1,'.repeat(times)}"a":2}`;
    expect(cut(repeated(64), 'x')).toBe('{"a":2}');
    expect(() => cut(repeated(65), 'x')).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'x' }));
    expect(() => cut(repeated(65), 'x')).toThrow(/specified only once/);
  });

  test('a body without them is handed on, not copied', () => {
    const body = Buffer.from('{"a":{"x":1}}');
    expect(removeTopLevelMembers(body, ['x'])).toBe(body);
  });

  const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
  const escaped = (name: string) =>
    fc
      .tuple(
        ...Array.from(name, (char) => fc.constantFrom(char, `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)),
      )
      .map((letters) => `"${letters.join('')}"`);
  const other = anyText().filter((name) => name !== 'x' && name !== 'echo');
  const spelled = fc.oneof(
    fc.constantFrom('x', 'echo').chain((name) => escaped(name).map((text) => ({ goes: true, text }))),
    other.map((name) => ({ goes: false, text: JSON.stringify(name) })),
  );
  const member = fc
    .tuple(spelled, fc.jsonValue(), fc.boolean(), fc.array(blank, { minLength: 4, maxLength: 4 }))
    .map(([{ goes, text }, value, pretty, [a, b, c, d]]) => {
      const bytes = `${text}${b}:${c}${JSON.stringify(value, null, pretty ? 1 : undefined)}`;
      return { goes, bytes, before: a!, after: d! };
    });

  test('whatever the body: the rest is there byte for byte and parses to the rest', () => {
    fc.assert(
      fc.property(fc.array(member, { maxLength: 8 }), blank, (members, around) => {
        const text = `${around}{${members.map(({ before, bytes, after }) => before + bytes + after).join(',')}}${around}`;
        const stay = members.filter(({ goes }) => !goes);
        const left = cut(text, 'x', 'echo');
        expect(Object.entries(JSON.parse(left) as object)).toEqual(
          Object.entries(JSON.parse(`{${stay.map(({ bytes }) => bytes).join(',')}}`) as object),
        );
        const gone = members.filter(({ goes }) => goes);
        const commas = stay.length > 0 ? gone.length : Math.max(0, gone.length - 1);
        const size = gone.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes), commas);
        expect(Buffer.byteLength(left)).toBe(Buffer.byteLength(text) - size);
        let at = 0;
        for (const { bytes } of stay) {
          const found = left.indexOf(bytes, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + bytes.length;
        }
      }),
      { numRuns: 500 },
    );
  });
});
