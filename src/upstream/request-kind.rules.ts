/** Providers limit and bill these separately. `inference` names a model, and `other` does not: files, model lists. */
export type RequestKind = 'inference' | 'count_tokens' | 'batches' | 'other';

const COUNTING: ReadonlySet<string> = new Set(['/v1/messages/count_tokens', '/v1/responses/input_tokens']);

/** @param endpoint the path template */
export function requestKindOf(endpoint: string, model: string | null): RequestKind {
  if (COUNTING.has(endpoint)) return 'count_tokens';
  if (/\/batches(?:\/|$)/.test(endpoint)) return 'batches';
  return model === null ? 'other' : 'inference';
}
