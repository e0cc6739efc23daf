import {
  type TokenUsage,
  NO_DETAILS,
  type UnmeasuredKind,
  type UsageDetails,
} from '../platform/request-context/token-usage.js';
import type { Units, UsageKind } from './usage-kinds.data.js';

/** A request without a complete price. Its cost can be computed again from it, exactly. */
export interface UnpricedRequest {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** The ID of its row in request logs. Null for the many requests without a row. */
  readonly logId: string | null;
  /** Nano-dollars that are already in the sums. Null if nothing has a price. */
  readonly nanos: bigint | null;
  readonly usage: TokenUsage;
  readonly details: UsageDetails | null;
}

/** All conditions must hold. Null if the condition does not apply. */
export interface UnpricedFilter {
  /** The requested model, or the model that lacks the price, which is usually the one in the response. */
  readonly model: string | null;
  /** The name of the upstream. */
  readonly provider: string | null;
  /** Milliseconds since 1970, both inclusive. */
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

/** The effect of pricing requests again. */
export interface Recomputed {
  /** Requests that now have a complete price. */
  readonly recomputed: number;
  /** Nano-dollars by which the totals have changed. Negative if a price has become lower than an earlier part of the cost. */
  readonly nanos: bigint;
  /** Requests that match the filter and still have no complete price. */
  readonly stillUnpriced: number;
}

/** The requests of one row of `unpriced_batches`, with the figures that lists of models need. */
export interface UnpricedPart {
  readonly requests: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly units: Units;
  /** A JSON array that `unpricedRequestsIn` reads. */
  readonly items: string;
}

/** Bounds the work of a recomputation for one row. */
const REQUESTS_PER_PART = 500;

/**
 * Collects requests that have the same names of the model, the same upstream and the same base URL. Each takes about 160 bytes of
 * memory. Many share a row of `unpriced_batches`, because a row for each would more than double the CPU time of recording.
 */
export class UnpricedRequests {
  private readonly parts: Collected[] = [];

  add(request: UnpricedRequest, units: Units): void {
    let part = this.parts.at(-1);
    if (part === undefined || part.requests === REQUESTS_PER_PART) this.parts.push((part = new Collected()));
    part.add(request, units);
  }

  all(): readonly UnpricedPart[] {
    return this.parts;
  }
}

class Collected implements UnpricedPart {
  requests = 0;
  firstAtMs = Infinity;
  lastAtMs = -Infinity;
  readonly units: Partial<Record<UsageKind, number>> = {};
  private text = '';

  get items(): string {
    return `[${this.text}]`;
  }

  add(request: UnpricedRequest, units: Units): void {
    const { atMs } = request;
    this.requests += 1;
    if (atMs < this.firstAtMs) this.firstAtMs = atMs;
    if (atMs > this.lastAtMs) this.lastAtMs = atMs;
    for (const name in units) {
      const kind = name as UsageKind;
      this.units[kind] = (this.units[kind] ?? 0) + units[kind]!;
    }
    this.text += this.text === '' ? textOf(request) : `,${textOf(request)}`;
  }
}

/** Details that equal those of a response without any are not stored. */
const DETAILS = Object.entries(NO_DETAILS) as [keyof UsageDetails, unknown][];

type Item = readonly [
  atMs: number,
  inputTokens: number,
  outputTokens: number,
  provenance: TokenUsage['provenance'],
  details?: Partial<UsageDetails> | null,
  nanos?: string | null,
  logId?: string,
];

/** Usual values at the end are left out. */
function textOf({ atMs, usage, details, nanos, logId }: UnpricedRequest): string {
  const item: unknown[] = [atMs, usage.inputTokens, usage.outputTokens, usage.provenance];
  if (details !== null || nanos !== null || logId !== null) item.push(details === null ? null : unusualOf(details));
  // A JSON number above 2^53 would be rounded.
  if (nanos !== null || logId !== null) item.push(nanos === null ? null : String(nanos));
  if (logId !== null) item.push(logId);
  return JSON.stringify(item);
}

function unusualOf(details: UsageDetails): Record<string, unknown> {
  const unusual: Record<string, unknown> = {};
  for (const [name, usual] of DETAILS) if (details[name] !== usual) unusual[name] = details[name];
  return unusual;
}

/** @param items the parsed JSON of `UnpricedPart.items` */
export const unpricedRequestsIn = (items: readonly unknown[]): UnpricedRequest[] => (items as Item[]).map(requestOf);

const requestOf = ([atMs, inputTokens, outputTokens, provenance, details, nanos, logId]: Item): UnpricedRequest => ({
  atMs,
  logId: logId ?? null,
  nanos: (nanos ?? null) === null ? null : BigInt(nanos!),
  usage: { inputTokens, outputTokens, provenance },
  details: (details ?? null) === null ? null : { ...NO_DETAILS, ...details, unmeasured: unmeasuredIn(details!) },
});

/** The release before stored a single kind. */
function unmeasuredIn({ unmeasured }: Partial<UsageDetails>): UsageDetails['unmeasured'] {
  const stored: unknown = unmeasured ?? null;
  return typeof stored === 'string' ? [stored as UnmeasuredKind] : (unmeasured ?? null);
}
