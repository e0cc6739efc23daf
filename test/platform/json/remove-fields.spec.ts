import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { removeTopLevelFields } from '../../../src/platform/json/top-level-fields.js';
import { anyText } from '../../support/any-text.js';

const removed = (text: string, ...names: string[]) => removeTopLevelFields(Buffer.from(text), names).toString();

describe('removeTopLevelFields', () => {
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
  ])('removes x from %s, which leaves %s', (text, left) => expect(removed(text, 'x')).toBe(left));

  test('removes fields with several names', () =>
    expect(removed('{"x":1,"a":2,"y":3,"z":4}', 'x', 'z', 'y')).toBe('{"a":2}'));

  test('removes a repeated field up to 64 times, and throws an error that names it beyond that', () => {
    const repeated = (times: number) => `{${'"x":1,'.repeat(times)}"a":2}`;
    expect(removed(repeated(64), 'x')).toBe('{"a":2}');
    expect(() => removed(repeated(65), 'x')).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'x' }));
    expect(() => removed(repeated(65), 'x')).toThrow(/specified only once/);
  });

  test('returns a body without these fields uncopied', () => {
    const body = Buffer.from('{"a":{"x":1}}');
    expect(removeTopLevelFields(body, ['x'])).toBe(body);
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
    fc.constantFrom('x', 'echo').chain((name) => escaped(name).map((text) => ({ isRemoved: true, text }))),
    other.map((name) => ({ isRemoved: false, text: JSON.stringify(name) })),
  );
  const field = fc
    .tuple(spelled, fc.jsonValue(), fc.boolean(), fc.array(blank, { minLength: 4, maxLength: 4 }))
    .map(([{ isRemoved, text }, value, pretty, [a, b, c, d]]) => {
      const bytes = `${text}${b}:${c}${JSON.stringify(value, null, pretty ? 1 : undefined)}`;
      return { isRemoved, bytes, before: a!, after: d! };
    });

  test('removes from any body only the bytes of the fields and one comma for each', () => {
    fc.assert(
      fc.property(fc.array(field, { maxLength: 8 }), blank, (fields, around) => {
        const text = `${around}{${fields.map(({ before, bytes, after }) => before + bytes + after).join(',')}}${around}`;
        const kept = fields.filter(({ isRemoved }) => !isRemoved);
        const left = removed(text, 'x', 'echo');
        expect(Object.entries(JSON.parse(left) as object)).toEqual(
          Object.entries(JSON.parse(`{${kept.map(({ bytes }) => bytes).join(',')}}`) as object),
        );
        const gone = fields.filter(({ isRemoved }) => isRemoved);
        const commas = kept.length > 0 ? gone.length : Math.max(0, gone.length - 1);
        const size = gone.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes), commas);
        expect(Buffer.byteLength(left)).toBe(Buffer.byteLength(text) - size);
        let at = 0;
        for (const { bytes } of kept) {
          const found = left.indexOf(bytes, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + bytes.length;
        }
      }),
      { numRuns: 500 },
    );
  });
});
