import type { RouteSpec } from '../routes/route-spec.js';
import type { KeySnapshot, QuotaFigures } from './key-snapshot.js';

/**
 * How well the end of a request proves its usage. Limits count at least the known usage, and more if a part of it is unproven:
 * - `reported`: the provider reported all of it, or the request used nothing.
 * - `delivered`: the response has no complete report, so the usage is what arrived. Hidden reasoning can be missing.
 * - `unknown`: the provider processed the request, but neither a report nor its text shows how much it used.
 * - `unmeasured`: the whole response arrived, in a format that does not show how much the request used, such as plain text.
 * - `abandoned`: the client disconnected before the response began.
 */
export type UsageProof = 'reported' | 'delivered' | 'unknown' | 'unmeasured' | 'abandoned';

/** The recorded usage of a request. */
export interface ActualUsage {
  /** Counts above 0 by `UsageKind`. The kinds do not overlap. */
  readonly units: Readonly<Partial<Record<string, number>>>;
  /** Null if nothing has a price. It is a lower bound if `hasUnpricedUsage` is true. */
  readonly costNanodollars: bigint | null;
  readonly hasUnpricedUsage: boolean;
  readonly proof: UsageProof;
  /** The number of choices that have begun to arrive. At least 1. */
  readonly choices: number;
}

/** The part of a `RequestContext` that decides which limits apply. */
export interface LimitedRequest {
  readonly key: KeySnapshot | null;
  readonly method: string;
  readonly route: RouteSpec | null;
  readonly model: string | null;
  /** `json` is null after it was released. */
  readonly body: { readonly json: Readonly<Record<string, unknown>> | null; readonly namesModelsInside: boolean };
}

/** The part of a `RequestContext` that a settlement needs. */
export interface SettledRequest extends LimitedRequest {
  readonly figures: QuotaFigures | null;
  /** The model that was sent to the account, if it differs from that of the request. */
  readonly upstream: { readonly model: string | null };
}

/** The amounts that an admitted request holds under limits of the account, its team, its key and its tags. */
export interface Reservation {
  /** Whether an enforced limit counts tokens or cost. Requests whose usage cannot be metered are then rejected. */
  readonly requiresMeteredUsage: boolean;
  /** Whether any limit counts tokens or cost. The provider is then asked for the usage of streams. */
  readonly countsUsage: boolean;

  /** Frees the slots of concurrent requests. Call it when the response has ended, before `settle`. */
  releaseConcurrency(): void;

  /**
   * Replaces what was reserved with what was used. Call it once, when the usage is known. Further calls have no effect.
   * @param actual null if the request was not sent to a provider
   */
  settle(request: SettledRequest, actual: ActualUsage | null): void;
}
