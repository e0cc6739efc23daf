import type { UnmeasuredKind } from '../request-context/token-usage.js';

/** `tokens` are all kinds of tokens. The other names are those of `UsageKind`. */
type BilledUnit = 'tokens' | 'images' | 'characters' | 'file_searches' | 'code_executions' | UnmeasuredKind;

/** Units that the provider can bill for a POST request of a route. */
export interface BilledUnits {
  readonly units: readonly BilledUnit[];
  /** Units that count as unmeasured if the response does not report them. The others are estimated, or known from the request. */
  readonly unreported: readonly UnmeasuredKind[];
  /** The response to this request never reports them. */
  readonly never?: true;
  /** A later response can report them, by the ID of the object that this request creates. */
  readonly later?: true;
}

const TEXT: BilledUnits = {
  units: ['tokens', 'web_searches', 'file_searches', 'code_executions', 'images'],
  unreported: [],
};
const IMAGES: BilledUnits = { units: ['images', 'tokens'], unreported: [] };
const AUDIO: BilledUnits = { units: ['audio_seconds', 'tokens'], unreported: ['audio_seconds'] };
/** The usage of a run or a job is known when it is complete. */
const RUN: BilledUnits = { units: TEXT.units, unreported: ['input', 'output'], later: true };
const JOB: BilledUnits = { units: TEXT.units, unreported: ['input', 'output'], never: true };
/** The provider bills completed videos only. */
const VIDEO: BilledUnits = { units: ['video_seconds'], unreported: ['video_seconds'], never: true, later: true };
/** The client connects to the provider directly. */
const SESSION: BilledUnits = {
  units: ['tokens'],
  unreported: ['input', 'output', 'audio_input', 'audio_output'],
  never: true,
};

/** By endpoint. The provider does not bill other routes, and none but POST. A test compares the table with `ROUTE_ESTIMATES`. */
export const BILLED_UNITS: ReadonlyMap<string, BilledUnits> = new Map<string, BilledUnits>([
  ['/v1/chat/completions', TEXT],
  ['/v1/completions', TEXT],
  ['/v1/messages', TEXT],
  ['/v1/responses', TEXT],
  ['/v1/responses/compact', TEXT],
  ['/v1/decisions', TEXT],
  ['/v1/embeddings', { units: ['tokens'], unreported: [] }],
  ['/v1/images/generations', IMAGES],
  ['/v1/images/edits', IMAGES],
  ['/v1/images/variations', IMAGES],
  ['/v1/audio/speech', { units: ['characters', 'tokens'], unreported: [] }],
  ['/v1/audio/transcriptions', AUDIO],
  ['/v1/audio/translations', AUDIO],
  ['/v1/batches', { ...JOB, later: true }],
  ['/v1/messages/batches', JOB],
  ['/v1/threads/runs', RUN],
  ['/v1/threads/{thread_id}/runs', RUN],
  ['/v1/threads/{thread_id}/runs/{run_id}/submit_tool_outputs', { units: TEXT.units, unreported: [] }],
  ['/v1/evals/{eval_id}/runs', JOB],
  ['/v1/fine_tuning/jobs', JOB],
  ['/v1/fine_tuning/jobs/{job_id}/resume', JOB],
  ['/v1/fine_tuning/alpha/graders/run', JOB],
  ['/v1/realtime/client_secrets', SESSION],
  ['/v1/realtime/translations/client_secrets', SESSION],
  ['/v1/realtime/sessions', SESSION],
  ['/v1/realtime/transcription_sessions', SESSION],
  ['/v1/realtime/calls/{call_id}/accept', SESSION],
  ['/v1/live/sessions', SESSION],
  ['/v1/live/sessions/{session_id}/accept', SESSION],
  ['/v1/live/sessions/{session_id}/fork', SESSION],
  ['/v1/videos', VIDEO],
  ['/v1/videos/edits', VIDEO],
  ['/v1/videos/extensions', VIDEO],
  ['/v1/videos/{video_id}/remix', VIDEO],
  ['/v1/videos/characters', VIDEO],
  ['/v1/audio/voices', { units: ['requests'], unreported: ['requests'], never: true }],
  ['/v1/containers', { units: ['code_executions'], unreported: [] }],
  ['/v1/vector_stores/{vector_store_id}/search', { units: ['file_searches'], unreported: [] }],
]);
