import { describe, expect, test } from '@jest/globals';

import { sampleFromSchema } from '../../sandbox/src/simulation/schema-sample.js';

const sample = (schema: unknown): unknown => sampleFromSchema(schema, 'the user’s words');

describe('a value made from a JSON schema', () => {
  test.each<[string, unknown, unknown]>([
    ['a constant', { const: 7 }, 7],
    ['the first of an enum', { enum: ['celsius', 'kelvin'] }, 'celsius'],
    ['a default', { type: 'number', default: 0 }, 0],
    ['an example', { type: 'string', examples: ['e.g.'] }, 'e.g.'],
    ['the user’s words', { type: 'string' }, 'the user’s words'],
    ['a format', { type: 'string', format: 'date' }, '2025-01-15'],
    ['lengths', { type: 'string', maxLength: 3 }, 'the'],
    ['a range below one', { type: 'integer', maximum: -5 }, -5],
    ['an open range', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    ['a fraction below one', { type: 'number', exclusiveMinimum: 0, maximum: 0.5 }, 0.25],
    ['a whole number above a fraction', { type: 'integer', minimum: 1.5 }, 2],
    ['a number that is allowed alone', { type: 'number', minimum: 0.5, maximum: 0.5 }, 0.5],
    ['multiples', { type: 'integer', minimum: 11, multipleOf: 5 }, 15],
    ['the type beside null', { type: ['null', 'boolean'] }, true],
    ['as many items as asked', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
    ['no items where none is allowed', { type: 'array', maxItems: 0 }, []],
    ['the variant beside null', { anyOf: [{ type: 'null' }, { const: 'x' }] }, 'x'],
    [
      'all parts',
      { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] },
      { a: 1, b: 2 },
    ],
    [
      'the fields beside a union',
      { type: 'object', properties: { a: { const: 1 } }, required: ['a'], anyOf: [{ required: ['a'] }] },
      { a: 1 },
    ],
    ['the parts of a tuple', { prefixItems: [{ const: 'x' }, { type: 'integer', minimum: 3 }] }, ['x', 3]],
    [
      'required names that only additionalProperties describes',
      { type: 'object', required: ['x'], additionalProperties: { type: 'integer', maximum: -1 } },
      { x: -1 },
    ],
    ['no schema', undefined, null],
  ])('keeps %s', (_what, schema, expected) => {
    expect(sample(schema)).toEqual(expected);
  });

  test('follows local references and leaves out those that lead nowhere', () => {
    const schema = {
      $defs: { 'a/b': { const: 'found' } },
      properties: { here: { $ref: '#/$defs/a~1b' }, gone: { $ref: '#/$defs/none' }, proto: { $ref: '#/__proto__' } },
    };

    expect(sample(schema)).toEqual({ here: 'found', gone: null, proto: null });
  });

  test('follows the references among the parts of a schema', () => {
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

  test('never puts words of the user into fields that clients run or write to', () => {
    const properties = Object.fromEntries(
      ['command', 'cmd', 'code', 'file_path', 'filePath', 'path', 'cwd', 'patch'].map((name) => [name, {}]),
    );

    expect(JSON.stringify(sample({ properties }))).not.toContain('words');
  });

  test('comes to an end for a schema that refers to itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#' }, all: { type: 'array', items: { $ref: '#' } } } };
    const endless = { ...node, required: ['next', 'all'] };

    expect(JSON.stringify(sample(node)).length).toBeLessThan(2_000);
    expect(JSON.stringify(sample(endless)).length).toBeLessThan(200_000);
  });

  test('keeps a property called __proto__ an ordinary one', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"const":1}}}');

    expect(JSON.stringify(sample(schema))).toBe('{"__proto__":1}');
  });
});
