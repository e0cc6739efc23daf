import { storedFile } from '../files/files.route.js';
import { keptObject, type ObjectFamily, objectRoutes, statusRoute } from '../memory/object-routes.js';
import { pageOf } from '../memory/page.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr, requiredString } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { missingParameter } from '../wire/vendor-error.js';
import { attachedFile } from './attached-file.js';
import { keepStore, keptStore } from './vector-stores.route.js';

const BATCHES: ObjectFamily = {
  kind: 'fileBatch',
  path: '/v1/vector_stores/{store}/file_batches',
  make: ({ fields, params, memory }) => {
    const ids = attachAll(fields, params.store ?? '', memory);
    const counts = { in_progress: 0, completed: ids.length, failed: 0, cancelled: 0, total: ids.length };

    return {
      object: 'vector_store.files_batch',
      vector_store_id: params.store,
      status: 'completed',
      file_counts: counts,
    };
  },
  bytes: ({ fields }) => Buffer.from(fileIds(fields).join(' ')),
};

/** A batch attaches all of its files when it is created. */
export const FILE_BATCHES_ROUTES: readonly SandboxRoute[] = [
  ...objectRoutes(BATCHES).filter(({ method, path }) => method === 'POST' || path !== BATCHES.path),
  // A batch is completed immediately, so canceling does not change it.
  statusRoute(BATCHES, '/cancel', ['completed'], () => ({})),
  { method: 'GET', path: `${BATCHES.path}/{id}/files`, handle: listBatchFiles },
];

function listBatchFiles(request: SandboxRequest): JsonResponse {
  const { bytes } = keptObject(BATCHES, request);
  const { files } = keptStore(request.memory, request.params.store ?? '');
  const ids = String(bytes).split(' ');

  return jsonResponse(
    pageOf(
      files.filter(({ id }) => ids.includes(id)),
      request.query,
    ),
  );
}

function fileIds(fields: JsonObject): string[] {
  return askedFiles(fields).map((one) => requiredString(one, 'file_id'));
}

/** Reads `file_ids` with common attributes, or `files` with their own attributes. */
function askedFiles(fields: JsonObject): JsonObject[] {
  const common = { attributes: fields.attributes, chunking_strategy: fields.chunking_strategy };

  return [
    ...arrayOr(fields.file_ids).map((id): JsonObject => ({ ...common, file_id: id })),
    ...arrayOr(fields.files).filter(isJsonObject),
  ];
}

function attachAll(fields: JsonObject, storeId: string, memory: SandboxRequest['memory']): string[] {
  const store = keptStore(memory, storeId);
  const asked = askedFiles(fields);

  if (asked.length === 0) throw missingParameter('file_ids');

  const added = asked.map((one) =>
    attachedFile(
      store.id,
      storedFile(memory, requiredString(one, 'file_id')),
      objectOr(one.attributes, {}),
      objectOr(one.chunking_strategy, { type: 'auto' }),
    ),
  );
  const ids = added.map(({ id }) => id);

  keepStore(memory, { ...store, files: [...store.files.filter(({ id }) => !ids.includes(id)), ...added] });
  return ids;
}
