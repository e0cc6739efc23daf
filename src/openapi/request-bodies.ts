import { isObject } from '../validation/check.js';

type Node = Record<string, unknown>;

const isNode: (value: unknown) => value is Node = isObject;

/**
 * Allows null for every optional field at any depth, because routes under /v1 treat null as an omitted field (D30). Map values
 * and list items are not affected. Changes `schema` in place.
 */
export function allowNullForOptional(schema: unknown): void {
  if (!isNode(schema)) return;
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  for (const [name, field] of Object.entries(isNode(schema.properties) ? schema.properties : {})) {
    allowNullForOptional(field);
    if (isNode(field) && !required.has(name)) allowNull(field);
  }
  for (const part of [schema.items, schema.additionalProperties, ...alternatives(schema)]) allowNullForOptional(part);
}

/** Forbids undeclared fields, because /admin rejects them (D16). Changes `schema` in place. */
export function refuseUnknown(schema: unknown): void {
  if (isNode(schema)) schema.additionalProperties = false;
}

export function requireOneOf(schema: unknown, fields: readonly string[]): void {
  if (isNode(schema)) schema.anyOf = fields.map((field) => ({ required: [field] }));
}

const alternatives = ({ oneOf, anyOf }: Node): unknown[] =>
  [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));

function allowNull(schema: Node): void {
  const { type, enum: names } = schema;
  const list = [schema.oneOf, schema.anyOf].find((given) => Array.isArray(given));
  // Operations can share a schema, so null might already be allowed.
  const isNull = (one: unknown) => isNode(one) && one.type === 'null';
  if (list !== undefined) list.push(...(list.some(isNull) ? [] : [{ type: 'null' }]));
  else if (typeof type === 'string' && type !== 'null') schema.type = [type, 'null'];
  if (Array.isArray(names) && !names.includes(null)) schema.enum = [...(names as unknown[]), null];
}
