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

  test('on /v1: invalid_value, and unknown parameters pass', () => {
    const reader = compileQuery(Page, { unknownParameters: 'pass' });
    expect(told({ limit: '0' }, reader)).toBe('invalid_value limit');
    expect({ ...reader({ colour: 'red' }) }).toEqual({ limit: 100, offset: 0 });
    expect(Object.getPrototypeOf(reader(parse('{"__proto__":"x"}')))).toBe(Page.prototype);
  });
});
