import { describe, expect, test } from 'vitest';
import { invalidValue } from '../../src/errors/catalogue.js';
import { GatewayError } from '../../src/errors/gateway-error.js';
import { compileQuery } from '../../src/validation/compile-query.js';
import { QueryEnum, QueryFlag, QueryInteger, QueryText, QueryTimestamp } from '../../src/validation/query-fields.js';
import { Rules } from '../../src/validation/rules.decorator.js';
import { notAfter } from '../../src/validation/time-range.rules.js';

class Page {
  @QueryInteger({ min: 1, max: 500, byDefault: 100 }) limit: number;
  @QueryInteger({ min: 0, max: 100_000, byDefault: 0 }) offset: number;
}

@Rules<List>(notAfter('since', 'until'), ({ status, expired }) =>
  status !== undefined && expired === true ? invalidValue('status', "left out with 'expired=true'") : null,
)
class List extends Page {
  @QueryText({ min: 1, max: 4 }) name?: string;
  @QueryEnum(['active', 'revoked']) status?: string;
  @QueryEnum(['asc', 'desc'], { byDefault: 'desc' }) sort_dir: string;
  @QueryFlag() expired?: boolean;
  @QueryTimestamp() since?: number;
  @QueryTimestamp() until?: number;
}

const read = compileQuery(List);
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const told = (raw: Record<string, unknown>, reader: (raw: Record<string, unknown>) => unknown = read) => {
  try {
    reader(raw);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return `${error.code} ${error.param}`;
  }
};

describe('query parameters', () => {
  test('nothing given: the defaults, and undefined for the rest', () => {
    const query = read({});
    expect(query).toBeInstanceOf(List);
    expect({ ...query }).toEqual({ limit: 100, offset: 0, sort_dir: 'desc' });
  });

  test('texts become what the class says', () => {
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

  test.each([
    ['limit', ['0', '501', '-1', '+1', '1.5', '1e2', 'ten', '', ' 1', '0x10', '١', '9'.repeat(30), ['1', '2'], ['1']]],
    ['offset', ['-1', 'x', '100001']],
    ['name', ['', 'abcde', 'a\0b', ['a', 'b']]],
    ['status', ['expired', 'ACTIVE', '', 'constructor', '__proto__', ['active']]],
    ['sort_dir', ['up', 'ASC', '']],
    ['expired', ['maybe', 'TRUE', '1', '', ['true', 'true']]],
    ['since', ['yesterday', '', '2030-13-40', '2030-02-30', '1893456000']],
  ])('%s: what is refused', (name, values) => {
    for (const value of values) expect([value, told({ [name]: value })]).toEqual([value, `validation_error ${name}`]);
  });

  test('unknown parameters are refused, in any case and under any name', () => {
    for (const name of ['colour', 'Limit', 'limit[]', '__proto__', 'constructor'])
      expect(told(parse(`{${JSON.stringify(name)}:"1"}`))).toBe(`validation_error ${name}`);
    expect(told({ colour: 'red', limit: '0' })).toBe('validation_error limit');
  });

  test('rules over several parameters run last', () => {
    expect(told({ since: '2026-02-02', until: '2026-02-01' })).toBe('validation_error since');
    expect(told({ since: '2026-02-02', until: '2026-02-02' })).toBeNull();
    expect(told({ status: 'active', expired: 'true' })).toBe('validation_error status');
    expect(told({ status: 'active', expired: 'false' })).toBeNull();
    expect(told({ since: '2026-02-02', until: '2026-02-01', colour: 'red' })).toBe('validation_error colour');
  });

  test('a refusal says what the parameter must be', () => {
    class Other {
      @QueryText({ pattern: /^a$/ }) a?: string;
      @QueryText({ max: 2 }) b?: string;
      @QueryText({ min: 1 }) c?: string;
      @QueryText({ min: 1, expected: 'a name' }) d?: string;
    }
    const other = compileQuery(Other);
    const message = (raw: Record<string, unknown>, reader: (raw: Record<string, unknown>) => unknown) => {
      let said = '';
      try {
        reader(raw);
      } catch (error) {
        said = (error as GatewayError).message;
      }
      return said.split('it must be ')[1];
    };
    for (const [raw, expected] of [
      [{ a: 'b' }, 'text that matches ^a$'],
      [{ b: 'xxx' }, 'text of 0 to 2 characters'],
      [{ c: '' }, 'text of 1 to any number of characters'],
      [{ d: '' }, 'a name'],
      [{ d: ['x', 'y'] }, 'given once'],
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

  test('on /v1: invalid_value, and unknown parameters pass', () => {
    const reader = compileQuery(Page, { unknownParameters: 'pass' });
    expect(told({ limit: '0' }, reader)).toBe('invalid_value limit');
    expect({ ...reader({ colour: 'red' }) }).toEqual({ limit: 100, offset: 0 });
    expect(Object.getPrototypeOf(reader(parse('{"__proto__":"x"}')))).toBe(Page.prototype);
  });
});
