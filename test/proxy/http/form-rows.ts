import type { BodyRules } from '../../../src/platform/validation/body-rules.js';
import { FormFile } from '../../../src/platform/validation/form-kinds.js';
import { passes, rejected, type Row } from '../../support/field-rows.js';

type Body = Record<string, unknown>;
const FILE = new FormFile('a.bin', 10);

/**
 * Returns a function that applies a patch to `base`, validates the result, and returns `code param` of the violation, or
 * null. A patch removes a field with undefined.
 */
export const violationBy =
  (rules: BodyRules, base: Body) =>
  (patch: object): string | null => {
    const body = Object.fromEntries(Object.entries({ ...base, ...patch }).filter(([, value]) => value !== undefined));
    const violation = rules(body);
    return violation === null ? null : `${violation.code} ${violation.param}`;
  };

/** Validates a wrong body repeatedly, fixing each reported field from `base`, and returns the params in order. */
export function violationOrder(check: (patch: object) => string | null, wrong: Body, base: Body): string[] {
  const body: Body = Object.fromEntries(Object.entries(wrong).reverse());
  const order: string[] = [];
  for (let violation = check(body); violation !== null && order.length < 99; violation = check(body)) {
    const param = violation.split(' ')[1]!;
    order.push(param);
    for (const field of [param, `${param}[]`]) if (field in body) body[field] = base[field];
  }
  return order;
}

/** Rows for a text field of a form, which cannot be a file or repeated. */
export const formTexts = (param: string, right: string[], wrong: string[]): Row[] => [
  ...passes(param, right),
  ...rejected('invalid_value', param, [...wrong, ['a', 'b']]),
  ...rejected('invalid_type', param, [FILE]),
];

export const formNames = (param: string, known: string[]): Row[] =>
  formTexts(param, known, ['bogus', known[0]!.toUpperCase(), `${known[0]} `, '', 'constructor', '__proto__']);

/** Rows for an integer field of a form. Anything except plain digits within the range is `invalid_value`. */
export const formIntegers = (param: string, { min, max }: { min: number; max: number }): Row[] =>
  formTexts(param, [min, min + 1, max].map(String), [
    String(min - 1),
    String(max + 1),
    '',
    ' 1',
    '1.5',
    '1.0',
    '1e0',
    '0x1',
    'one',
    'NaN',
    '9'.repeat(400),
  ]);

export const fileRows = (param: string, { required = false, several = false } = {}): Row[] => [
  ...passes(param, [FILE, new FormFile('', 0), new FormFile(null, 5)]),
  ...rejected('invalid_type', param, ['text', '']),
  ...(required ? rejected('missing_required_parameter', param, [undefined]) : passes(param, [undefined])),
  ...(several ? passes(param, [[FILE, FILE]]) : rejected('invalid_value', param, [[FILE, FILE]])),
];
