import type { TokenUsage } from '../../../request-context/token-usage.js';
import type { ResponseFormat } from '../response-format.js';
import type { UsageReader } from '../usage-formats.data.js';

/** The kept bytes of a request or a response, and the length of all its bytes. */
export interface Side {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** A request and a response to count. It is sent to another thread, so it contains only data. */
export interface EstimateJob {
  readonly model: string | null;
  /** The request body. Null if the input is known. */
  readonly request: Side | null;
  /** Null if the output is known, or if the route has no output. */
  readonly answer: (Side & { readonly format: ResponseFormat }) | null;
}

export interface Estimate {
  readonly input: number;
  readonly output: number;
}

export type CountTokens = (text: string) => number;

export const bytesOf = ({ request, answer }: EstimateJob): number =>
  (request?.bytes.length ?? 0) + (answer?.bytes.length ?? 0);

/**
 * Returns the sides to estimate: those that are missing or reported as 0, if the route allows estimates (D14). Nothing is
 * estimated if the report is complete, or if the upstream did not receive the whole request.
 */
export function sidesToEstimate(
  usage: TokenUsage,
  sentWhole: boolean,
  estimates: UsageReader['estimates'],
): { readonly request: boolean; readonly answer: boolean } {
  if (usage.provenance === 'reported' || !sentWhole || estimates === 'nothing')
    return { request: false, answer: false };
  return {
    request: usage.inputTokens === 0,
    answer: usage.outputTokens === 0 && estimates === 'request and answer',
  };
}
