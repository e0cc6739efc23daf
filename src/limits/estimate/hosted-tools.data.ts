import type { UsageKind } from '../../costs/usage-kinds.data.js';

/** A tool that the provider runs, and bills by call. */
export interface HostedTool {
  /** The beginning of its `type`. Vendors add dates and versions. */
  readonly type: string;
  readonly kind: UsageKind | null;
  /** Input tokens that the results of one call add. */
  readonly inputTokens: number;
}

export const HOSTED_TOOLS: readonly HostedTool[] = [
  { type: 'web_search', kind: 'web_searches', inputTokens: 8000 },
  { type: 'x_search', kind: 'web_searches', inputTokens: 8000 },
  { type: 'web_fetch', kind: null, inputTokens: 8000 },
  // Up to 20 results of 800 tokens.
  { type: 'file_search', kind: 'file_searches', inputTokens: 16_000 },
  { type: 'code_interpreter', kind: 'code_executions', inputTokens: 1000 },
  { type: 'code_execution', kind: 'code_executions', inputTokens: 1000 },
  { type: 'image_generation', kind: 'images', inputTokens: 1000 },
];

/** Calls of each tool, if the request states no maximum. */
export const CALLS_ASSUMED = 3;
