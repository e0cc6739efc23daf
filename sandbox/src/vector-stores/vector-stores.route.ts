import { storedFile } from '../files/files.route.js';
import { pageOf } from '../memory/page.js';
import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr, optionalString } from '../wire/fields.js';
import { isJsonObject, parseJsonObject } from '../wire/json-object.js';
import { invalidType, invalidValue, objectNotFound } from '../wire/vendor-error.js';
import { attachedFile } from './attached-file.js';
import { type VectorStore, vectorStoreObject } from './vector-store.js';

export const VECTOR_STORES_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: '/v1/vector_stores', handle: listVectorStores },
  { method: 'POST', path: '/v1/vector_stores', handle: createVectorStore },
  { method: 'GET', path: '/v1/vector_stores/{store}', handle: retrieveVectorStore },
  { method: 'POST', path: '/v1/vector_stores/{store}', handle: modifyVectorStore },
  { method: 'DELETE', path: '/v1/vector_stores/{store}', handle: deleteVectorStore },
];

const ENTRY_BYTES = 1_000;
const FILE_IDS_MAX = 500;

function createVectorStore({ body, memory }: SandboxRequest): JsonResponse {
  const asked = body.length === 0 ? {} : parseJsonObject(body);
  const fileIds = arrayOr(asked.file_ids).map((id, index) => {
    if (typeof id !== 'string') throw invalidType(`file_ids[${index}]`, 'a string');
    return id;
  });

  if (fileIds.length > FILE_IDS_MAX) throw invalidValue('file_ids', `it can have at most ${FILE_IDS_MAX} entries`);

  const files = [...new Set(fileIds)].map((id) => storedFile(memory, id));
  const store = memory.vectorStores.create(
    body.length + ENTRY_BYTES * (files.length + 1),
    (id, createdAt): VectorStore => ({
      id,
      createdAt,
      name: optionalString(asked, 'name') ?? '',
      metadata: objectOr(asked.metadata, {}),
      expiresAfter: isJsonObject(asked.expires_after) ? asked.expires_after : null,
      files: files.map((file) => attachedFile(id, file, {})),
    }),
  );

  return jsonResponse(vectorStoreObject(store));
}

function listVectorStores({ query, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(pageOf(memory.vectorStores.all().map(vectorStoreObject), query));
}

function retrieveVectorStore({ params, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(vectorStoreObject(keptStore(memory, params.store ?? '')));
}

function modifyVectorStore({ params, body, memory }: SandboxRequest): JsonResponse {
  const store = keptStore(memory, params.store ?? '');
  const asked = parseJsonObject(body);
  const changed = {
    ...store,
    name: optionalString(asked, 'name') ?? store.name,
    metadata: objectOr(asked.metadata, store.metadata),
    expiresAfter: isJsonObject(asked.expires_after) ? asked.expires_after : store.expiresAfter,
  };

  return jsonResponse(vectorStoreObject(keepStore(memory, changed)));
}

function deleteVectorStore({ params, memory }: SandboxRequest): JsonResponse {
  const { id } = keptStore(memory, params.store ?? '');

  memory.vectorStores.delete(id);
  return jsonResponse({ id, object: 'vector_store.deleted', deleted: true });
}

export function keptStore(memory: SandboxMemory, id: string): VectorStore {
  const store = memory.vectorStores.get(id);

  if (store === undefined) throw objectNotFound('vector store', id);
  return store;
}

export function keepStore(memory: SandboxMemory, store: VectorStore): VectorStore {
  return memory.vectorStores.put(store, JSON.stringify(store).length);
}
