import type { UsageKind } from '../usage-kinds.data.js';
import { COUNTED_KINDS } from './counted-kinds.data.js';

/** Sums of requests. Counts are exact up to 2^53. */
export interface CostFigures {
  readonly requests: number;
  /** Requests of which at least a part has no price. */
  readonly unpricedRequests: number;
  /** Requests whose usage is estimated, completely or in part. */
  readonly estimatedRequests: number;
  /** Requests before the release that introduced costs. Their costs are computed from daily totals. */
  readonly backfilledRequests: number;
  /** A lower bound if requests are unpriced. */
  readonly nanos: bigint;
  readonly units: Readonly<Record<UsageKind, number>>;
}

/** The columns of a result, as the driver returns them: bigint and numeric are text. */
export type FiguresRow = Readonly<Record<string, unknown>>;

export const figuresOf = (row: FiguresRow): CostFigures => ({
  requests: Number(row.requests),
  unpricedRequests: Number(row.unpriced_requests),
  estimatedRequests: Number(row.estimated_requests),
  backfilledRequests: Number(row.backfilled_requests),
  nanos: BigInt(row.cost_nanos as string),
  units: unitsOf((kind) => Number(row[kind])),
});

export const sumOf = (parts: readonly CostFigures[]): CostFigures => ({
  requests: total(parts, ({ requests }) => requests),
  unpricedRequests: total(parts, ({ unpricedRequests }) => unpricedRequests),
  estimatedRequests: total(parts, ({ estimatedRequests }) => estimatedRequests),
  backfilledRequests: total(parts, ({ backfilledRequests }) => backfilledRequests),
  nanos: parts.reduce((sum, { nanos }) => sum + nanos, 0n),
  units: unitsOf((kind) => total(parts, ({ units }) => units[kind])),
});

/** Null if no request has a price, because unpriced is not free. */
export const knownNanos = ({ requests, unpricedRequests, nanos }: CostFigures): bigint | null =>
  requests > 0 && unpricedRequests === requests && nanos === 0n ? null : nanos;

const total = (parts: readonly CostFigures[], valueOf: (part: CostFigures) => number): number =>
  parts.reduce((sum, part) => sum + valueOf(part), 0);

const unitsOf = (countOf: (kind: UsageKind) => number) =>
  Object.fromEntries(COUNTED_KINDS.map((kind) => [kind, countOf(kind)])) as CostFigures['units'];
