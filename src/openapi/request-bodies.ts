import { isObject } from '../validation/check.js';

type Node = Record<string, unknown>;

/** Of the document, which is changed in place. */
const isNode: (value: unknown) => value is Node = isObject;

/**
 * Lets every member that is not required be null as well, at any depth: for /v1 null is the member left out (D30), which
 * the classes of the bodies leave unsaid. Values of a map and items of a list are no members. Changes `schema` in place.
 */
export function allowNullForOptional(schema: unknown): void {
  if (!isNode(schema)) return;
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  for (const [name, member] of Object.entries(isNode(schema.properties) ? schema.properties : {})) {
    allowNullForOptional(member);
    if (isNode(member) && !required.has(name)) allowNull(member);
  }
  for (const part of [schema.items, schema.additionalProperties, ...alternatives(schema)]) allowNullForOptional(part);
}

/** Closes an object to members that it does not name, which /admin refuses (D16). Changes `schema` in place. */
export function refuseUnknown(schema: unknown): void {
  if (isNode(schema)) schema.additionalProperties = false;
}

/** Requires at least one of `fields` in an object. Changes `schema` in place. */
export function requireOneOf(schema: unknown, fields: readonly string[]): void {
  if (isNode(schema)) schema.anyOf = fields.map((field) => ({ required: [field] }));
}

const alternatives = ({ oneOf, anyOf }: Node): unknown[] =>
  [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));

function allowNull(schema: Node): void {
  const { type, enum: names } = schema;
  const list = [schema.oneOf, schema.anyOf].find((given) => Array.isArray(given));
  // Two operations can share a schema.
  const isNull = (one: unknown) => isNode(one) && one.type === 'null';
  if (list !== undefined) list.push(...(list.some(isNull) ? [] : [{ type: 'null' }]));
  else if (typeof type === 'string' && type !== 'null') schema.type = [type, 'null'];
  if (Array.isArray(names) && !names.includes(null)) schema.enum = [...(names as unknown[]), null];
}
