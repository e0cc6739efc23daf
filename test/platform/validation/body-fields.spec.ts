import { describe, expect, test } from '@jest/globals';
import { invalidValue } from '../../../src/platform/errors/error-factories.js';
import { compileRules, type BodyOptions, Rules } from '../../../src/platform/validation/body-rules.js';
import { mapOf } from '../../../src/platform/validation/compound-kinds.js';
import {
  ArrayField,
  BooleanField,
  CheckedField,
  EnumField,
  Field,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
} from '../../../src/platform/validation/fields.js';
import { integer, string, timestamp } from '../../../src/platform/validation/scalar-kinds.js';

class Sample {
  @EnumField(['red', 'green']) colour?: string;
  @StringField({ required: true, min: 1, max: 4 }) name: string;
  @NumberField({ min: 0, max: 2 }) share?: number;
  @NumberField({ above: 0 }) weight?: number;
  @IntegerField({ min: 1 }) limit?: number;
  @BooleanField() on?: boolean;
  @ObjectField({ depth: integer({ min: 0 }) }) nested?: object;
  @ArrayField(string({ min: 1 }), { min: 1, max: 2 }) tags?: string[];
  @Field(mapOf(integer())) counts?: object;
  @StringField({ onlyWith: { on: true } }) why?: string;
  @StringField({ requiredIf: ({ limit }) => limit === 7 }) reason?: string;
  @Field(timestamp()) at?: string;
  @StringField({ stored: true }) note?: string;
  @CheckedField((value, param) => (value === 1 ? null : invalidValue(param, 'one')), { const: 1 }) one?: number;
}

const V1: BodyOptions = {};

const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const violationOf = (body: object, options = V1, Dto: new () => object = Sample) => {
  const violation = compileRules(Dto, options)(body as Record<string, unknown>);
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

describe('single fields', () => {
  test.each<[string, unknown[], unknown[], unknown[]]>([
    [
      'name',
      ['a', 'abcd', '🌍🌍🌍🌍', 'e\u0301xy'],
      ['', 'abcde', '🌍🌍🌍🌍🌍', 'x'.repeat(99)],
      [1, true, ['a'], {}, null],
    ],
    ['colour', ['red', 'green'], ['blue', 'RED', 'red ', '', 'constructor', '__proto__'], [1, false, ['red'], {}]],
    ['share', [0, 2, 1.125, -0, null], [-0.01, 2.01, 1e999], ['1', true, [1], {}]],
    ['weight', [0.001, 1000, null], [0, -1], ['1', true, [1], {}]],
    ['limit', [1, 2.0, 4096, null], [0, -1, 1.5, 1e999], ['2', true, [1], {}]],
    ['on', [true, false, null], [], ['true', 1, 0, {}, []]],
    ['nested', [{}, { depth: 0 }, { depth: null }, { other: 1 }, null], [], ['x', 1, true, []]],
    ['tags', [['a'], ['a', 'b'], null], [[], ['a', 'b', 'c']], ['a', 1, {}]],
    ['at', ['2030-01-01', null], ['2030-02-30', ''], [1893456000, true, {}]],
    ['note', ['any'.repeat(9999), '', '\u0001', '🌍', null], ['a\0b', 'half \ud800', '\udf0d\ud83c'], [1]],
    ['one', [1, null], [2, '1', {}], []],
  ])(
    'values of %s are accepted, or rejected with invalid_value or invalid_type',
    (field, passes, wrong, otherTypes) => {
      const codes = (values: unknown[]) => values.map((value) => [value, violationOf({ name: 'n', [field]: value })]);
      expect(codes(passes)).toEqual(passes.map((value) => [value, null]));
      expect(codes(wrong)).toEqual(wrong.map((value) => [value, `invalid_value ${field}`]));
      expect(codes(otherTypes)).toEqual(otherTypes.map((value) => [value, `invalid_type ${field}`]));
    },
  );

  test('a violation inside a field names its path', () => {
    expect(violationOf({ name: 'n', nested: { depth: -1 } })).toBe('invalid_value nested.depth');
    expect(violationOf({ name: 'n', tags: ['a', ''] })).toBe('invalid_value tags[1]');
    expect(violationOf({ name: 'n', tags: [null] })).toBe('invalid_type tags[0]');
    expect(violationOf({ name: 'n', counts: { a: 1, 'b.c': 'x' } })).toBe('invalid_type counts.b.c');
    expect(violationOf(parse('{"name":"n","counts":{"__proto__":"x"}}'))).toBe('invalid_type counts.__proto__');
  });

  test('an omitted required field is missing, and null has the wrong type', () => {
    expect(violationOf({})).toBe('missing_required_parameter name');
    expect(violationOf({ name: undefined })).toBe('missing_required_parameter name');
    expect(violationOf({ name: null })).toBe('invalid_type name');
  });

  test('a conditionally required field is required only under its condition', () => {
    expect(violationOf({ name: 'n', limit: 7 })).toBe('missing_required_parameter reason');
    expect(violationOf({ name: 'n', limit: 7, reason: null })).toBe('invalid_type reason');
    expect(violationOf({ name: 'n', limit: 7, reason: 'r' })).toBeNull();
    expect(violationOf({ name: 'n', limit: 8 })).toBeNull();
  });

  test('a field that depends on another is rejected with invalid_value without it', () => {
    expect(violationOf({ name: 'n', why: 'w' })).toBe('invalid_value why');
    expect(violationOf({ name: 'n', why: 'w', on: false })).toBe('invalid_value why');
    expect(compileRules(Sample, V1)({ name: 'n', why: 'w' })?.message).toContain("omitted unless 'on' is true");
    expect(violationOf({ name: 'n', why: null })).toBeNull();
    expect(violationOf({ name: 'n', why: 'w', on: true })).toBeNull();
  });

  test('lenient rules accept unknown enum values but still check their type', () => {
    const lenient = { ...V1, lenient: true };
    expect(violationOf({ name: 'n', colour: 'blue' }, lenient)).toBeNull();
    expect(violationOf({ name: 'n', colour: 1 }, lenient)).toBe('invalid_type colour');
    expect(violationOf({ name: 'n', share: 3 }, lenient)).toBe('invalid_value share');
    expect(violationOf({}, lenient)).toBe('missing_required_parameter name');
  });
});

describe('whole bodies', () => {
  test('missing required fields are reported first, then violations in the order of the class', () => {
    expect(violationOf({ note: 1, share: 9, colour: 'blue' })).toBe('missing_required_parameter name');
    expect(violationOf({ note: 1, share: 9, colour: 'blue', name: 'n' })).toBe('invalid_value colour');
    expect(violationOf({ note: 1, share: 9, name: 'n' })).toBe('invalid_value share');
  });

  test('unknown fields are accepted on /v1, including names of prototype properties', () => {
    const body = parse('{"name":"n","__proto__":{"name":1},"constructor":1,"toString":2,"hasOwnProperty":3}');
    expect(violationOf(body)).toBeNull();
  });

  test('inherited properties are ignored', () => {
    expect(violationOf(Object.create({ name: 'n' }) as object)).toBe('missing_required_parameter name');
    const withOn = Object.create({ on: true }, Object.getOwnPropertyDescriptors({ name: 'n', why: 'w' })) as object;
    expect(violationOf(withOn)).toBe('invalid_value why');
    expect(violationOf(Object.create({ share: 9 }, { name: { value: 'n', enumerable: true } }) as object)).toBeNull();
  });

  test('compiling a class without fields throws', () => {
    class Empty {}
    expect(() => compileRules(Empty, V1)).toThrow('Empty has no decorated field');
  });
});

describe('class rules', () => {
  interface Pair {
    a?: number;
    b?: number;
  }
  @Rules<Pair>(
    ({ a, b }) => (a !== undefined && b !== undefined && a > b ? invalidValue('b', "at least 'a'") : null),
    ({ a }) => (a === 3 ? invalidValue('a', 'not 3') : null),
  )
  class Ordered implements Pair {
    @IntegerField() a?: number;
    @IntegerField() b?: number;
  }
  @Rules<Pair>(({ b }) => (b === 4 ? invalidValue('b', 'not 4') : null))
  class Stricter extends Ordered {
    @IntegerField({ max: 9 }) override a?: number;
  }

  test('class rules run in order after every field is valid', () => {
    expect(violationOf({ a: 3, b: 1 }, V1, Ordered)).toBe('invalid_value b');
    expect(violationOf({ a: 3, b: 3 }, V1, Ordered)).toBe('invalid_value a');
    expect(violationOf({ a: 3, b: 'x' }, V1, Ordered)).toBe('invalid_type b');
    expect(violationOf({ a: 1, b: 1 }, V1, Ordered)).toBeNull();
  });

  test('class rules also run with unknown fields and conditionally required fields', () => {
    @Rules<Pair>(({ b }) => (b === 4 ? invalidValue('b', 'not 4') : null))
    class Needing implements Pair {
      @IntegerField() a?: number;
      @IntegerField({ requiredIf: ({ a }) => a === 1 }) b?: number;
    }
    expect(violationOf({ a: 3, b: 1, other: 1 }, V1, Ordered)).toBe('invalid_value b');
    expect(violationOf({ a: 1, b: 4 }, V1, Needing)).toBe('invalid_value b');
    expect(violationOf({ b: 4 }, V1, Needing)).toBe('invalid_value b');
  });

  test('a subclass inherits fields and rules, overrides fields, and adds rules', () => {
    expect(violationOf({ a: 3 }, V1, Stricter)).toBe('invalid_value a');
    expect(violationOf({ b: 4 }, V1, Stricter)).toBe('invalid_value b');
    expect(violationOf({ a: 10 }, V1, Stricter)).toBe('invalid_value a');
    expect(violationOf({ b: 4, a: 10 }, V1, Ordered)).toBe('invalid_value b');
  });
});
