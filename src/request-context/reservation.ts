import type { RouteSpec } from '../routes/route-spec.js';
import type { KeySnapshot, QuotaFigures } from './key-snapshot.js';

/** The recorded usage of a request. */
export interface ActualUsage {
  /** Counts above 0 by `UsageKind`. The kinds do not overlap. */
  readonly units: Readonly<Partial<Record<string, number>>>;
  /** The cost in nano-dollars. Null if nothing has a price. It is a lower bound if `unpriced` is true. */
  readonly nanos: bigint | null;
  /** Some usage has no price. */
  readonly unpriced: boolean;
  /**
   * The provider might have processed the request, but no response reported its usage. `units` can contain an estimate of the
   * input.
   */
  readonly unknown: boolean;
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
}

/** The amounts that an admitted request holds under limits of the account, its team, its key and its tags. */
export interface Reservation {
  /** Whether an enforced limit counts tokens or cost. Requests whose usage cannot be metered are then rejected. */
  readonly metered: boolean;

  /** Returns the places of concurrent requests. Call it when the response has ended, before `settle`. */
  end(): void;

  /**
   * Replaces what was reserved with what was used. Call it once, when the usage is known. Further calls have no effect.
   * @param actual null if the request was not sent to a provider
   */
  settle(request: SettledRequest, actual: ActualUsage | null): void;
}
