import type { JsonObject } from '../../../platform/validation/check.js';

interface ObjectRoute {
  readonly methods: readonly ('GET' | 'POST')[];
  /**
   * Whether rows are deleted after 90 days without use. This applies to objects that providers delete themselves, or that would
   * accumulate.
   */
  readonly expires: boolean;
  /** Default: each request. @param json the parsed request body */
  readonly when?: (json: JsonObject | null) => boolean;
  /** Parts of the events that name objects anywhere in a stream. Without them, only the beginning of a stream is read. */
  readonly marks?: readonly string[];
}

const POST = ['POST'] as const;
const GET = ['GET'] as const;
const BOTH = ['GET', 'POST'] as const;

const lasting: ObjectRoute = { methods: POST, expires: false };
const expiring: ObjectRoute = { methods: POST, expires: true };
/** For a GET whose response names files that the provider created after the original request. */
const lastingResult: ObjectRoute = { methods: GET, expires: false };
const expiringResult: ObjectRoute = { methods: GET, expires: true };

/** Routes whose successful JSON responses name objects that later requests can name. */
export const OBJECT_ROUTES: ReadonlyMap<string, ObjectRoute> = new Map<string, ObjectRoute>([
  ['/v1/files', lasting],
  ['/v1/uploads', expiring],
  ['/v1/uploads/{upload_id}/complete', lasting],
  ['/v1/assistants', lasting],
  ['/v1/threads', expiring],
  ['/v1/threads/runs', expiring],
  ['/v1/threads/{thread_id}/messages', { methods: BOTH, expires: true }],
  ['/v1/threads/{thread_id}/messages/{message_id}', expiringResult],
  ['/v1/threads/{thread_id}/runs', expiring],
  ['/v1/threads/{thread_id}/runs/{run_id}/steps', expiringResult],
  ['/v1/threads/{thread_id}/runs/{run_id}/steps/{step_id}', expiringResult],
  ['/v1/vector_stores', lasting],
  ['/v1/vector_stores/{vector_store_id}/file_batches', expiring],
  ['/v1/batches', lasting],
  ['/v1/batches/{batch_id}', lastingResult],
  ['/v1/batches/{batch_id}/cancel', lasting],
  ['/v1/messages/batches', expiring],
  ['/v1/fine_tuning/jobs', lasting],
  ['/v1/fine_tuning/jobs/{job_id}', lastingResult],
  ['/v1/conversations', lasting],
  ['/v1/containers', expiring],
  ['/v1/containers/{container_id}/files', expiring],
  ['/v1/evals', lasting],
  ['/v1/evals/{eval_id}/runs', expiring],
  ['/v1/skills', lasting],
  ['/v1/videos', expiring],
  ['/v1/videos/edits', expiring],
  ['/v1/videos/extensions', expiring],
  ['/v1/videos/{video_id}/remix', expiring],
  ['/v1/videos/characters', lasting],
  ['/v1/audio/voices', lasting],
  ['/v1/audio/voice_consents', lasting],
  ['/v1/live/sessions', expiring],
  ['/v1/live/sessions/{session_id}/fork', expiring],
  // Without `store`, the items contain what a later request needs, encrypted for the account.
  ['/v1/responses', { ...expiring, marks: ['"response"', '"item"'] }],
  ['/v1/responses/compact', expiring],
  // A background response gets its output later.
  ['/v1/responses/{id}', expiringResult],
  ['/v1/chat/completions', { ...expiring, when: (json) => json?.store === true }],
  // Containers of code execution, and signatures of thinking blocks.
  [
    '/v1/messages',
    { ...expiring, marks: ['"message"', '"signature', '"redacted_thinking"', '"content_block_stop"', '"container"'] },
  ],
]);

/** A successful DELETE deletes the object that the last ID of the path names. Other DELETE routes delete only a part or a link. */
export const DELETING_ROUTES: ReadonlySet<string> = new Set([
  '/v1/files/{file_id}',
  '/v1/assistants/{assistant_id}',
  '/v1/threads/{thread_id}',
  '/v1/threads/{thread_id}/messages/{message_id}',
  '/v1/vector_stores/{vector_store_id}',
  '/v1/responses/{id}',
  '/v1/chat/completions/{completion_id}',
  '/v1/conversations/{conversation_id}',
  '/v1/messages/batches/{batch_id}',
  '/v1/containers/{container_id}',
  '/v1/containers/{container_id}/files/{file_id}',
  '/v1/evals/{eval_id}',
  '/v1/evals/{eval_id}/runs/{run_id}',
  '/v1/skills/{skill_id}',
  '/v1/videos/{video_id}',
  '/v1/audio/voices/{voice_id}',
  '/v1/audio/voice_consents/{consent_id}',
]);

/** Routes that run inference only on the given input. Their bodies name no stored object. A body can be large, and is not searched. */
export const ROUTES_WITHOUT_OBJECTS: ReadonlySet<string> = new Set([
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
  '/v1/decisions',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
]);

/** Routes whose bodies name stored objects, but which stage 4 does not parse. */
export const UNPARSED_ROUTES_WITH_OBJECTS: ReadonlySet<string> = new Set([
  '/v1/threads',
  '/v1/vector_stores',
  '/v1/containers',
]);

/** Path parameters that name no stored object, or only a part of the object before them. */
export const OTHER_PARAMETERS: ReadonlySet<string> = new Set([
  'model',
  'version',
  'call_id',
  'item_id',
  'output_item_id',
  'step_id',
]);
