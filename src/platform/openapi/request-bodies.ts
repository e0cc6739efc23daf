import type { OpenAPIObject } from '@nestjs/swagger';
import type { Config } from '../config/config.js';
import { fieldsOf } from '../request-context/context.decorator.js';
import type { DeclaredRoute } from '../routes/declared-routes.js';
import { isObject } from '../validation/check.js';
import { readMetadata, type FieldRule } from '../validation/body-rules.js';

type Node = Record<string, unknown>;

const isNode: (value: unknown) => value is Node = isObject;

/** Adds to the schema of a body what decorators cannot express. Changes `document` in place; a second call changes nothing. */
export function finishBody(
  document: OpenAPIObject,
  body: object | undefined,
  { handle, spec }: DeclaredRoute,
  validation: Config['validation'],
): void {
  const schemas = document.components?.schemas ?? {};
  const dto = fieldsOf(handle);
  if (validation === 'provider' && dto !== undefined)
    keepOnlyGatewayFields(schemas[dto.name] as Node, readMetadata(dto).fields);
  const name = body === undefined ? undefined : schemaName(body);
  if (name === undefined) return;
  if (spec?.kind === 'admin' || spec?.kind === 'dashboard') forbidUnknown(schemas, name);
  else if (spec?.kind === 'gateway' && (spec.body === 'json' || spec.body === 'opaque'))
    allowNullForOptional(schemas[name]);
}

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema?: { readonly $ref?: string } } };
}

const schemaName = (body: Content): string | undefined =>
  body.content?.['application/json']?.schema?.$ref?.split('/').at(-1);

/** Fields that the provider checks keep only their description and example (`GW_VALIDATION=provider`). */
function keepOnlyGatewayFields(schema: Node, fields: readonly FieldRule[]): void {
  const properties = schema.properties as Record<string, Node>;
  for (const { name, readByGateway } of fields) {
    const property = properties[name];
    if (property === undefined || readByGateway !== undefined) continue;
    const shown = ['description', 'example'].filter((keyword) => property[keyword] !== undefined);
    properties[name] = Object.fromEntries(shown.map((keyword) => [keyword, property[keyword]]));
  }
  const required = fields.filter(({ readByGateway }) => readByGateway === 'required').map(({ name }) => name);
  delete schema.required;
  delete schema.anyOf;
  if (required.length > 0) schema.required = required;
}

/** Operator routes reject undeclared fields at any depth (D16). */
function forbidUnknown(schemas: Readonly<Record<string, unknown>>, name: string): void {
  const schema = schemas[name];
  if (!isNode(schema)) return;
  schema.additionalProperties = false;
  for (const [, nested] of JSON.stringify(schema).matchAll(/"\$ref":"[^"]+\/([^"/]+)"/g))
    forbidUnknown(schemas, nested!);
}

/** Routes under /v1 treat null as an omitted field, at any depth (D30). Map values and list items must not be null. */
function allowNullForOptional(schema: unknown): void {
  if (!isNode(schema)) return;
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  for (const [name, field] of Object.entries(isNode(schema.properties) ? schema.properties : {})) {
    allowNullForOptional(field);
    if (isNode(field) && !required.has(name)) allowNull(field);
  }
  for (const part of [schema.items, schema.additionalProperties, ...alternatives(schema)]) allowNullForOptional(part);
}

const alternatives = ({ oneOf, anyOf }: Node): unknown[] =>
  [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));

function allowNull(schema: Node): void {
  const { type, enum: names } = schema;
  const list = [schema.oneOf, schema.anyOf].find((given) => Array.isArray(given));
  const isNull = (one: unknown) => isNode(one) && one.type === 'null';
  if (list !== undefined) list.push(...(list.some(isNull) ? [] : [{ type: 'null' }]));
  else if (typeof type === 'string' && type !== 'null') schema.type = [type, 'null'];
  if (Array.isArray(names) && !names.includes(null)) schema.enum = [...(names as unknown[]), null];
}
