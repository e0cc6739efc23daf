import { matchesPattern } from '../platform/validation/model-pattern.rules.js';
import { appliesAt, type PriceRow } from './pricing/price-row.js';
import { rowOf, type OperatorPrice } from './price-terms.js';
import { LruCache } from '../platform/fairness/lru-cache.js';

const FOUND_MAX = 2000;

interface IndexedPrice {
  readonly price: OperatorPrice;
  readonly row: PriceRow;
}

/**
 * Finds operators' prices by model and upstream. The most specific price is the first one, by these rules in this order:
 *
 * 1. Prices of the upstream precede prices of all upstreams.
 * 2. The exact ID precedes the ID without the date of its snapshot, and that precedes patterns.
 * 3. Longer patterns precede shorter ones.
 * 4. Prices with hours of the day precede prices without.
 * 5. Later starts precede earlier ones.
 */
export class OperatorPriceIndex {
  readonly isEmpty: boolean;
  private readonly exact: ReadonlyMap<string, readonly IndexedPrice[]>;
  private readonly patterns: readonly IndexedPrice[];
  private readonly found = new LruCache<string, readonly IndexedPrice[]>(FOUND_MAX);

  constructor(prices: Iterable<OperatorPrice>) {
    const all = [...prices].sort(inOrder).map((price) => ({ price, row: rowOf(price) }));
    this.isEmpty = all.length === 0;
    const [patterns, exact] = [all.filter(isPattern), all.filter((each) => !isPattern(each))];
    this.patterns = patterns;
    this.exact = Map.groupBy(exact, ({ price }) => nameOf(price.provider, price.model));
  }

  /** The prices that apply at a time. A reference to the price list has a next one in case the list lacks the model. */
  applying(provider: string, model: string, atMs: number): readonly IndexedPrice[] {
    return this.candidates(provider, model).filter(({ row }) => appliesAt(row, atMs));
  }

  private candidates(provider: string, model: string): readonly IndexedPrice[] {
    const name = nameOf(provider, model);
    let found = this.found.get(name);
    if (found === undefined) this.found.set(name, (found = [...this.of(provider, model), ...this.of('*', model)]));
    return found;
  }

  private of(provider: string, model: string): IndexedPrice[] {
    const undated = model.replace(SNAPSHOT_DATE, '');
    return [
      ...(this.exact.get(nameOf(provider, model)) ?? []),
      ...(undated === model ? [] : (this.exact.get(nameOf(provider, undated)) ?? [])),
      ...this.patterns.filter(({ price }) => price.provider === provider && matchesPattern(price.model, model)),
    ];
  }
}

/** Whether a price is for a model: for its ID, a pattern that matches it, or the model whose snapshot it is. */
export const mayApplyTo = ({ model: priced }: Pick<OperatorPrice, 'model'>, model: string): boolean =>
  matchesPattern(priced, model) || priced === model.replace(SNAPSHOT_DATE, '');

const SNAPSHOT_DATE = /[-@]20\d\d(-?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$/;

const isPattern = ({ price }: IndexedPrice): boolean => price.model.includes('*');

/** Names of upstreams contain no spaces. */
const nameOf = (provider: string, model: string): string => `${provider} ${model}`;

function inOrder(a: OperatorPrice, b: OperatorPrice): number {
  const byPattern = b.model.length - a.model.length || (a.model < b.model ? -1 : a.model > b.model ? 1 : 0);
  const byHours = Number(a.terms.hours === undefined) - Number(b.terms.hours === undefined);
  return byPattern || byHours || b.validFrom.getTime() - a.validFrom.getTime();
}
