import type { JsonObject } from '../wire/json-object.js';

/** A file in a store, in the vendor's format. Its ID is the ID of the uploaded file. */
export interface VectorStoreFile {
  readonly id: string;
  readonly object: 'vector_store.file';
  readonly created_at: number;
  readonly usage_bytes: number;
  readonly vector_store_id: string;
  readonly status: 'completed';
  readonly last_error: null;
  readonly chunking_strategy: JsonObject;
  readonly attributes: JsonObject;
}

export interface VectorStore {
  readonly id: string;
  readonly createdAt: number;
  readonly name: string;
  readonly metadata: JsonObject;
  readonly expiresAfter: JsonObject | null;
  readonly files: readonly VectorStoreFile[];
}

/** Returns the store in the vendor's format. Files are ready as soon as they are attached. */
export function vectorStoreObject(store: VectorStore): { readonly id: string; readonly [field: string]: unknown } {
  const files = store.files.length;

  return {
    id: store.id,
    object: 'vector_store',
    created_at: store.createdAt,
    name: store.name,
    usage_bytes: store.files.reduce((sum, file) => sum + file.usage_bytes, 0),
    file_counts: { in_progress: 0, completed: files, failed: 0, cancelled: 0, total: files },
    status: 'completed',
    expires_after: store.expiresAfter,
    expires_at: null,
    last_active_at: store.createdAt,
    metadata: store.metadata,
  };
}
