import { fileObject } from '../files/stored-file.js';
import { keptObject, type ObjectFamily, objectRoutes, statusRoute } from '../memory/object-routes.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, requiredString } from '../wire/fields.js';
import { parseJsonObject } from '../wire/json-object.js';
import { invalidValue, missingParameter, wrongState } from '../wire/vendor-error.js';

const HOUR_SECONDS = 3_600;
const ENTRY_BYTES = 1_000;

const UPLOADS: ObjectFamily = {
  kind: 'upload',
  path: '/v1/uploads',
  make: ({ fields }) => ({
    object: 'upload',
    bytes: fields.bytes ?? 0,
    filename: requiredString(fields, 'filename'),
    purpose: requiredString(fields, 'purpose'),
    status: 'pending',
    file: null,
  }),
};

const PARTS: ObjectFamily = {
  kind: 'uploadPart',
  path: '/v1/uploads/{parent}/parts',
  parent: 'upload',
  make: ({ params }) => ({ object: 'upload.part', upload_id: params.parent }),
  bytes: ({ files }) => {
    const [data] = files;

    if (data === undefined) throw missingParameter('data');
    return Buffer.from(data.bytes);
  },
};

/** The vendor has no routes to list uploads or parts. */
export const UPLOADS_ROUTES: readonly SandboxRoute[] = [
  ...objectRoutes(UPLOADS).filter(({ method }) => method === 'POST'),
  ...objectRoutes(PARTS).filter(({ method }) => method === 'POST'),
  statusRoute(UPLOADS, '/cancel', ['pending'], () => ({ status: 'cancelled' })),
  { method: 'POST', path: '/v1/uploads/{id}/complete', handle: completeUpload },
];

/** Joins the named parts into a file, in that order. Rejects them with 400 if their total length is wrong. */
function completeUpload(request: SandboxRequest): JsonResponse {
  const { memory, body } = request;
  const stored = keptObject(UPLOADS, request);
  const { status, filename, purpose, bytes: announced } = stored.object;

  if (status !== 'pending') throw wrongState('upload', status);

  const ids = arrayOr(parseJsonObject(body).part_ids).map(String);
  const parts = ids.map((id) => memory.objects.get('uploadPart', id, stored.id).bytes ?? Buffer.alloc(0));
  const bytes = Buffer.concat(parts);

  if (bytes.length !== announced)
    throw invalidValue('part_ids', `the parts must have ${String(announced)} bytes in total`);

  const file = memory.files.create(bytes.length + ENTRY_BYTES, (id, createdAt) => ({
    id,
    purpose: String(purpose),
    filename: String(filename),
    createdAt,
    bytes,
  }));

  for (const part of memory.objects.all('uploadPart', stored.id)) memory.objects.delete('uploadPart', part.id);

  const fields = { status: 'completed', file: fileObject(file), expires_at: file.createdAt + HOUR_SECONDS };

  return jsonResponse(memory.objects.change('upload', stored, fields).object);
}
