import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { USAGE_FIELDS } from '../../../src/proxy/metering/usage-detail-fields.data.js';
import { DetailFigures, readDetails } from '../../../src/proxy/metering/detail-figures.js';
import { usageObjectAt } from '../../../src/proxy/metering/usage-report.js';

const read = (text: string) => usageObjectAt(Buffer.from(text), 0);
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('the object of a report', () => {
  test('a usage object is parsed wherever it is in the bytes', () => {
    const bytes = Buffer.from('{"usage": {"in":1,"of":{"b":[2]}},"x":3}');
    expect(usageObjectAt(bytes, bytes.indexOf('{"in"'))).toEqual({ in: 1, of: { b: [2] } });
  });

  test.each([
    ['ends before its last field is complete', '{"in":1, "out" : 2,"x":3', { in: 1, out: 2 }],
    ['ends inside a nested object', '{"in":1,"of":{"b":2', { in: 1 }],
    ['has a field that is not JSON', '{"in":1,"x":[{],"y":1}]}', { in: 1 }],
    ['has a number that is not JSON', '{"in":+1,"\\u006fut":2}', { out: 2 }],
    ['has a name that is not JSON', '{"\\x":1,"out":2,}', { out: 2 }],
    ['ends after 128 KiB', `{"in":1,"x":"${'x'.repeat(131_072)}","out":2}`, { in: 1 }],
    ['has 100,000 nested arrays', `{"in":1,"x":${deep(100_000)},"out":2}`, { in: 1 }],
  ])('has its complete fields if it %s', (_what, text, fields) => {
    expect(read(text)).toEqual(fields);
  });

  test.each(['', '[1]', '"{}"', '7', 'null', '{', '{"', '{"in"', '{"in":', '{1:2}', '{,}'])(
    'has no fields if the bytes are %j',
    (text) => expect(read(text)).toEqual({}),
  );

  test('a usage object can contain 60,000 nested arrays', () => {
    expect(read(`{"x":${deep(60_000)},"out":2}`)['out']).toBe(2);
  });

  test('a usage object can have fields named `__proto__` and `constructor`', () => {
    for (const rest of ['}', ',+}'])
      expect(Object.keys(read(`{"__proto__":{"in":9},"constructor":1${rest}`))).toEqual(['__proto__', 'constructor']);
    expect(read('{"__proto__":{"in":9},+}')['in']).toBeUndefined();
  });

  test('any bytes give an object whose details can be read', () => {
    const names = fc.constantFrom(
      'cached_tokens',
      'prompt_tokens_details',
      'cost',
      'iterations',
      'is_byok',
      '__proto__',
    );
    const objects = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue())));
    fc.assert(
      fc.property(objects, fc.nat(), fc.nat(), fc.nat(255), (object, cut, place, byte) => {
        const json = Buffer.from(JSON.stringify(object));
        json[place % json.length] = byte;
        readDetails(usageObjectAt(json, 0), USAGE_FIELDS, new DetailFigures());
        readDetails(usageObjectAt(json.subarray(0, cut % json.length), 0), USAGE_FIELDS, new DetailFigures());
      }),
    );
  });
});
