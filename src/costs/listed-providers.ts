import { publishedProviders } from './pricing/price-list.js';
import { MAKER } from './price-terms.js';

/** The providers of the published price list, and `maker`. An operator's price can refer to their prices. */
export const listedProviders = (): readonly string[] => [MAKER, ...publishedProviders().map(({ id }) => id)];
