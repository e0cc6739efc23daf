import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  cachedRows,
  withFingerprint,
  type CachedRows,
  type FingerprintedRow,
} from '../../platform/changes/change-polls.js';
import type { Transaction } from '../../platform/database/transactions.js';
import type { GivenPrice, OperatorPrice } from '../price-terms.js';

type NewPrice = GivenPrice & Pick<OperatorPrice, 'createdBy'>;

const COLUMNS = `
id, provider, model, valid_from as "validFrom", valid_to as "validTo", terms, note, created_at as "createdAt", created_by as "createdBy"`;

const WITH_FINGERPRINT = withFingerprint('model_prices', COLUMNS);

/** Prices of operators. A row never changes. */
@Injectable()
export class PriceStore {
  constructor(private readonly source: DataSource) {}

  /** Ordered by model and provider, then newest first. */
  all(): Promise<OperatorPrice[]> {
    return this.source.query(`select ${COLUMNS} from model_prices order by model, provider, valid_from desc`);
  }

  async cached(): Promise<CachedRows<OperatorPrice>> {
    const rows = await this.source.query<(OperatorPrice & FingerprintedRow)[]>(WITH_FINGERPRINT);
    return cachedRows(rows, (price) => [price.id, price]);
  }

  /** Makes changes wait for each other until the transaction ends, so that periods cannot overlap. */
  async lock(transaction: Transaction): Promise<OperatorPrice[]> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('model-prices', 0))`);
    return transaction.query(`select ${COLUMNS} from model_prices`);
  }

  async insert(transaction: Transaction, price: NewPrice): Promise<OperatorPrice> {
    const { provider, model, validFrom, validTo, terms, note, createdBy } = price;
    const [row] = await transaction.query<[OperatorPrice]>(
      `insert into model_prices (provider, model, valid_from, valid_to, terms, note, created_by)
       values ($1, $2, $3, $4, $5::jsonb, $6, $7) returning ${COLUMNS}`,
      [provider, model, validFrom, validTo, JSON.stringify(terms), note, createdBy],
    );
    return row;
  }

  async delete(transaction: Transaction, id: string): Promise<void> {
    await transaction.query('delete from model_prices where id = $1', [id]);
  }
}
