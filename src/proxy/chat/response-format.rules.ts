import type { Kind } from '../../validation/check.js';
import { object, required, taggedObject } from '../../validation/compound-kinds.js';
import { boolean, string } from '../../validation/scalar-kinds.js';

const jsonSchema = object({ name: required(string({ min: 1 })), strict: boolean(), schema: object() });

/** `response_format`: plain text, any JSON, or JSON of a named schema. */
export const responseFormat: Kind = taggedObject('type', {
  text: object(),
  json_object: object(),
  json_schema: object({ json_schema: required(jsonSchema) }),
});
