import { describe, expect, test } from '@jest/globals';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  Min,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import {
  AFTER_FIELDS,
  CanBeAbsent,
  Compared,
  HasLength,
  IsStorable,
  IsTimestamp,
} from '../../../src/platform/validation/input.decorators.js';
import { InputPipe } from '../../../src/platform/validation/input.pipe.js';

class Sample {
  @IsStorable()
  @HasLength(1, 4)
  @IsString()
  name: string;

  @IsInt()
  @Min(1)
  @Max(9)
  @IsOptional()
  limit?: number | null;

  @Compared<Sample>(({ limit }) => limit !== 7, 'true with another limit')
  @IsBoolean()
  @CanBeAbsent()
  on?: boolean;

  @ArrayUnique({ ...AFTER_FIELDS, message: 'an array that names nothing twice' })
  @IsIn(['a', 'b', 'c'], { each: true })
  @ArrayMaxSize(3)
  @IsArray()
  @CanBeAbsent()
  tags?: string[];

  @IsUUID('loose', { each: true })
  @ArrayMaxSize(9)
  @IsArray()
  @CanBeAbsent()
  ids?: string[];

  @IsTimestamp()
  @CanBeAbsent()
  at?: string;
}

const pipe = new InputPipe(Sample, { source: 'body' });
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
function refusalOf(body: Record<string, unknown>): string | null {
  try {
    pipe.transform(body);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.code).toBe('validation_error');
    return `${error.param}: ${error.message}`;
  }
}

describe('InputPipe', () => {
  test('a body becomes an instance of its class with only the given fields', () => {
    const body = { name: 'n', limit: null };
    const input = pipe.transform(body);
    expect(input).toBeInstanceOf(Sample);
    expect(Object.entries(input)).toEqual(Object.entries(body));
  });

  test.each([
    [{}, "name: Missing required parameter: 'name'."],
    [{ name: null }, "name: Invalid type for 'name': it must be a string."],
    [{ name: '' }, "name: Invalid value for 'name': it must be a string of 1 to 4 characters."],
    [{ name: 'a\0b' }, "name: Invalid value for 'name': it must be text without the character U+0000."],
    [{ name: '\ud800' }, "name: Invalid value for 'name': it must be text without unpaired surrogates."],
    [{ name: 'n', limit: 0 }, "limit: Invalid value for 'limit': it must be an integer from 1 to 9."],
    [{ name: 'n', limit: '1' }, "limit: Invalid type for 'limit': it must be an integer."],
    [{ name: 'n', on: null }, "on: Invalid type for 'on': it must be true or false."],
    [{ name: 'n', on: 0 }, "on: Invalid type for 'on': it must be true or false."],
    [{ name: 'n', tags: 'a' }, "tags: Invalid type for 'tags': it must be an array."],
    [{ name: 'n', tags: [] }, null],
    [{ name: 'n', tags: ['a', 5] }, "tags: Invalid type for 'tags[1]': it must be a string."],
    [{ name: 'n', ids: ['x'] }, "ids: Invalid value for 'ids[0]': it must be a UUID."],
    [
      { name: 'n', at: '2030-02-30' },
      "at: Invalid value for 'at': it must be an ISO 8601 timestamp such as 2030-01-31T12:00:00Z.",
    ],
    [{ name: 'n', bogus: 1 }, "bogus: Unsupported parameter: this route does not accept 'bogus'. Remove it."],
  ])('the body %j gets the error %j', (body, refusal) => expect(refusalOf(body)).toBe(refusal));

  test('0, an empty string, null and an omitted field are distinguished', () => {
    expect(refusalOf({ name: 'n', limit: 0 })).not.toBeNull();
    expect(refusalOf({ name: 'n', limit: null })).toBeNull();
    expect(refusalOf({ name: 'n' })).toBeNull();
    expect(refusalOf({ name: '' })).not.toBeNull();
  });

  test('field errors come first, then unknown fields, then rules about several fields', () => {
    const twice = { tags: ['a', 'a'] };
    expect(refusalOf({ bogus: 1, ...twice, limit: 10, name: 5 })).toMatch(/^name/);
    expect(refusalOf({ bogus: 1, ...twice, limit: 10, name: 'n' })).toMatch(/^limit/);
    expect(refusalOf({ ...twice, name: 'n', first: 1, second: 1 })).toMatch(/^first/);
    expect(refusalOf({ ...twice, name: 'n' })).toContain('an array that names nothing twice');
    expect(refusalOf({ ...twice, name: 'n', on: true, limit: 7 })).toMatch(/^on: .*true with another limit/);
  });

  test('an error lists all invalid fields if there are several', () => {
    const detailsOf = (body: Record<string, unknown>): string[] | undefined => {
      try {
        pipe.transform(body);
        throw new Error('accepted');
      } catch (error) {
        const { error: shown } = JSON.parse((error as GatewayError).envelope('r')) as {
          error: { param: string; message: string; details?: { param: string; message: string }[] };
        };
        const [first = shown] = shown.details ?? [];
        expect([shown.param, shown.message]).toEqual([first.param, first.message]);
        return shown.details?.map(({ param }) => param);
      }
    };
    expect(detailsOf({ name: 5 })).toBeUndefined();
    expect(detailsOf({ bogus: 1, name: 'n', limit: 10, on: 'x', tags: ['a', 'a'] })).toEqual(['limit', 'on', 'bogus']);
    // Rules over several fields assume that each field is valid.
    expect(detailsOf({ name: 'n', tags: ['a', 'a'] })).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`a${at}`, 1]));
    expect(detailsOf({ name: 'n', ...many })).toHaveLength(20);
  });

  test('unknown fields are rejected under any name, and prototypes are unchanged', () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'then', '(unknown)', ''])
      expect(refusalOf(parse(`{"name":"n",${JSON.stringify(name)}:{"on":true}}`))).toMatch(`${name}: Unsupported`);
    expect(refusalOf(parse('{"name":{"__proto__":{"on":true}}}'))).toMatch(/^name: Invalid type/);
    expect(({} as { on?: boolean }).on).toBeUndefined();
  });

  test('extremely deep and wide bodies are rejected without a crash', () => {
    const deep = '['.repeat(500_000) + ']'.repeat(500_000);
    expect(refusalOf(parse(`{"name":${deep}}`))).toMatch(/^name: Invalid type/);
    expect(refusalOf(parse(`{"name":"n","tags":[${deep}]}`))).toContain("'tags[0]'");
    expect(refusalOf(parse(`{"name":"n","bogus":${deep}}`))).toMatch(/^bogus/);
    const many = Array.from({ length: 200_000 }, (_, at) => `a${at}`);
    expect(refusalOf({ name: 'n', tags: many })).toContain('an array of at most 3 entries');
    expect(refusalOf(Object.fromEntries(many.map((name) => [name, 1])))).toMatch(/^name/);
  });

  test('validation does not change the body', () => {
    const text = '{"name":"n","constructor":1,"tags":["a",{"__proto__":1}]}';
    const body = parse(text);
    refusalOf(body);
    expect(JSON.stringify(body)).toBe(text);
  });

  test('every body gets the verdict of class-validator', () => {
    const values = [
      undefined,
      null,
      '',
      'n',
      'a\0b',
      0,
      7,
      9.5,
      true,
      [],
      ['a'],
      ['a', 'a'],
      ['a', 5],
      {},
      '2030-01-31',
    ];
    const names = ['name', 'limit', 'on', 'tags', 'ids', 'at'];
    const bodies = fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...values)])));
    const mostlyValid = fc.record({
      name: fc.constant('n'),
      limit: fc.constantFrom(1, 7),
      on: fc.constantFrom(true, 1),
    });
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(bodies, mostlyValid), (body) => {
        const isAccepted = refusalOf(body) === null;
        expect(validateSync(Object.assign(new Sample(), body)).length === 0).toBe(isAccepted);
        if (isAccepted) accepted++;
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test('a class without decorated fields, or with an unbounded array, throws', () => {
    class Empty {}
    expect(() => new InputPipe(Empty, { source: 'body' })).toThrow('Empty has no decorated field');
    class Unbounded {
      @IsArray() list: string[];
    }
    expect(() => new InputPipe(Unbounded, { source: 'body' })).toThrow('Unbounded.list needs @ArrayMaxSize');
  });
});
