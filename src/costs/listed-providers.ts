import { PRICE_LIST_JSON } from './pricing/price-list.data.js';
import { MAKER } from './price-terms.js';

let names: readonly string[] | undefined;

/** The providers of the published price list, and `maker`. An operator's price can refer to their prices. */
export function listedProviders(): readonly string[] {
  if (names === undefined) {
    const { providers } = JSON.parse(PRICE_LIST_JSON) as { providers: readonly { readonly id: string }[] };
    names = [MAKER, ...providers.map(({ id }) => id)];
  }
  return names;
}
