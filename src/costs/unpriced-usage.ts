import type { TokenUsage } from '../request-context/token-usage.js';
import type { UsageDetails } from '../request-context/usage-details.js';
import type { UsageKinds } from './pricing/request-units.rules.js';

/** The usage of a request that is stored because it has no complete price. */
export interface UnpricedUsageReport {
  readonly usage: TokenUsage;
  readonly details: UsageDetails | null;
  /** As in `PriceQuery`. */
  readonly models: readonly string[];
  /** For lists of models without a price. */
  readonly units: UsageKinds['units'];
}
