import { expect, test } from '@jest/globals';
import { findPrice } from '../../../src/costs/pricing/price-list.js';
import type { PriceRow } from '../../../src/costs/pricing/price-row.js';
import { costOf, type RequestCost } from '../../../src/costs/pricing/request-cost.rules.js';
import { kindsOf } from '../../../src/costs/pricing/request-units.rules.js';
import type { UsageKind } from '../../../src/costs/usage-kinds.data.js';
import type { TokenUsage, UsageDetails } from '../../../src/platform/request-context/token-usage.js';

export const NO_DETAILS: UsageDetails = {
  inputIncludesCache: true,
  outputIncludesReasoning: true,
  mediaOnly: false,
  cachedInput: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  reasoning: 0,
  audioInput: 0,
  cachedAudioInput: 0,
  audioOutput: 0,
  imageInput: 0,
  imageOutput: 0,
  webSearches: 0,
  fileSearches: 0,
  codeExecutions: 0,
  images: 0,
  audioSeconds: 0,
  characters: 0,
  videoSeconds: 0,
  megabytes: 0,
  serviceTier: null,
  region: null,
  requestedTier: null,
  requestedRegion: null,
  unmeasured: null,
  imageSize: null,
  imageQuality: null,
  reportedCostNanoUsd: null,
  others: null,
};

export const reported = (inputTokens: number, outputTokens: number): TokenUsage => ({
  inputTokens,
  outputTokens,
  provenance: 'reported',
});

export const priceRow = (changes: Partial<PriceRow>): PriceRow => ({
  source: 'operator',
  provider: 'acme',
  model: 'm',
  validFromMs: null,
  validToMs: null,
  hours: null,
  prices: {},
  tiers: [],
  images: [],
  minimums: {},
  factors: null,
  ...changes,
});

export interface Report extends Partial<UsageDetails> {
  readonly input?: number;
  readonly output?: number;
  /** Default: noon on 1 October 2026, UTC. */
  readonly at?: string;
}

/**
 * A request and its expected amount, in micro-dollars per million tokens × tokens: `700 * 1_250_000` is 700 tokens at $1.25 per
 * million. One unit of a call or image at $1 is 1_000_000_000_000. The unit is 1e-12 dollars.
 */
export type AmountRow = readonly [title: string, model: string, report: Report, picoDollars: number, ...UsageKind[]];

export function costOfReport(baseUrl: string, model: string, report: Report): RequestCost | null {
  const { input = 0, output = 0, at = '2026-10-01T12:00:00Z', ...details } = report;
  const found = findPrice({ baseUrl: new URL(baseUrl), model, atMs: Date.parse(at) });
  if (found === null) return null;
  const all = { ...NO_DETAILS, ...details };
  const units = kindsOf(reported(input, output), all);
  return costOf(units, found.row, { serviceTier: all.serviceTier, region: all.region ?? found.region });
}

/** Kinds at the end of a row are those that have no price. */
export function expectAmounts(baseUrl: string, defaults: Report, rows: readonly AmountRow[]): void {
  test.each(rows)('prices %s of %s', (_title, model, report, picoDollars, ...unpriced) => {
    const cost = costOfReport(baseUrl, model, { ...defaults, ...report });
    expect(cost?.nanos).toBe(BigInt(Math.ceil(picoDollars / 1000)));
    expect(cost?.unpriced).toEqual(unpriced);
  });
}
