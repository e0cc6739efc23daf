import { shareTime } from './pricing/price-row.js';
import type { GivenPrice, OperatorPrice } from './price-terms.js';

type Period = Pick<OperatorPrice, 'provider' | 'model' | 'validFrom' | 'validTo' | 'terms'>;

export interface PriceConflict {
  /** The index of the rejected price. */
  readonly at: number;
  /** A stored price, or the index of an earlier new price. */
  readonly other: OperatorPrice | number;
}

/**
 * Finds the first new price that conflicts with another one of the same model and provider. While two of them apply, the one that
 * began later wins, so that a price without an end can be followed or interrupted.
 *
 * Equal starts conflict. Two prices with an end that overlap conflict too, because one of them is probably a mistake. Prices that share
 * no hour of the day never conflict, and neither do one with hours and one without.
 */
export function firstConflict(known: readonly OperatorPrice[], given: readonly GivenPrice[]): PriceConflict | null {
  const seen = new Map<string, { readonly period: Period; readonly other: OperatorPrice | number }[]>();
  const listOf = ({ provider, model }: Period) => {
    const name = `${provider} ${model}`;
    return seen.get(name) ?? seen.set(name, []).get(name)!;
  };
  for (const price of known) listOf(price).push({ period: price, other: price });
  for (const [at, price] of given.entries()) {
    const list = listOf(price);
    const found = list.find(({ period }) => areConflicting(period, price));
    if (found !== undefined) return { at, other: found.other };
    list.push({ period: price, other: at });
  }
  return null;
}

function areConflicting(a: Period, b: Period): boolean {
  if (!shareHours(a, b)) return false;
  if (a.validFrom.getTime() === b.validFrom.getTime()) return true;
  if (a.validTo === null || b.validTo === null) return false;
  return a.validFrom < b.validTo && b.validFrom < a.validTo;
}

function shareHours({ terms: { hours: a } }: Period, { terms: { hours: b } }: Period): boolean {
  if (a === undefined || b === undefined) return a === b;
  return shareTime(a, b);
}

export type PriceState = 'scheduled' | 'active' | 'superseded' | 'ended';

/** `superseded`: another price of the same model, provider and hours began later and applies instead. */
export function stateOf(price: Period, all: Iterable<Period>, nowMs: number): PriceState {
  if (price.validFrom.getTime() > nowMs) return 'scheduled';
  if (!appliesAt(price, nowMs)) return 'ended';
  for (const other of all) {
    if (other.provider !== price.provider || other.model !== price.model) continue;
    if (!haveSameHours(other, price)) continue;
    if (other.validFrom > price.validFrom && appliesAt(other, nowMs)) return 'superseded';
  }
  return 'active';
}

const haveSameHours = ({ terms: { hours: a } }: Period, { terms: { hours: b } }: Period): boolean =>
  a?.start === b?.start && a?.end === b?.end;

const appliesAt = ({ validFrom, validTo }: Period, nowMs: number): boolean =>
  validFrom.getTime() <= nowMs && (validTo === null || nowMs < validTo.getTime());
