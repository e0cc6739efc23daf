/**
 * How the usage of a POST request is estimated.
 * - `text`: input and output tokens of chat completions, messages and responses.
 * - `embeddings`, `images`, `speech`, `transcription`: their own units.
 */
export type MeteredEstimate = 'text' | 'embeddings' | 'images' | 'speech' | 'transcription';

/**
 * - `unmetered`: it uses tokens that the gateway cannot count, so token and cost limits reject it.
 * - `unmetered cost`: the same, but only for cost.
 * - `unmetered fee`: the same, but no model causes the cost, so limits for specific models do not apply.
 */
export type RouteEstimate = MeteredEstimate | 'unmetered' | 'unmetered cost' | 'unmetered fee';

/** By endpoint. A route without a row that has a usage reader counts as `text`. Other routes, and all but POST, use nothing. */
export const ROUTE_ESTIMATES: ReadonlyMap<string, RouteEstimate> = new Map<string, RouteEstimate>([
  ['/v1/chat/completions', 'text'],
  ['/v1/completions', 'text'],
  ['/v1/messages', 'text'],
  ['/v1/responses', 'text'],
  ['/v1/responses/compact', 'text'],
  ['/v1/decisions', 'text'],
  ['/v1/embeddings', 'embeddings'],
  ['/v1/images/generations', 'images'],
  ['/v1/images/edits', 'images'],
  ['/v1/images/variations', 'images'],
  ['/v1/audio/speech', 'speech'],
  ['/v1/audio/transcriptions', 'transcription'],
  ['/v1/audio/translations', 'transcription'],
  ['/v1/batches', 'unmetered'],
  ['/v1/messages/batches', 'unmetered'],
  ['/v1/threads/runs', 'unmetered'],
  ['/v1/threads/{thread_id}/runs', 'unmetered'],
  ['/v1/threads/{thread_id}/runs/{run_id}/submit_tool_outputs', 'unmetered'],
  ['/v1/evals/{eval_id}/runs', 'unmetered'],
  ['/v1/fine_tuning/jobs', 'unmetered'],
  ['/v1/fine_tuning/jobs/{job_id}/resume', 'unmetered'],
  ['/v1/fine_tuning/alpha/graders/run', 'unmetered'],
  ['/v1/realtime/client_secrets', 'unmetered'],
  ['/v1/realtime/translations/client_secrets', 'unmetered'],
  ['/v1/realtime/sessions', 'unmetered'],
  ['/v1/realtime/transcription_sessions', 'unmetered'],
  ['/v1/realtime/calls/{call_id}/accept', 'unmetered'],
  ['/v1/live/sessions', 'unmetered'],
  ['/v1/live/sessions/{session_id}/accept', 'unmetered'],
  ['/v1/live/sessions/{session_id}/fork', 'unmetered'],
  ['/v1/videos', 'unmetered cost'],
  ['/v1/videos/edits', 'unmetered cost'],
  ['/v1/videos/extensions', 'unmetered cost'],
  ['/v1/videos/{video_id}/remix', 'unmetered cost'],
  ['/v1/videos/characters', 'unmetered cost'],
  ['/v1/audio/voices', 'unmetered fee'],
  ['/v1/containers', 'unmetered fee'],
  ['/v1/vector_stores/{vector_store_id}/search', 'unmetered fee'],
]);

/** Routes that run models which the provider has stored: in the lines of a file, or in the graders of an eval. */
export const STORED_MODELS: ReadonlySet<string> = new Set(['/v1/batches', '/v1/evals/{eval_id}/runs']);
/** The only route whose `session` can name its model elsewhere: a transcription session. */
export const CLIENT_SECRETS = '/v1/realtime/client_secrets';
