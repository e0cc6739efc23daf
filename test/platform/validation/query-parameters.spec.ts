import { describe, expect, test } from '@jest/globals';
import { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { Compared, IsNotAfter } from '../../../src/platform/validation/input.decorators.js';
import { InputPipe } from '../../../src/platform/validation/input.pipe.js';
import {
  QueryEnum,
  QueryFlag,
  QueryInteger,
  QueryText,
  QueryTimestamp,
  QueryUuid,
} from '../../../src/platform/validation/query-fields.js';

class Page {
  @QueryInteger({ min: 1, max: 500, byDefault: 100 }) limit: number;
  @QueryInteger({ min: 0, max: 100_000, byDefault: 0 }) offset: number;
}

class List extends Page {
  @QueryText({ min: 1, max: 4 }) name?: string;
  @Compared<List>(({ expired }) => expired !== true, "left out with 'expired=true'")
  @QueryEnum(['active', 'revoked'])
  status?: string;

  @QueryEnum(['asc', 'desc'], { byDefault: 'desc' }) sort_dir: string;
  @QueryFlag() expired?: boolean;
  @IsNotAfter('until') @QueryTimestamp() since?: number;
  @QueryTimestamp() until?: number;
}

const readerOf = <T extends object>(Dto: new () => T, edge: 'operators' | 'v1' = 'operators') => {
  const pipe = new InputPipe(Dto, { source: 'query', edge });
  return (raw: Record<string, unknown>) => pipe.transform(raw);
};
const read = readerOf(List);
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const refusalOf = (raw: Record<string, unknown>, reader: (raw: Record<string, unknown>) => unknown = read) => {
  try {
    reader(raw);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return `${error.code} ${error.param}`;
  }
};

describe('query parameters', () => {
  test('an empty query gets the defaults, and other fields are undefined', () => {
    const query = read({});
    expect(query).toBeInstanceOf(List);
    expect({ ...query }).toEqual({ limit: 100, offset: 0, sort_dir: 'desc' });
  });

  test('parameters are converted to the types of their class', () => {
    const raw = { limit: '500', offset: '007', name: '🌍🌍🌍🌍', status: 'active', sort_dir: 'asc', expired: 'false' };
    expect({ ...read({ ...raw, since: '2030-01-01', until: '2030-01-01T02:00:00+02:00' }) }).toEqual({
      limit: 500,
      offset: 7,
      name: '🌍🌍🌍🌍',
      status: 'active',
      sort_dir: 'asc',
      expired: false,
      since: Date.parse('2030-01-01T00:00:00Z'),
      until: Date.parse('2030-01-01T00:00:00Z'),
    });
  });

  test('an ID is converted to lower case, as IDs are stored', () => {
    class ById {
      @QueryUuid('Only this one.') id?: string;
    }
    const id = '0198c0de-aaaa-7000-8000-00000000000f';
    expect(readerOf(ById)({ id: id.toUpperCase() })).toEqual({ id });
  });

  test.each([
    ['limit', ['0', '501', '-1', '+1', '1.5', '1e2', 'ten', '', ' 1', '0x10', '١', '9'.repeat(30), ['1', '2'], ['1']]],
    ['offset', ['-1', 'x', '100001']],
    ['name', ['', 'abcde', 'a\0b', ['a', 'b']]],
    ['status', ['expired', 'ACTIVE', '', 'constructor', '__proto__', ['active']]],
    ['sort_dir', ['up', 'ASC', '']],
    ['expired', ['maybe', 'TRUE', '1', '', ['true', 'true']]],
    ['since', ['yesterday', '', '2030-13-40', '2030-02-30', '1893456000']],
  ])('invalid values of %s are rejected', (name, values) => {
    for (const value of values)
      expect([value, refusalOf({ [name]: value })]).toEqual([value, `validation_error ${name}`]);
  });

  test('unknown parameters are rejected under any name, regardless of case', () => {
    for (const name of [
      'colour',
      'Limit',
      'limit[]',
      '__proto__',
      'constructor',
      'prototype',
      'hasOwnProperty',
      '(unknown)',
    ])
      expect(refusalOf(parse(`{${JSON.stringify(name)}:"1"}`))).toBe(`validation_error ${name}`);
    expect(refusalOf({ colour: 'red', limit: '0' })).toBe('validation_error limit');
  });

  test('rules about several parameters run last', () => {
    expect(refusalOf({ since: '2026-02-02', until: '2026-02-01' })).toBe('validation_error since');
    expect(refusalOf({ since: '2026-02-02', until: '2026-02-02' })).toBeNull();
    expect(refusalOf({ status: 'active', expired: 'true' })).toBe('validation_error status');
    expect(refusalOf({ status: 'active', expired: 'false' })).toBeNull();
    expect(refusalOf({ since: '2026-02-02', until: '2026-02-01', colour: 'red' })).toBe('validation_error colour');
  });

  test('the error states what the parameter must be', () => {
    class Other {
      @QueryText({ pattern: /^a$/ }) a?: string;
      @QueryText({ max: 2 }) b?: string;
      @QueryText({ min: 1 }) c?: string;
      @QueryText({ min: 1, expected: 'a name' }) d?: string;
    }
    const other = readerOf(Other);
    const message = (raw: Record<string, unknown>, reader: (raw: Record<string, unknown>) => unknown) => {
      let text = '';
      try {
        reader(raw);
      } catch (error) {
        text = (error as GatewayError).message;
      }
      return text.split('it must be ')[1];
    };
    for (const [raw, expected] of [
      [{ a: 'b' }, 'text that matches ^a$'],
      [{ b: 'xxx' }, 'text of at most 2 characters'],
      [{ c: '' }, 'non-empty text'],
      [{ d: '' }, 'a name'],
      [{ d: ['x', 'y'] }, 'specified only once'],
    ] as const)
      expect(message(raw, other)).toBe(`${expected}.`);
    for (const [raw, expected] of [
      [{ limit: 'x' }, 'an integer from 1 to 500'],
      [{ status: 'x' }, "one of 'active', 'revoked'"],
      [{ expired: 'x' }, "'true' or 'false'"],
      [{ since: 'x' }, 'an ISO 8601 timestamp such as 2030-01-31T12:00:00Z'],
      [{ since: '2026-02-02', until: '2026-02-01' }, "a time that is not after 'until'"],
    ] as const)
      expect(message(raw, read)).toBe(`${expected}.`);
  });

  test('on /v1, invalid parameters get invalid_value, and unknown ones are ignored', () => {
    const reader = readerOf(Page, 'v1');
    expect(refusalOf({ limit: '0' }, reader)).toBe('invalid_value limit');
    expect({ ...reader({ colour: 'red' }) }).toEqual({ limit: 100, offset: 0 });
    expect(Object.getPrototypeOf(reader(parse('{"__proto__":"x"}')))).toBe(Page.prototype);
  });
});
