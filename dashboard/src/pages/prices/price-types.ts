import type { components } from '../../api/schema';

export type MissingPrice = components['schemas']['MissingPriceResponse'];
export type Price = components['schemas']['PriceResponse'];
export type NewPrice = components['schemas']['CreatePriceRequest'];
export type Recomputed = components['schemas']['RecomputedResponse'];
