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
} from 'class-validator';
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
async function refusalOf(body: Record<string, unknown>): Promise<string | null> {
  try {
    await pipe.transform(body);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.code).toBe('validation_error');
    return `${error.param}: ${error.message}`;
  }
}

describe('InputPipe', () => {
  test('a body becomes an instance of its class with only the given fields', async () => {
    const body = { name: 'n', limit: null };
    const input = await pipe.transform(body);
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
  ])('the body %j gets the error %j', async (body, refusal) => expect(await refusalOf(body)).toBe(refusal));

  test('0, an empty string, null and an omitted field are distinguished', async () => {
    expect(await refusalOf({ name: 'n', limit: 0 })).not.toBeNull();
    expect(await refusalOf({ name: 'n', limit: null })).toBeNull();
    expect(await refusalOf({ name: 'n' })).toBeNull();
    expect(await refusalOf({ name: '' })).not.toBeNull();
  });

  test('field errors come first, then unknown fields, then rules about several fields', async () => {
    const twice = { tags: ['a', 'a'] };
    expect(await refusalOf({ bogus: 1, ...twice, limit: 10, name: 5 })).toMatch(/^name/);
    expect(await refusalOf({ bogus: 1, ...twice, limit: 10, name: 'n' })).toMatch(/^limit/);
    expect(await refusalOf({ ...twice, name: 'n', first: 1, second: 1 })).toMatch(/^first/);
    expect(await refusalOf({ ...twice, name: 'n' })).toContain('an array that names nothing twice');
    expect(await refusalOf({ ...twice, name: 'n', on: true, limit: 7 })).toMatch(/^on: .*true with another limit/);
  });

  test('unknown fields are rejected under any name, and prototypes are unchanged', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'then', '(unknown)', ''])
      expect(await refusalOf(parse(`{"name":"n",${JSON.stringify(name)}:{"on":true}}`))).toMatch(
        `${name}: Unsupported`,
      );
    expect(await refusalOf(parse('{"name":{"__proto__":{"on":true}}}'))).toMatch(/^name: Invalid type/);
    expect(({} as { on?: boolean }).on).toBeUndefined();
  });

  test('extremely deep and wide bodies are rejected without a crash', async () => {
    const deep = '['.repeat(500_000) + ']'.repeat(500_000);
    expect(await refusalOf(parse(`{"name":${deep}}`))).toMatch(/^name: Invalid type/);
    expect(await refusalOf(parse(`{"name":"n","tags":[${deep}]}`))).toContain("'tags[0]'");
    expect(await refusalOf(parse(`{"name":"n","bogus":${deep}}`))).toMatch(/^bogus/);
    const many = Array.from({ length: 200_000 }, (_, at) => `a${at}`);
    expect(await refusalOf({ name: 'n', tags: many })).toContain('an array of at most 3 entries');
    expect(await refusalOf(Object.fromEntries(many.map((name) => [name, 1])))).toMatch(/^name/);
  });

  test('validation does not change the body', async () => {
    const text = '{"name":"n","constructor":1,"tags":["a",{"__proto__":1}]}';
    const body = parse(text);
    await refusalOf(body);
    expect(JSON.stringify(body)).toBe(text);
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
