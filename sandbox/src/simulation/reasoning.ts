const TOKENS_OTHERWISE = 16;
const TOKENS: Readonly<Record<string, number>> = { none: 0, minimal: 4, low: 8, medium: 16, high: 32, xhigh: 64 };

/** Returns the number of hidden reasoning tokens by effort. They count towards the token limit before any others. */
export function reasoningTokens(effort: unknown, tokensMax: number | null): number {
  if (typeof effort !== 'string') return 0;
  return Math.min(TOKENS[effort] ?? TOKENS_OTHERWISE, tokensMax ?? Infinity);
}
