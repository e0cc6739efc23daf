import { describe, expect, test } from '@jest/globals';
import type { Kind } from '../../../src/platform/validation/check.js';
import {
  arrayOf,
  either,
  mapOf,
  object,
  required,
  taggedObject,
} from '../../../src/platform/validation/compound-kinds.js';
import {
  FormFile,
  formBoolean,
  formFile,
  formInteger,
  formList,
  formNumber,
  formText,
} from '../../../src/platform/validation/form-kinds.js';
import { isModelName } from '../../../src/platform/validation/model-name.rules.js';
import { boolean, integer, number, oneOf, string, timestamp } from '../../../src/platform/validation/scalar-kinds.js';

describe('error messages and schemas of kinds', () => {
  const tagged = taggedObject('type', { a: object({ n: required(integer()) }), b: object() });
  const file = new FormFile('x', 1);
  test.each<[string, Kind, unknown]>([
    ['a string', string(), 7],
    ['a non-empty string', string({ min: 1 }), ''],
    ['a string of at least 2 characters', string({ min: 2 }), 'x'],
    ['a string of at most 1 characters', string({ max: 1 }), 'xx'],
    ['a string of 1 to 2 characters', string({ min: 1, max: 2 }), 'xxx'],
    ['a string that matches ^a$', string({ pattern: /^a$/, max: 3 }), 'b'],
    ['a name', string({ max: 1, expected: 'a name' }), 'xx'],
    ['text without the character U+0000', string({ stored: true }), '\0'],
    ['text without unpaired surrogates', string({ stored: true }), '\ud800'],
    ['a number', number(), '7'],
    ['a number greater than 0', number({ above: 0 }), 0],
    ['a number of at least 1', number({ min: 1 }), 0],
    ['a number of at most 1', number({ max: 1 }), 2],
    ['a number from 0 to 1', number({ min: 0, max: 1 }), 2],
    ['an integer', integer(), '7'],
    ['an integer', integer(), 0.5],
    ['an integer of at least 1', integer({ min: 1 }), 0],
    ['true or false', boolean(), 1],
    ["'a'", oneOf('a'), 'b'],
    ["one of 'a', 'b'", oneOf('a', 'b'), 'c'],
    ['a string', oneOf('a'), 7],
    ['a string', timestamp(), 7],
    ['an ISO 8601 timestamp such as 2030-01-31T12:00:00Z', timestamp(), 'x'],
    ['an array', arrayOf(string()), 'x'],
    ['a non-empty array', arrayOf(string(), { min: 1 }), []],
    ['an array of at most 1 entries', arrayOf(string(), { max: 1 }), ['a', 'b']],
    ['an object', object(), []],
    ['an object', mapOf(string()), 'x'],
    ['an object', tagged, null],
    ["one of 'a', 'b'", tagged, { type: 'c' }],
    ['a string', tagged, { type: 7 }],
    ['an integer', tagged, { type: 'a', n: 'x' }],
    ['a string or an array', either({ string: string(), array: arrayOf(string()) }), {}],
    ['an object or a string', either({ object: object(), string: string() }), null],
    ['specified only once', formText(string()), ['a', 'b']],
    ['specified only once', formFile(), [file, file]],
    ['text, not a file', formText(string()), file],
    ['a file', formFile(), 'x'],
    ['an integer from 1 to 9', formInteger({ min: 1, max: 9 }), '10'],
    ['a number', formNumber({}), 'x'],
    ["one of 'true', 'false'", formBoolean(), 'TRUE'],
    ['a file', formList(formFile()), [file, 'x']],
  ])('the error states that the value must be %s', (expected, kind, value) => {
    const message = kind.check(value, 'p', { lenient: false })?.message;
    expect(message?.split('it must be ')[1]).toBe(`${expected}.`);
  });

  test.each<[Kind, object]>([
    [string(), { type: 'string' }],
    [string({ min: 1, max: 2 }), { type: 'string', minLength: 1, maxLength: 2 }],
    [string({ pattern: /^a$/ }), { type: 'string', pattern: '^a$' }],
    [string({ stored: true }), { type: 'string', pattern: '^[^\\u0000]*$' }],
    [string({ stored: true, pattern: /^a$/ }), { type: 'string', pattern: '^a$' }],
    [string({ stored: true, pattern: /./s }), { type: 'string', pattern: '.', not: { pattern: '\\u0000' } }],
    [
      timestamp(),
      { type: 'string', format: 'date-time', pattern: expect.stringMatching(/^\^.*\$$/) as unknown as string },
    ],
    [number({ min: 0, max: 1 }), { type: 'number', minimum: 0, maximum: 1 }],
    [number({ above: 0 }), { type: 'number', exclusiveMinimum: 0 }],
    [integer({ min: 1 }), { type: 'integer', minimum: 1 }],
    [boolean(), { type: 'boolean' }],
    [oneOf('a', 'b'), { type: 'string', enum: ['a', 'b'] }],
    [object(), { type: 'object', additionalProperties: true }],
    [object({ n: integer() }), { type: 'object', properties: { n: { type: 'integer' } } }],
    [object({ n: required(integer()) }), { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }],
    [
      taggedObject('type', { a: object({ n: required(integer()) }) }),
      {
        type: 'object',
        properties: { type: { type: 'string', enum: ['a'] }, n: { type: 'integer' } },
        required: ['type', 'n'],
      },
    ],
    [
      taggedObject('type', { a: object(), b: object() }),
      {
        oneOf: ['a', 'b'].map((name) => ({
          type: 'object',
          additionalProperties: true,
          required: ['type'],
          properties: { type: { type: 'string', enum: [name] } },
        })),
      },
    ],
    [arrayOf(boolean()), { type: 'array', items: { type: 'boolean' } }],
    [arrayOf(boolean(), { min: 1, max: 2 }), { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 2 }],
    [mapOf(integer()), { type: 'object', additionalProperties: { type: 'integer' } }],
    [either({ string: string(), object: object() }), { oneOf: [string().schema, object().schema] }],
    [formText(string({ max: 1 })), { type: 'string', maxLength: 1 }],
    [formInteger({ min: 1, max: 2 }), { type: 'integer', minimum: 1, maximum: 2 }],
    [formNumber({ min: 1 }), { type: 'number', minimum: 1 }],
    [formBoolean(), { type: 'boolean' }],
    [formFile(), { type: 'string', format: 'binary' }],
    [formList(formFile()), { type: 'array', items: { type: 'string', format: 'binary' } }],
  ])('a kind has the right schema: %o', ({ schema }, expected) => expect(schema).toEqual(expected));
});

describe('checks of kinds', () => {
  test('form fields accept decimal numbers and lowercase booleans only', () => {
    const codeOf = (kind: Kind, text: string) => kind.check(text, 'p', { lenient: true })?.code ?? 'passes';
    for (const text of ['1', '-1', '+1', '1.', '1.5', '.55', '-.5', '1e9', '1E+9', '15e-10']) {
      expect([text, codeOf(formNumber({}), text)]).toEqual([text, 'passes']);
    }
    for (const text of ['', '.', '1e', 'e9', '1.5.2', '--1', '0x1', 'x1', '1x', ' 1', '1,5', 'NaN', 'Infinity']) {
      expect([text, codeOf(formNumber({}), text)]).toEqual([text, 'invalid_type']);
    }
    expect(codeOf(formNumber({ max: 1 }), '1.5')).toBe('invalid_value');
    for (const text of ['-2', '0', '09', '9']) {
      expect([text, codeOf(formInteger({ min: -2, max: 9 }), text)]).toEqual([text, 'passes']);
    }
    for (const text of ['', '-', '-3', '10', '+1', '1.0', '1e0', 'x1', '1x', ' 1', '--1']) {
      expect([text, codeOf(formInteger({ min: -2, max: 9 }), text)]).toEqual([text, 'invalid_value']);
    }
    for (const text of ['yes', 'TRUE', ''])
      expect([text, codeOf(formBoolean(), text)]).toEqual([text, 'invalid_value']);
    for (const text of ['true', 'false']) expect([text, codeOf(formBoolean(), text)]).toEqual([text, 'passes']);
  });

  test('the length of a string is counted in code points', () => {
    const passes = (text: string) => string({ min: 2, max: 3 }).check(text, 'p', { lenient: false }) === null;
    expect(['🌍', 'a', '🌍🌍', 'ab', '🌍🌍🌍', 'abc', '🌍🌍🌍🌍', 'abcd'].map(passes)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(string().check('\0\ud800', 'p', { lenient: false })).toBeNull();
  });

  test('a model name is a string of at most 200 characters', () => {
    for (const name of ['', 'm'.repeat(200), '🌍'.repeat(200)]) expect(isModelName(name)).toBe(true);
    for (const name of ['m'.repeat(201), '🌍'.repeat(201), 7, null, ['m']]) expect(isModelName(name)).toBe(false);
  });

  test('the param of a form list omits one trailing pair of brackets', () => {
    const wrong = (name: string) => formList(formFile()).check('x', name, { lenient: false })?.param;
    expect(['image[]', 'image', 'a[]b', 'a[][]'].map(wrong)).toEqual(['image', 'image', 'a[]b', 'a[]']);
  });
});
