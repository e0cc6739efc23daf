import type { TokenUsage, UsageDetails } from '../platform/request-context/token-usage.js';
import type { ObjectName } from './stores/later-usage.store.js';

/** The usage of an earlier request, as a later response reports it. */
export interface LaterReport extends ObjectName {
  readonly usage: TokenUsage;
  /** Null for an object that failed, which is free. */
  readonly details: UsageDetails | null;
  readonly responseModel: string | null;
}

interface Waiting {
  readonly report: LaterReport;
  tries: number;
}

/** A response waits for the row of its request at most this many writes, which is 20 s. */
const TRIES_MAX = 40;
const REPORTS_MAX = 10_000;
const SETTLED_MAX = 10_000;

/** Reports that are not written yet. A client can poll an object many times, so each object has one entry. */
export class LaterReports {
  private readonly reports = new Map<string, Waiting>();
  /** Objects that this process has settled. Reports of others are looked up. */
  private readonly settled = new Set<string>();

  get size(): number {
    return this.reports.size;
  }

  /** The oldest report is dropped if there are too many. Its request remains unpriced until the object is read again. */
  add(report: LaterReport): void {
    const name = nameOf(report);
    if (this.settled.has(name) || this.reports.has(name)) return;
    this.reports.set(name, { report, tries: 0 });
    if (this.reports.size > REPORTS_MAX) this.reports.delete(this.reports.keys().next().value!);
  }

  all(): readonly LaterReport[] {
    return [...this.reports.values()].map(({ report }) => report);
  }

  done(report: ObjectName): void {
    const name = nameOf(report);
    this.reports.delete(name);
    this.settled.add(name);
    if (this.settled.size > SETTLED_MAX) this.settled.delete(this.settled.values().next().value!);
  }

  /** No request waits for it now. Its row might be written soon, by this or another process. */
  notFound(report: ObjectName): void {
    const waiting = this.reports.get(nameOf(report));
    if (waiting !== undefined && ++waiting.tries >= TRIES_MAX) this.reports.delete(nameOf(report));
  }
}

// The name of an upstream contains no space.
const nameOf = ({ provider, objectId }: ObjectName): string => `${provider} ${objectId}`;
