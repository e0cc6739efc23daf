/**
 * The tokens of one request, and their provenance (D14):
 * - `reported`: by the upstream.
 * - `partial`: the stream was interrupted after a part of the report.
 * - `estimated`: by a tokenizer.
 * - `none`: unknown; both numbers are 0.
 */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly provenance: 'reported' | 'partial' | 'estimated' | 'none';
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, provenance: 'none' };
