import { describe, expect, test } from '@jest/globals';

import { sampleFromSchema } from '../../sandbox/src/simulation/schema-sample.js';

const sample = (schema: unknown): unknown => sampleFromSchema(schema, 'the user’s words');

describe('values from a JSON schema', () => {
  test.each<[string, unknown, unknown]>([
    ['a constant', { const: 7 }, 7],
    ['the first of an enum', { enum: ['celsius', 'kelvin'] }, 'celsius'],
    ['the default', { type: 'number', default: 0 }, 0],
    ['the first example', { type: 'string', examples: ['e.g.'] }, 'e.g.'],
    ['the user’s text for a string', { type: 'string' }, 'the user’s words'],
    ['a value of the format', { type: 'string', format: 'date' }, '2025-01-15'],
    ['a string within its length limits', { type: 'string', maxLength: 3 }, 'the'],
    ['a number in a range below 1', { type: 'integer', maximum: -5 }, -5],
    ['a number in an open range', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    ['a fraction in a range up to 0.5', { type: 'number', exclusiveMinimum: 0, maximum: 0.5 }, 0.25],
    ['a whole number above a fractional minimum', { type: 'integer', minimum: 1.5 }, 2],
    ['the only allowed number', { type: 'number', minimum: 0.5, maximum: 0.5 }, 0.5],
    ['a multiple of multipleOf', { type: 'integer', minimum: 11, multipleOf: 5 }, 15],
    ['a value of the type other than null', { type: ['null', 'boolean'] }, true],
    ['the required number of items', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
    ['an empty array if maxItems is 0', { type: 'array', maxItems: 0 }, []],
    ['the variant other than null', { anyOf: [{ type: 'null' }, { const: 'x' }] }, 'x'],
    [
      'the fields of all parts of allOf',
      { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] },
      { a: 1, b: 2 },
    ],
    [
      'the fields next to anyOf',
      { type: 'object', properties: { a: { const: 1 } }, required: ['a'], anyOf: [{ required: ['a'] }] },
      { a: 1 },
    ],
    ['the items of a tuple', { prefixItems: [{ const: 'x' }, { type: 'integer', minimum: 3 }] }, ['x', 3]],
    [
      'required fields that only additionalProperties describes',
      { type: 'object', required: ['x'], additionalProperties: { type: 'integer', maximum: -1 } },
      { x: -1 },
    ],
    ['null without a schema', undefined, null],
  ])('the result is %s', (_what, schema, expected) => {
    expect(sample(schema)).toEqual(expected);
  });

  test('local references are followed, and unknown ones become null', () => {
    const schema = {
      $defs: { 'a/b': { const: 'found' } },
      properties: { here: { $ref: '#/$defs/a~1b' }, gone: { $ref: '#/$defs/none' }, proto: { $ref: '#/__proto__' } },
    };

    expect(sample(schema)).toEqual({ here: 'found', gone: null, proto: null });
  });

  test('references inside allOf and anyOf are followed', () => {
    const schema = {
      $defs: { named: { type: 'object', properties: { a: { const: 1 } }, required: ['a'] } },
      type: 'object',
      additionalProperties: false,
      properties: {
        whole: { allOf: [{ $ref: '#/$defs/named' }, { properties: { b: { const: 2 } } }] },
        either: { anyOf: [{ $ref: '#/$defs/named' }, { type: 'null' }] },
      },
      required: ['whole', 'either'],
    };

    expect(sample(schema)).toEqual({ whole: { a: 1, b: 2 }, either: { a: 1 } });
  });

  test('fields that clients execute or write to never contain the user’s text', () => {
    const properties = Object.fromEntries(
      ['command', 'cmd', 'code', 'file_path', 'filePath', 'path', 'cwd', 'patch'].map((name) => [name, {}]),
    );

    expect(JSON.stringify(sample({ properties }))).not.toContain('words');
  });

  test('a recursive schema results in a value of bounded size', () => {
    const node = { type: 'object', properties: { next: { $ref: '#' }, all: { type: 'array', items: { $ref: '#' } } } };
    const endless = { ...node, required: ['next', 'all'] };

    expect(JSON.stringify(sample(node)).length).toBeLessThan(2_000);
    expect(JSON.stringify(sample(endless)).length).toBeLessThan(200_000);
  });

  test('a property named __proto__ is an ordinary property', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"const":1}}}');

    expect(JSON.stringify(sample(schema))).toBe('{"__proto__":1}');
  });
});
