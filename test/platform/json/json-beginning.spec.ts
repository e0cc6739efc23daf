import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonBeginning } from '../../../src/platform/json/json-beginning.js';

const value = fc.jsonValue({ maxDepth: 6 }) as fc.Arbitrary<unknown>;

test('equals the beginning of the JSON text of any value', () => {
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 60 }), (json, length) => {
      expect(jsonBeginning(json, 10_000)).toBe(JSON.stringify(json));
      const shortened = JSON.stringify(json, (_name, part: unknown) =>
        typeof part === 'string' ? part.slice(0, length) : part,
      );
      const hasLongName = /"[^"]{60,}":/.test(shortened);
      if (!hasLongName) expect(jsonBeginning(json, length)).toBe(shortened.slice(0, length));
    }),
  );
});

test('keeps fields named `__proto__`, and the order of the fields', () => {
  const text = '{"b":1,"__proto__":{"a":[null,true]},"2":"\\ud800"}';
  expect(jsonBeginning(JSON.parse(text), 100)).toBe(JSON.stringify(JSON.parse(text)));
});
