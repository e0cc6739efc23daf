import type { OpenAPIObject } from '@nestjs/swagger';
import { fieldsOf } from '../request-context/context.decorator.js';
import type { DeclaredRoute } from '../routes/declared-routes.js';
import { readMetadata, type FieldRule } from '../validation/field-rule.js';

type Schema = { properties?: Record<string, { description?: string }>; required?: string[]; anyOf?: unknown };

/**
 * Adapts the schemas of request bodies to `GW_VALIDATION=provider`. Only fields that the gateway itself reads keep their
 * schema and can be required. Changes `document` in place.
 */
export function leaveFieldsToProvider(document: OpenAPIObject, routes: readonly DeclaredRoute[]): void {
  for (const { handle } of routes) {
    const dto = fieldsOf(handle);
    const schema = dto === undefined ? undefined : (document.components?.schemas?.[dto.name] as Schema | undefined);
    if (dto !== undefined && schema !== undefined) keepOnlyGatewayFields(schema, readMetadata(dto).fields);
  }
}

function keepOnlyGatewayFields(schema: Schema, fields: readonly FieldRule[]): void {
  const { properties = {} } = schema;
  for (const { name, readByGateway } of fields) {
    const property = properties[name];
    if (property === undefined || readByGateway !== undefined) continue;
    properties[name] = property.description === undefined ? {} : { description: property.description };
  }
  const required = fields.filter(({ readByGateway }) => readByGateway === 'required').map(({ name }) => name);
  delete schema.required;
  delete schema.anyOf;
  if (required.length > 0) schema.required = required;
}
