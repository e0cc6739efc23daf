/**
 * A test case for a request body. The `patch` is merged into the smallest valid body, where undefined removes a field. The
 * `violation` contains the expected error code and `param`, and is null for a valid body.
 */
export interface Row {
  readonly patch: Record<string, unknown>;
  readonly violation: string | null;
}

type Set = (value: unknown) => Record<string, unknown>;
const at =
  (param: string): Set =>
  (value) => ({ [param]: value });

export const passes = (param: string, values: unknown[], set: Set = at(param)): Row[] =>
  values.map((value) => ({ patch: set(value), violation: null }));

export const rejected = (code: string, param: string, values: unknown[], set: Set = at(param)): Row[] =>
  values.map((value) => ({ patch: set(value), violation: `${code} ${param}` }));

/** Values of invalid JSON types. null counts as omitted. */
const otherTypes = (param: string, values: unknown[], set?: Set): Row[] => [
  ...rejected('invalid_type', param, values, set),
  ...passes(param, [null], set ?? at(param)),
];

interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** Both bounds, a fraction between them, and values just outside. */
export const numbers = (param: string, { min, max }: Required<Range>): Row[] => [
  ...passes(param, [min, max, (min + max) / 2 + 0.125]),
  ...rejected('invalid_value', param, [min - 0.01, max + 0.01, -1e999, 1e999]),
  ...otherTypes(param, ['1', '', true, [1], {}]),
];

export const integers = (param: string, { min, max }: Range, set?: Set): Row[] => [
  ...passes(param, [min ?? -7, (min ?? 0) + 1, max ?? 2 ** 40], set ?? at(param)),
  ...rejected('invalid_value', param, [(min ?? 1) + 0.5, 1e999, -1e999], set),
  ...rejected('invalid_value', param, min === undefined ? [] : [min - 1, -1e9], set),
  ...rejected('invalid_value', param, max === undefined ? [] : [max + 1], set),
  ...otherTypes(param, ['2', true, [1], {}], set),
];

export const booleans = (param: string, set?: Set): Row[] => [
  ...passes(param, [true, false], set ?? at(param)),
  ...otherTypes(param, ['true', 1, 0, {}, []], set),
];

export const names = (param: string, known: string[], set?: Set): Row[] => [
  ...passes(param, known, set ?? at(param)),
  ...rejected(
    'invalid_value',
    param,
    ['bogus', String(known[0]).toUpperCase(), `${known[0]} `, '', 'constructor', '__proto__'],
    set,
  ),
  ...otherTypes(param, [1, true, [known[0]], {}], set),
];

export const objects = (param: string, accepted: unknown[], set?: Set): Row[] => [
  ...passes(param, accepted, set ?? at(param)),
  ...otherTypes(param, ['x', 1, true, []], set),
];

/** Tests a required field that is omitted, null, or of an invalid type. */
export const needed = (param: string, wrongTypes: unknown[], set?: Set): Row[] => [
  ...rejected('missing_required_parameter', param, [undefined], set),
  ...rejected('invalid_type', param, [null, ...wrongTypes], set),
];

export const functionNames = (param: string, set: Set): Row[] => [
  ...passes(param, ['f', 'get_weather-2', '_', '-', '9', 'N'.repeat(64)], set),
  ...rejected(
    'invalid_value',
    param,
    ['', 'n'.repeat(65), 'two words', 'dotted.name', 'ünï', 'line\n', '\nline', 'f!'],
    set,
  ),
  ...needed(param, [5, true, ['f'], {}], set),
];
