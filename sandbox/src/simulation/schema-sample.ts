import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { sampleNumber, sampleString } from './scalar-sample.js';

/** Below this depth, only required fields are filled in, so that a recursive schema ends. */
const DEPTH_WHOLE = 4;
const DEPTH_MAX = 24;
const VALUES_MAX = 2_000;
const ITEMS_MAX = 100;

/**
 * Returns a value that matches a JSON schema, always the same value for the same schema and text. It ignores `pattern`, `not`
 * and conditions.
 * @param text the user's text, which is the content of unconstrained strings
 */
export function sampleFromSchema(schema: unknown, text: string): unknown {
  return sample(schema, '', 0, { root: schema, text, valuesLeft: VALUES_MAX });
}

interface Sampling {
  readonly root: unknown;
  readonly text: string;
  valuesLeft: number;
}

function sample(schema: unknown, name: string, depth: number, state: Sampling): unknown {
  state.valuesLeft -= 1;
  if (!isJsonObject(schema) || depth > DEPTH_MAX || state.valuesLeft < 0) return null;
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  for (const listed of [schema.enum, schema.examples]) {
    if (Array.isArray(listed) && listed.length > 0) return listed[0];
  }
  if (typeof schema.$ref === 'string') return sample(resolveRef(schema.$ref, state.root), name, depth + 1, state);
  if (Array.isArray(schema.allOf)) {
    return sample(mergeAll({ ...schema, allOf: undefined }, schema.allOf, state.root), name, depth + 1, state);
  }

  const variants = schema.anyOf ?? schema.oneOf;

  if (Array.isArray(variants)) {
    const common = { ...schema, anyOf: undefined, oneOf: undefined };

    return sample(mergeAll(common, [chooseVariant(variants, depth)], state.root), name, depth + 1, state);
  }
  return sampleByType(schema, name, depth, state);
}

function sampleByType(schema: JsonObject, name: string, depth: number, state: Sampling): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, depth, state);
    case 'array':
      return sampleArray(schema, name, depth, state);
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sampleString(schema, name, state.text);
  }
}

function sampleObject(schema: JsonObject, depth: number, state: Sampling): unknown {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const known = Object.keys(properties).filter((name) => depth < DEPTH_WHOLE || required.includes(name));
  const others = required.filter((name) => typeof name === 'string' && !Object.hasOwn(properties, name)) as string[];
  const other = isJsonObject(schema.additionalProperties) ? schema.additionalProperties : {};

  return Object.fromEntries([
    ...known.map((name) => [name, sample(properties[name], name, depth + 1, state)] as const),
    ...others.map((name) => [name, sample(other, name, depth + 1, state)] as const),
  ]);
}

function sampleArray(schema: JsonObject, name: string, depth: number, state: Sampling): unknown[] {
  const itemsMin = typeof schema.minItems === 'number' ? schema.minItems : 0;
  const itemsMax = typeof schema.maxItems === 'number' ? schema.maxItems : ITEMS_MAX;
  const first: readonly unknown[] = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const wanted = first.length > 0 ? first.length : depth < DEPTH_WHOLE ? 1 : 0;
  const length = Math.min(Math.max(itemsMin, wanted), itemsMax, ITEMS_MAX);
  const items: unknown[] = [];

  while (items.length < length && state.valuesLeft > 0) {
    items.push(sample(first[items.length] ?? schema.items ?? {}, name, depth + 1, state));
  }
  return items;
}

function typeOf(schema: JsonObject): unknown {
  if (Array.isArray(schema.type)) return schema.type.find((type) => type !== 'null') ?? 'null';
  if (schema.type !== undefined) return schema.type;
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  return schema.items === undefined && schema.prefixItems === undefined ? 'string' : 'array';
}

/** Chooses the first variant that is not `null`. At greater depth it prefers `null`, which ends a recursion. */
function chooseVariant(variants: readonly unknown[], depth: number): unknown {
  const isNull = (variant: unknown): boolean => isJsonObject(variant) && variant.type === 'null';
  const wanted = depth < DEPTH_WHOLE ? variants.find((variant) => !isNull(variant)) : variants.find(isNull);

  return wanted ?? variants[0];
}

function mergeAll(schema: JsonObject, parts: readonly unknown[], root: unknown): JsonObject {
  const followed = parts.map((part) =>
    isJsonObject(part) && typeof part.$ref === 'string' ? resolveRef(part.$ref, root) : part,
  );
  const all = [schema, ...followed.filter(isJsonObject)];
  const properties = all.map((part) => (isJsonObject(part.properties) ? part.properties : {}));
  const required = all.flatMap((part) => (Array.isArray(part.required) ? (part.required as unknown[]) : []));
  const merged = Object.assign({}, ...all) as JsonObject;

  if (!properties.some((of) => Object.keys(of).length > 0)) return merged;
  return { ...merged, properties: Object.assign({}, ...properties) as JsonObject, required };
}

/** Resolves local references (`#`, `#/$defs/name`). Returns undefined for an unknown path. */
function resolveRef(ref: string, root: unknown): unknown {
  const [start, ...steps] = ref.split('/');
  let at: unknown = start === '#' ? root : undefined;

  for (const step of steps) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');

    at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}
