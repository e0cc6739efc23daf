import type { ResponseFormat } from '../response-format.js';

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
