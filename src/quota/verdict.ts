import type { LimitName } from '../errors/catalogue.js';
import type { QuotaFigures } from '../request-context/key-snapshot.js';

/** What stage 6 says of one request. `stale` and `unknown`: the key has to be read anew and judged again. */
export type Verdict =
  | { readonly kind: 'admitted'; readonly figures: QuotaFigures }
  | {
      readonly kind: 'refused';
      readonly limit: LimitName;
      /** Whole seconds until its window ends. */
      readonly retryAfterSeconds: number;
      readonly figures: QuotaFigures;
    }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unknown' };

/** What a look says: the version that is current, and the figures by the limits of the key that was handed in. */
export interface Look {
  readonly version: number;
  readonly figures: QuotaFigures;
}
