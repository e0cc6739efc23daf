import type { FallbackReason } from '../../platform/config/upstreams/upstreams-file.js';
import { errorOfJson } from './provider-error.rules.js';

/** Statuses with which providers reject the content of a request. */
const STATUSES: ReadonlySet<number> = new Set([400, 403, 413, 422]);

const CODES: Readonly<Record<string, FallbackReason>> = {
  context_length_exceeded: 'context_length',
  content_filter: 'content_filter',
  content_policy_violation: 'content_filter',
  responsibleaipolicyviolation: 'content_filter',
  moderation_blocked: 'content_filter',
  data_inspection_failed: 'content_filter',
};

/** Anthropic, vLLM, Google, Bedrock and others have no code of their own for these errors. */
const MESSAGES: readonly (readonly [RegExp, FallbackReason])[] = [
  [
    /(?:maximum|max|exceed\w*)[^.]{0,40}context (?:length|window|size)|context (?:length|window|size)[^.]{0,40}exceed/,
    'context_length',
  ],
  [/(?:prompt|input) is too long|input token count[^.]{0,60}exceeds|too large for model with/, 'context_length'],
  [/content filter|content management policy|flagged as potentially violating|input was flagged/, 'content_filter'],
  [/(?:blocked|rejected)[^.]{0,40}(?:safety|moderation)/, 'content_filter'],
];

export const canHaveFallback = (status: number): boolean => STATUSES.has(status);

/** Returns why the provider rejected the content of a request, or null for any other error. */
export function fallbackReasonOf(body: Buffer): FallbackReason | null {
  const error = errorOfJson(body.toString());
  if (error === null) return null;
  const { codes, message } = error;
  for (const code of codes) if (Object.hasOwn(CODES, code)) return CODES[code]!;
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}
