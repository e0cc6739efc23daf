/**
 * Tokens of one call and where the figures come from (D14):
 * `reported` by the upstream; `partial` when a stream was cut after part of its report; `estimated` by a tokenizer;
 * `none` when nothing is known, both figures 0 then.
 */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly provenance: 'reported' | 'partial' | 'estimated' | 'none';
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, provenance: 'none' };
