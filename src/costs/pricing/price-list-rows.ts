import type { ExtraPrices } from './extra-prices.data.js';
import type { MatchClause } from './match-clause.rules.js';
import type { ImagePrice, Prices, PriceRow } from './price-row.js';

/** The format of price-list.data.ts. */
export interface ListedProvider {
  readonly id: string;
  readonly url: string;
  readonly makes?: MatchClause;
  readonly named?: MatchClause;
  readonly fallbacks?: readonly string[];
  readonly models: readonly ListedModel[];
}

export interface ListedModel {
  readonly id: string;
  readonly match: MatchClause;
  readonly minimums?: PriceRow['minimums'];
  readonly rows: readonly ListedRow[];
}

/** One row of price-list.data.ts. The tiers contain only the prices that differ from `prices`. */
interface ListedRow {
  /** The first day, in UTC. */
  readonly from?: string;
  /** Seconds since midnight, in UTC. */
  readonly hours?: readonly [start: number, end: number];
  readonly prices: Prices;
  readonly tiers?: readonly (readonly [above: number, changed: Prices])[];
  readonly images?: readonly ImagePrice[];
}

/** @returns rows of which the last one that applies at a time wins */
export function rowsOf(provider: string, { id, minimums = {}, rows }: ListedModel): readonly PriceRow[] {
  return rows.map(({ from, hours, prices, tiers = [], images = [] }): PriceRow => ({
    source: 'list',
    provider,
    model: id,
    validFromMs: from === undefined ? null : Date.parse(from),
    validToMs: endOf(rows, from),
    hours: hours === undefined ? null : { start: hours[0], end: hours[1] },
    prices,
    tiers: tiers.map(([above, changed]) => ({ above, prices: { ...prices, ...changed } })),
    images,
    minimums,
    factors: null,
  }));
}

/** The first later date of the model's rows. */
function endOf(rows: readonly ListedRow[], from = ''): number | null {
  const later = rows.flatMap((row) => (row.from !== undefined && row.from > from ? [row.from] : [])).sort();
  return later[0] === undefined ? null : Date.parse(later[0]);
}

/** Adds the prices that the list lacks. Prices of the list are never replaced. */
export function withExtraPrices(provider: ListedProvider, extras: readonly ExtraPrices[]): ListedProvider {
  const own = extras.filter((extra) => extra.provider === provider.id);
  if (own.length === 0) return provider;
  const everywhere = Object.assign(
    {},
    ...own.filter(({ models }) => models === null).map(({ prices }) => prices),
  ) as Prices;
  const added = own.flatMap(({ models, prices, images }): ListedModel[] =>
    models === null
      ? []
      : [{ id: models[0]!, match: { or: models.map((equals) => ({ equals })) }, rows: [{ prices, images }] }],
  );
  const models = provider.models.map((model) => ({
    ...model,
    rows: model.rows.map((row) => ({ ...row, prices: { ...everywhere, ...row.prices } })),
  }));
  return { ...provider, models: [...models, ...added] };
}
