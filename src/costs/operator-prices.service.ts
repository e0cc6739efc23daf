import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { CachedTable } from '../platform/changes/cached-table.js';
import { Changes } from '../platform/changes/changes.js';
import { Transactions } from '../platform/database/transactions.js';
import { invalidInput, notFound, validationError } from '../platform/errors/error-factories.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { OperatorPriceIndex } from './operator-price-index.js';
import { firstConflict, type PriceConflict } from './operator-price-periods.rules.js';
import { MAKER, type GivenPrice, type OperatorPrice } from './price-terms.js';
import { findPrice, type FoundPrice } from './pricing/price-list.js';
import type { PriceRow } from './pricing/price-row.js';
import { PriceStore } from './stores/price.store.js';

interface Query {
  /** The name of the upstream. */
  readonly provider: string;
  readonly model: string;
  readonly atMs: number;
}

interface FoundOperatorPrice {
  readonly id: string;
  readonly row: PriceRow;
  /** The price of the list that the operator's price refers to. */
  readonly listed: FoundPrice | null;
}

/** Each process keeps all of them in memory. */
const PRICES_MAX = 5000;

/**
 * The prices that operators set, for an upstream or for all, from a date on. Every process uses a change within a second. It applies to
 * requests that are recorded afterwards. Recorded costs never change.
 */
@Injectable()
export class OperatorPrices extends CachedTable<OperatorPrice> {
  private index = new OperatorPriceIndex([]);

  constructor(
    private readonly store: PriceStore,
    changes: Changes,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {
    super(changes, {
      name: 'prices of operators',
      table: 'model_prices',
      load: () => store.cached(),
      // Rows never change.
      same: (a, b) => a.id === b.id,
    });
    this.onChange(() => (this.index = new OperatorPriceIndex(this.all.values())));
  }

  get isEmpty(): boolean {
    return this.index.isEmpty;
  }

  /** Returns the most specific price that applies, in the order of `OperatorPriceIndex`. */
  find({ provider, model, atMs }: Query): FoundOperatorPrice | null {
    for (const { price, row } of this.index.applying(provider, model, atMs)) {
      const { list } = price.terms;
      if (list === undefined) return { id: price.id, row, listed: null };
      const listed = findPrice({ model, atMs, ...(list !== MAKER && { provider: list }) });
      if (listed !== null) return { id: price.id, row: listed.row, listed };
    }
    return null;
  }

  /** Ordered by model and upstream, then newest first. */
  list(): Promise<OperatorPrice[]> {
    return this.store.all();
  }

  /**
   * Adds prices: all of them, or none.
   * @param pathOf the name of the list entry in an error, such as `prices[2].`
   * @throws GatewayError `validation_error` for a conflict with another price, or above 5,000 prices
   */
  async add(given: readonly GivenPrice[], actor: AdminActor, pathOf: (at: number) => string): Promise<OperatorPrice[]> {
    const added = await this.transactions.run(async (transaction) => {
      const known = await this.store.lock(transaction);
      const conflict = firstConflict(known, given);
      if (conflict !== null) throw conflictError(conflict, pathOf);
      if (known.length + given.length > PRICES_MAX)
        throw validationError('model', `There can be at most ${PRICES_MAX} prices. Delete prices first.`);
      const rows: OperatorPrice[] = [];
      for (const price of given) {
        const row = await this.store.insert(transaction, { ...price, createdBy: actor.id ?? actor.type });
        rows.push(row);
        await this.audit.write(transaction, {
          action: 'price.created',
          actor,
          targetType: 'price',
          targetId: row.id,
          metadata: shown(row),
        });
      }
      return rows;
    });
    await this.refresh();
    return added;
  }

  /** Recorded costs stay. @throws GatewayError `not_found` */
  async delete(id: string, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const known = (await this.store.lock(transaction)).find((price) => price.id === id);
      if (known === undefined) throw notFound('Price not found');
      await this.audit.write(transaction, {
        action: 'price.deleted',
        actor,
        targetType: 'price',
        targetId: id,
        metadata: shown(known),
      });
      await this.store.delete(transaction, id);
    });
    await this.refresh();
  }
}

const shown = ({ provider, model, validFrom, validTo, terms, note }: OperatorPrice) => ({
  provider,
  model,
  terms,
  note,
  valid_from: validFrom.toISOString(),
  valid_to: validTo?.toISOString() ?? null,
});

function conflictError({ at, other }: PriceConflict, pathOf: (at: number) => string) {
  const param = `${pathOf(at)}valid_from`;
  if (typeof other === 'number') return invalidInput(param, `outside the period of ${pathOf(other).slice(0, -1)}`);
  const { id, validFrom, validTo } = other;
  const period = `from ${validFrom.toISOString()} to ${validTo?.toISOString() ?? 'no end'}`;
  const expected =
    validTo === null
      ? `a different time, because the price ${id} of the same model and upstream begins then`
      : `outside the period of the price ${id} of the same model and upstream (${period})`;
  return invalidInput(param, expected);
}
