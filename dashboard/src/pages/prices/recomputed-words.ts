import { dollars } from '../../parts/dollars';
import { count, plural } from '../../parts/numbers';
import type { Recomputed } from './price-types';

/** Formats `42 requests were priced: $1.25 in total. 3 requests still have no price.` */
export function recomputedInWords({ recomputed, amount, still_unpriced }: Recomputed): string {
  const priced = `${count(recomputed)} ${plural(recomputed, 'request')} ${recomputed === 1 ? 'was' : 'were'} priced: ${dollars(amount)} in total.`;
  if (still_unpriced === 0) return priced;
  return `${priced} ${count(still_unpriced)} still ${still_unpriced === 1 ? 'has' : 'have'} no complete price.`;
}
