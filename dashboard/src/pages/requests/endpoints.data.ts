import type { paths } from '../../api/schema';

type Endpoint = Extract<keyof paths, `/v1/${string}`>;

/** Routes as logs and statistics name them; none can be missing, since each has to be told. */
const KNOWN: Readonly<Record<Endpoint, true>> = {
  '/v1/chat/completions': true,
  '/v1/completions': true,
  '/v1/responses': true,
  '/v1/responses/{id}': true,
  '/v1/messages': true,
  '/v1/messages/{message_id}': true,
  '/v1/embeddings': true,
  '/v1/models': true,
  '/v1/models/{model}': true,
  '/v1/audio/speech': true,
  '/v1/audio/transcriptions': true,
  '/v1/images/generations': true,
  '/v1/images/edits': true,
  '/v1/files': true,
  '/v1/files/{file_id}': true,
  '/v1/files/{file_id}/content': true,
  '/v1/assistants': true,
  '/v1/assistants/{assistant_id}': true,
  '/v1/threads': true,
  '/v1/threads/{thread_id}': true,
  '/v1/threads/{thread_id}/messages': true,
  '/v1/threads/{thread_id}/messages/{message_id}': true,
  '/v1/threads/{thread_id}/runs': true,
  '/v1/threads/{thread_id}/runs/{run_id}': true,
  '/v1/threads/{thread_id}/runs/{run_id}/cancel': true,
  '/v1/threads/{thread_id}/runs/{run_id}/steps': true,
  '/v1/vector_stores': true,
  '/v1/vector_stores/{vector_store_id}': true,
  '/v1/vector_stores/{vector_store_id}/files': true,
  '/v1/vector_stores/{vector_store_id}/files/{file_id}': true,
  '/v1/usage': true,
};

export const ENDPOINTS: readonly string[] = Object.keys(KNOWN);
