import type { TokenUsage } from '../../../platform/request-context/token-usage.js';
import type { ResponseFormat } from '../response-format.js';
import type { UsageReader } from '../usage-formats.data.js';

/** The kept bytes of a request or a response, and the length of all its bytes. */
export interface Side {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** It is sent to another thread, so it contains only data. */
export interface EstimateJob {
  readonly model: string | null;
  /** Null if the input is known. */
  readonly request: Side | null;
  /** Null if the output is known, or if the route has no output. */
  readonly response: (Side & { readonly format: ResponseFormat }) | null;
}

export interface Estimate {
  readonly input: number;
  readonly output: number;
  /** The number of choices in the response, by their highest index. Absent if there are none. */
  readonly choices?: number;
}

export type CountTokens = (text: string) => number;

export const bytesOf = ({ request, response }: EstimateJob): number =>
  (request?.bytes.length ?? 0) + (response?.bytes.length ?? 0);

/** Sides that are missing or reported as 0, if the route allows estimates and the whole request was sent (D14). */
export function sidesToEstimate(
  usage: TokenUsage,
  sentWhole: boolean,
  estimates: UsageReader['estimates'],
): { readonly request: boolean; readonly response: boolean } {
  if (usage.provenance === 'reported' || !sentWhole || estimates === 'nothing')
    return { request: false, response: false };
  return {
    request: usage.inputTokens === 0,
    response: usage.outputTokens === 0 && estimates === 'request and response',
  };
}
