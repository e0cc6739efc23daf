import type { StoredFile } from '../files/stored-file.js';
import type { JsonObject } from '../wire/json-object.js';
import type { VectorStoreFile } from './vector-store.js';

const CHUNKING = { type: 'static', static: { max_chunk_size_tokens: 800, chunk_overlap_tokens: 400 } };

export function attachedFile(
  storeId: string,
  file: StoredFile,
  attributes: JsonObject,
  chunking: JsonObject = CHUNKING,
): VectorStoreFile {
  return {
    id: file.id,
    object: 'vector_store.file',
    created_at: file.createdAt,
    usage_bytes: file.bytes.length,
    vector_store_id: storeId,
    status: 'completed',
    last_error: null,
    chunking_strategy: chunking.type === 'static' ? chunking : CHUNKING,
    attributes,
  };
}
