import { storedFile } from '../files/files.route.js';
import { pageOf } from '../memory/page.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { objectOr, requiredString } from '../wire/fields.js';
import { parseJsonObject } from '../wire/json-object.js';
import { invalidValue, objectNotFound } from '../wire/vendor-error.js';
import { attachedFile } from './attached-file.js';
import type { VectorStore, VectorStoreFile } from './vector-store.js';
import { keepStore, keptStore } from './vector-stores.route.js';

export const VECTOR_STORE_FILES_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: '/v1/vector_stores/{store}/files', handle: listAttachedFiles },
  { method: 'POST', path: '/v1/vector_stores/{store}/files', handle: attachFile },
  { method: 'GET', path: '/v1/vector_stores/{store}/files/{file}', handle: retrieveAttachedFile },
  { method: 'POST', path: '/v1/vector_stores/{store}/files/{file}', handle: changeAttributes },
  { method: 'DELETE', path: '/v1/vector_stores/{store}/files/{file}', handle: detachFile },
  { method: 'GET', path: '/v1/vector_stores/{store}/files/{file}/content', handle: attachedContent },
];

const FILES_MAX = 10_000;

/** Attaching a file again replaces its entry. */
function attachFile({ params, body, memory }: SandboxRequest): JsonResponse {
  const store = keptStore(memory, params.store ?? '');
  const asked = parseJsonObject(body);
  const file = storedFile(memory, requiredString(asked, 'file_id'));
  const attached = attachedFile(
    store.id,
    file,
    objectOr(asked.attributes, {}),
    objectOr(asked.chunking_strategy, { type: 'auto' }),
  );
  const others = store.files.filter((one) => one.id !== file.id);

  if (others.length >= FILES_MAX) throw invalidValue('file_id', `a store can hold at most ${FILES_MAX} files`);
  keepStore(memory, { ...store, files: [...others, attached] });
  return jsonResponse(attached);
}

/** All files have the status `completed`, so a `filter` for another status matches none. */
function listAttachedFiles({ params, query, memory }: SandboxRequest): JsonResponse {
  const { files } = keptStore(memory, params.store ?? '');
  const filter = query.get('filter') ?? 'completed';

  return jsonResponse(
    pageOf(
      files.filter((file) => file.status === filter),
      query,
    ),
  );
}

function retrieveAttachedFile({ params, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(attached(keptStore(memory, params.store ?? ''), params.file ?? ''));
}

function changeAttributes({ params, body, memory }: SandboxRequest): JsonResponse {
  const store = keptStore(memory, params.store ?? '');
  const before = attached(store, params.file ?? '');
  const changed = { ...before, attributes: objectOr(parseJsonObject(body).attributes, {}) };
  const files = store.files.map((file) => (file.id === changed.id ? changed : file));

  keepStore(memory, { ...store, files });
  return jsonResponse(changed);
}

function attachedContent({ params, memory }: SandboxRequest): JsonResponse {
  const { id } = attached(keptStore(memory, params.store ?? ''), params.file ?? '');
  const data = [{ type: 'text', text: storedFile(memory, id).bytes.toString() }];

  return jsonResponse({ object: 'vector_store.file_content.page', data, has_more: false, next_page: null });
}

/** Removes the file from the store but does not delete it. */
function detachFile({ params, memory }: SandboxRequest): JsonResponse {
  const store = keptStore(memory, params.store ?? '');
  const { id } = attached(store, params.file ?? '');

  keepStore(memory, { ...store, files: store.files.filter((file) => file.id !== id) });
  return jsonResponse({ id, object: 'vector_store.file.deleted', deleted: true });
}

function attached(store: VectorStore, id: string): VectorStoreFile {
  const file = store.files.find((one) => one.id === id);

  if (file === undefined) throw objectNotFound('file', id);
  return file;
}
