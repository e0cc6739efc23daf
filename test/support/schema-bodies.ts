import fc from 'fast-check';
import { FormFile } from '../../src/platform/validation/form-kinds.js';
import type { Schema } from './openapi-document.js';

const anything = fc.jsonValue({ maxDepth: 1 });
const unknownName = fc.stringMatching(/^x_[a-z]{1,4}$/);
const LENGTH_MAX = 12;
const FILE = new FormFile('a.bin', 3);

/**
 * Generates values that `schema` allows. It supports the part of JSON Schema 2020-12 that the OpenAPI description uses.
 * @throws on an unsupported keyword, so that none is ignored
 */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  rejectUnknownKeywords(schema);
  const needed = alternativesOf(schema);
  if (needed !== undefined) return fc.oneof(...needed.map(valuesOf));
  const list = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (list !== undefined) return fc.oneof(...list.map(valuesOf));
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as unknown[]));
  const types = [schema.type ?? []].flat() as string[];
  return types.length === 0 ? anything : fc.oneof(...types.map((type) => valuesOfType(type, schema)));
}

/** Returns `schema` with each reference replaced by the schema that it names. No schema of the description refers to itself. */
export function inlined(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  return JSON.parse(JSON.stringify(schema), (_name, value: unknown) => {
    const reference = (value as { $ref?: unknown } | null)?.$ref;
    return typeof reference === 'string' ? inlined(schemas[reference.split('/').at(-1)!]!, schemas) : value;
  }) as Schema;
}

/** If `schema` requires at least one of several fields, returns one schema per field that requires it. */
export function alternativesOf({ anyOf, ...rest }: Schema): Schema[] | undefined {
  const list = anyOf as { required?: string[] }[] | undefined;
  if (rest.properties === undefined) return undefined;
  return list?.map(({ required = [] }) => ({
    ...rest,
    required: [...((rest.required ?? []) as string[]), ...required],
  }));
}

const KNOWN = new Set(
  (
    'type oneOf anyOf enum not pattern format minLength maxLength minimum maximum exclusiveMinimum items minItems maxItems uniqueItems ' +
    'properties required additionalProperties propertyNames maxProperties description example default deprecated'
  ).split(' '),
);

function rejectUnknownKeywords(schema: Schema): void {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0) throw new Error(`Unsupported schema keywords: ${unknown.join(', ')}`);
}

function valuesOfType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return stringsOf(schema);
    case 'integer':
      return fc.integer({ min: least(schema, -1e9), max: most(schema, 1e9) });
    case 'number':
      return numbersOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listsOf(schema);
    case 'object':
      return objectsOf(schema);
    default:
      throw new Error(`Unknown schema type: ${type}`);
  }
}

const least = ({ minimum }: Schema, otherwise: number): number => (minimum as number | undefined) ?? otherwise;
const most = ({ maximum }: Schema, otherwise: number): number => (maximum as number | undefined) ?? otherwise;

function numbersOf(schema: Schema): fc.Arbitrary<number> {
  const above = schema.exclusiveMinimum as number | undefined;
  const [min, max] = [above ?? least(schema, -1e6), most(schema, 1e6)];
  return fc.oneof(
    fc.double({ min, max, minExcluded: above !== undefined, noNaN: true }),
    ...(above === undefined ? [fc.constantFrom(min, max)] : []),
  );
}

function stringsOf({ format, pattern, not, minLength = 0, maxLength = Infinity }: Schema): fc.Arbitrary<unknown> {
  if (format === 'binary') return fc.constant(FILE);
  const [min, max] = [minLength as number, maxLength as number];
  const made =
    format === 'date-time'
      ? timestamps
      : typeof pattern === 'string'
        ? fc.stringMatching(new RegExp(pattern, 'u'))
        : fc.oneof(texts(min, Math.min(max, min + LENGTH_MAX)), ...(max < 1e4 ? [texts(max, max)] : []));
  const excluded = not as { enum?: unknown[]; pattern?: string } | undefined;
  return made.filter(
    (text) =>
      [...text].length >= min &&
      [...text].length <= max &&
      excluded?.enum?.includes(text) !== true &&
      (excluded?.pattern === undefined || !new RegExp(excluded.pattern, 'u').test(text)),
  );
}

/** Texts of `min` to `max` code points, including some outside the basic plane. */
const texts = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '"', 'é', '漢', '😀'), minLength: min, maxLength: max });

const timestamps = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .chain((date) => {
    const text = date.toISOString();
    return fc.constantFrom(text, text.slice(0, 10), text.replace('Z', '+02:00'), text.slice(0, 16));
  });

function listsOf({ items, minItems = 0, maxItems, uniqueItems = false }: Schema): fc.Arbitrary<unknown[]> {
  const entry = valuesOf((items ?? {}) as Schema);
  const minLength = minItems as number;
  const bounds = { minLength, maxLength: (maxItems as number | undefined) ?? minLength + 3 };
  return uniqueItems === true ? fc.uniqueArray(entry, bounds) : fc.array(entry, bounds);
}

function objectsOf(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], additionalProperties: others, maxProperties = 3, propertyNames } = schema;
  const named = Object.entries(properties as Record<string, Schema>).map(([name, field]) => [name, valuesOf(field)]);
  const known = fc.record(Object.fromEntries(named) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required as string[],
  });
  if (others === false) return known;
  const free = typeof others === 'object' && others !== null;
  const longest = (propertyNames as { maxLength?: number } | undefined)?.maxLength;
  const names = free ? texts(0, Math.min(longest ?? LENGTH_MAX, LENGTH_MAX)) : unknownName;
  const more = fc.dictionary(names, free ? valuesOf(others as Schema) : anything, {
    maxKeys: Math.min(maxProperties as number, 3),
    noNullPrototype: true,
  });
  return fc.tuple(known, more).map(([fields, extra]) => ({ ...extra, ...fields }));
}
