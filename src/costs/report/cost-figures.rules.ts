import { COUNTED_KINDS, type UsageKind } from '../usage-kinds.data.js';

/** Numbers of requests. They are exact up to 2^53. */
export interface RequestCounts {
  readonly requests: number;
  /** Requests of which at least a part has no price. */
  readonly unpricedRequests: number;
  /** Requests whose usage is estimated, completely or in part. */
  readonly estimatedRequests: number;
  /** Requests before the release that introduced costs. Their costs are computed from daily totals. */
  readonly backfilledRequests: number;
}

export interface CostFigures extends RequestCounts {
  /** A lower bound if requests are unpriced. */
  readonly nanos: bigint;
  readonly units: Readonly<Record<UsageKind, number>>;
}

/** The columns of a result, as the driver returns them: bigint and numeric are text. */
export type FiguresRow = Readonly<Record<string, unknown>>;

export const requestCountsOf = (row: FiguresRow): RequestCounts => ({
  requests: Number(row.requests),
  unpricedRequests: Number(row.unpriced_requests),
  estimatedRequests: Number(row.estimated_requests),
  backfilledRequests: Number(row.backfilled_requests),
});

export const figuresOf = (row: FiguresRow): CostFigures => ({
  ...requestCountsOf(row),
  nanos: BigInt(row.cost_nanos as string),
  units: unitsOf((kind) => Number(row[kind])),
});

export const sumOfCounts = (parts: readonly RequestCounts[]): RequestCounts => ({
  requests: total(parts, ({ requests }) => requests),
  unpricedRequests: total(parts, ({ unpricedRequests }) => unpricedRequests),
  estimatedRequests: total(parts, ({ estimatedRequests }) => estimatedRequests),
  backfilledRequests: total(parts, ({ backfilledRequests }) => backfilledRequests),
});

export const sumOf = (parts: readonly CostFigures[]): CostFigures => ({
  ...sumOfCounts(parts),
  nanos: parts.reduce((sum, { nanos }) => sum + nanos, 0n),
  units: unitsOf((kind) => total(parts, ({ units }) => units[kind])),
});

/** Null if no request has a price, because unpriced is not free. */
export const knownNanos = ({ requests, unpricedRequests, nanos }: CostFigures): bigint | null =>
  requests > 0 && unpricedRequests === requests && nanos === 0n ? null : nanos;

const total = <T>(parts: readonly T[], valueOf: (part: T) => number): number =>
  parts.reduce((sum, part) => sum + valueOf(part), 0);

const unitsOf = (countOf: (kind: UsageKind) => number) =>
  Object.fromEntries(COUNTED_KINDS.map((kind) => [kind, countOf(kind)])) as CostFigures['units'];
