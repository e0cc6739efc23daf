import type { TokenUsage } from '../../../request-context/token-usage.js';
import type { ResponseFormat } from '../response-format.js';
import type { UsageReader } from '../usage-formats.data.js';

/** The beginning of a request or a response, and the length of the whole. */
export interface Side {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** A request and a response whose tokens are counted. It is sent to another thread, so it holds data only. */
export interface EstimateJob {
  /** Decides the tokenizer. */
  readonly model: string | null;
  /** The client's JSON; null: the input is known. */
  readonly request: Side | null;
  /** null: the output is known, or there is none. */
  readonly answer: (Side & { readonly format: ResponseFormat }) | null;
}

export interface Estimate {
  readonly input: number;
  readonly output: number;
}

/** Tokens of one text. */
export type CountTokens = (text: string) => number;

/** The memory that a waiting job holds. */
export const bytesOf = ({ request, answer }: EstimateJob): number =>
  (request?.bytes.length ?? 0) + (answer?.bytes.length ?? 0);

/**
 * The sides whose tokens are estimated: those that are reported as 0 or not at all, on routes that are estimated (D14). None
 * if the upstream did not receive the whole request, or if the report is complete.
 * @param usage the reported usage, possibly a part of it if the response was cut
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
