import { FormFile } from '../../../../src/platform/validation/form-kinds.js';
import type { Schema } from '../../../support/openapi-document.js';
import { alternativesOf } from '../../../support/schema-bodies.js';

/** A body that breaks one constraint, and the constraint, such as `tools[0].type: enum`. */
export interface Broken {
  readonly body: unknown;
  readonly what: string;
}

type Judge = (schema: Schema, value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FormFile);

/**
 * Yields every way to break one constraint of `schema` in `value`, once at each place. `value` must be valid.
 * In a list, the first two entries and the last one are broken.
 * Among alternative schemas, it breaks those that `value` satisfies. The result can satisfy another one, so `judge` checks it.
 */
export function* broken(schema: Schema, value: unknown, judge: Judge, at = ''): Generator<Broken> {
  const list = alternativesOf(schema) ?? ((schema.oneOf ?? schema.anyOf) as Schema[] | undefined);
  if (list !== undefined) {
    for (const one of list) if (judge(one, value)) yield* broken(one, value, judge, at);
    return;
  }
  for (const [what, body] of ownBreaks(schema, value)) {
    if (!judge(schema, body)) yield { body, what: `${at}: ${what}` };
  }
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      // All others are treated like the second one.
      if (i > 1 && i < value.length - 1) continue;
      for (const { body, what } of broken((schema.items ?? {}) as Schema, item, judge, `${at}[${i}]`))
        yield { body: value.with(i, body), what };
    }
  } else if (isObject(value)) {
    const known = (schema.properties ?? {}) as Record<string, Schema>;
    for (const [name, member] of Object.entries(value)) {
      const schemaOfMember = known[name] ?? schema.additionalProperties;
      if (!isObject(schemaOfMember)) continue;
      for (const { body, what } of broken(schemaOfMember, member, judge, `${at}.${name}`))
        yield { body: { ...value, [name]: body }, what };
    }
  }
}

const ONE_OF_EACH_TYPE = [true, 7, 0.5, 'text', null, [], {}];

/** Yields values that can break a constraint of the schema itself, with its keyword. */
function* ownBreaks(schema: Schema, value: unknown): Generator<[string, unknown]> {
  for (const other of ONE_OF_EACH_TYPE) yield ['type', other];
  if (typeof value === 'string') {
    yield* [
      ['enum', 'none of them'],
      ['pattern', '\u0001 *é'],
      ['pattern', '\0'],
      ['minLength', ''],
    ] as [string, string][];
    if (schema.maxLength !== undefined) yield ['maxLength', value.padEnd((schema.maxLength as number) * 2 + 1, 'a')];
    if (schema.maxLength !== undefined) yield ['maxLength', 'a'.repeat((schema.maxLength as number) + 1)];
  } else if (typeof value === 'number') {
    if (schema.minimum !== undefined) yield ['minimum', (schema.minimum as number) - 1];
    if (schema.maximum !== undefined) yield ['maximum', (schema.maximum as number) + 1];
    if (schema.exclusiveMinimum !== undefined) yield ['exclusiveMinimum', schema.exclusiveMinimum];
    yield ['integer', Math.floor(value) + 0.5];
  } else if (Array.isArray(value)) {
    if (schema.minItems !== undefined) yield ['minItems', value.slice(0, (schema.minItems as number) - 1)];
    if (schema.uniqueItems === true && value.length > 0) yield ['uniqueItems', [value[0], ...(value as unknown[])]];
    if (schema.maxItems !== undefined)
      yield ['maxItems', Array.from({ length: (schema.maxItems as number) + 1 }, () => value[0] ?? '')];
  } else if (isObject(value)) {
    for (const name of (schema.required ?? []) as string[]) {
      const rest = { ...value };
      delete rest[name];
      yield [`required ${name}`, rest];
    }
    if (schema.additionalProperties === false) yield ['additionalProperties', { ...value, x_unknown: 1 }];
    yield* breaksOfNames(schema, value);
  }
}

function* breaksOfNames(schema: Schema, value: Record<string, unknown>): Generator<[string, unknown]> {
  const longest = (schema.propertyNames as { maxLength?: number } | undefined)?.maxLength;
  if (longest !== undefined) yield ['propertyNames', { ...value, ['k'.repeat(longest + 1)]: 'v' }];
  if (schema.maxProperties === undefined) return;
  const names = Array.from({ length: (schema.maxProperties as number) + 1 }, (_, i) => [`k${i}`, 'v']);
  yield ['maxProperties', Object.fromEntries(names)];
}
