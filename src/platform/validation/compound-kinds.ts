import { invalidType, invalidValue, missingRequiredParameter } from '../errors/error-factories.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { isObject, type Check, type JsonObject, type Kind, type Mode, type Schema } from './check.js';
import { listNames, string } from './scalar-kinds.js';

/** The upstream checks the value. */
export const anything: Kind = { check: () => null, schema: {} };

interface RequiredField extends Kind {
  readonly required: true;
}

export const required = (kind: Kind): RequiredField => ({ ...kind, required: true });

export type Fields = Readonly<Record<string, Kind | RequiredField>>;

/** Members are checked in order. Unknown fields pass. */
export function object(fields: Fields = {}): Kind {
  const list = Object.entries(fields).map(([name, kind]) => ({ name, ...kind, required: 'required' in kind }));
  const needed = list.filter((field) => field.required).map((field) => field.name);
  const properties = Object.fromEntries(list.map((field) => [field.name, field.schema]));
  const checkFields = (value: JsonObject, param: string, mode: Mode): GatewayError | null => {
    for (const { name, check, required } of list) {
      const field = value[name];
      const violation =
        field === undefined || (field === null && !required)
          ? required
            ? missingRequiredParameter(`${param}.${name}`)
            : null
          : check(field, `${param}.${name}`, mode);
      if (violation !== null) return violation;
    }
    return null;
  };
  return {
    check: (value, param, mode) =>
      isObject(value) ? checkFields(value, param, mode) : invalidType(param, 'an object'),
    schema: {
      type: 'object',
      ...(list.length > 0 && { properties }),
      ...(needed.length > 0 && { required: needed }),
      ...(list.length === 0 && { additionalProperties: true }),
    },
  };
}

/** A union of objects that `tag` distinguishes: `{type: 'enabled', …}`. In lenient mode, an unknown tag passes (D28). */
export function taggedObject(tag: string, variants: Readonly<Record<string, Kind>>): Kind {
  const byName = new Map(Object.entries(variants));
  const expected = listNames([...byName.keys()]);
  const schemas = [...byName].map(([name, { schema }]) => taggedSchema(tag, name, schema));
  const [only] = schemas;
  return {
    check: (value, param, mode) => {
      if (!isObject(value)) return invalidType(param, 'an object');
      const name = value[tag];
      if (name === undefined) return missingRequiredParameter(`${param}.${tag}`);
      if (typeof name !== 'string') return invalidType(`${param}.${tag}`, 'a string');
      const variant = byName.get(name);
      if (variant !== undefined) return variant.check(value, param, mode);
      return mode.lenient ? null : invalidValue(`${param}.${tag}`, expected);
    },
    schema: only !== undefined && schemas.length === 1 ? only : { oneOf: schemas },
  };
}

const taggedSchema = (tag: string, name: string, schema: Schema): Schema => ({
  ...schema,
  properties: { [tag]: { type: 'string', enum: [name] }, ...(schema.properties as object | undefined) },
  required: [tag, ...((schema.required as string[] | undefined) ?? [])],
});

export interface ListRange {
  readonly min?: number;
  readonly max?: number;
}

export function arrayOf(item: Kind, { min = 0, max = Infinity }: ListRange = {}): Kind {
  const expected =
    max < Infinity ? `an array of ${min > 0 ? `${min} to` : 'at most'} ${max} entries` : 'a non-empty array';
  return {
    check: (value, param, mode) => {
      if (!Array.isArray(value)) return invalidType(param, 'an array');
      if (value.length < min || value.length > max) return invalidValue(param, expected);
      return checkItems(value, item.check, param, mode);
    },
    schema: {
      type: 'array',
      items: item.schema,
      ...(min > 0 && { minItems: min }),
      ...(max < Infinity && { maxItems: max }),
    },
  };
}

/** Paths are built only for an invalid item, because a body can have thousands of items. */
function checkItems(items: readonly unknown[], check: Check, param: string, mode: Mode): GatewayError | null {
  for (let i = 0; i < items.length; i++)
    if (check(items[i], param, mode) !== null) return check(items[i], `${param}[${i}]`, mode);
  return null;
}

export const mapOf = (field: Kind): Kind => ({
  check: (value, param, mode) => {
    if (!isObject(value)) return invalidType(param, 'an object');
    for (const name of Object.keys(value)) {
      const violation = field.check(value[name], `${param}.${name}`, mode);
      if (violation !== null) return violation;
    }
    return null;
  },
  schema: { type: 'object', additionalProperties: field.schema },
});

type UnionType = 'string' | 'array' | 'object';
const EXPECTED: Readonly<Record<UnionType, string>> = { string: 'a string', array: 'an array', object: 'an object' };

/** A union that the JSON type distinguishes: `stop` is a string or an array. */
export function either(kinds: Readonly<Partial<Record<UnionType, Kind>>>): Kind {
  const byType = new Map(Object.entries(kinds));
  const expected = [...byType.keys()].map((type) => EXPECTED[type as UnionType]).join(' or ');
  return {
    check: (value, param, mode) => {
      const kind = byType.get(Array.isArray(value) ? 'array' : typeof value);
      return kind === undefined || value === null ? invalidType(param, expected) : kind.check(value, param, mode);
    },
    schema: { oneOf: [...byType.values()].map(({ schema }) => schema) },
  };
}

export const STOP_SEQUENCES_MAX = 4;

export const stopSequences: Kind = either({ string: string(), array: arrayOf(string(), { max: STOP_SEQUENCES_MAX }) });
