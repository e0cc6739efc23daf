import type { ResponseFormat } from '../response-format.js';

/** The beginning of a request or an answer, and how long the whole of it is. */
export interface Side {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** What is to be counted; it is sent to another thread, so it is data only. */
export interface EstimateJob {
  /** Its family says which tokenizer. */
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

export const NO_TOKENS: Estimate = { input: 0, output: 0 };

/** A job's share of the queue's memory. */
export const bytesOf = ({ request, answer }: EstimateJob): number =>
  (request?.bytes.length ?? 0) + (answer?.bytes.length ?? 0);
