/** What usage is told in, whatever it is summed over (D33). Exact to 2^53, rounded above. */
export interface UsageFigures {
  /** Those that were admitted. */
  readonly requests: number;
  /** Those of them answered with 4xx or 5xx. */
  readonly errors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of the other two. */
  readonly estimatedTokens: number;
}

export const NO_FIGURES: UsageFigures = {
  requests: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  estimatedTokens: 0,
};

/** As the statements hand them out: float8, which pg reads as numbers, where it would leave a bigint a text. */
export interface FiguresRow {
  readonly requests: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly estimated_tokens: number;
}

export const figuresOf = (row: FiguresRow): UsageFigures => ({
  requests: row.requests,
  errors: row.errors,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  estimatedTokens: row.estimated_tokens,
});
