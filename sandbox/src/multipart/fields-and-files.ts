import type { IncomingHttpHeaders } from 'node:http';

import { type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { Form } from './form.js';
import type { FormPart } from './form-part.js';

interface FieldsAndFiles {
  readonly fields: JsonObject;
  readonly files: readonly FormPart[];
}

export function readFieldsAndFiles(headers: IncomingHttpHeaders, body: Buffer): FieldsAndFiles {
  if (body.length === 0) return { fields: {}, files: [] };
  if (!/^multipart\//i.test(headers['content-type'] ?? '')) return { fields: parseJsonObject(body), files: [] };

  const form = new Form(headers['content-type'], body);

  return { fields: form.fields(), files: form.allFiles() };
}
