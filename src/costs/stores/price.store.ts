import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../database/transactions.js';
import type { GivenPrice, OperatorPrice } from '../price-terms.js';

type NewPrice = GivenPrice & Pick<OperatorPrice, 'createdBy'>;

interface PriceTableRow {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly valid_from: Date;
  readonly valid_to: Date | null;
  readonly terms: OperatorPrice['terms'];
  readonly note: string | null;
  readonly created_at: Date;
  readonly created_by: string;
}

/** Prices of operators. A row never changes. */
@Injectable()
export class PriceStore {
  constructor(private readonly source: DataSource) {}

  /** Ordered by model and provider, then newest first. */
  async all(): Promise<OperatorPrice[]> {
    const rows = await this.source.query<PriceTableRow[]>(
      'select * from model_prices order by model, provider, valid_from desc',
    );
    return rows.map(priceOf);
  }

  /** Makes changes wait for each other until the transaction ends, so that periods cannot overlap. */
  async lock(transaction: Transaction): Promise<OperatorPrice[]> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('model-prices', 0))`);
    const rows = await transaction.query<PriceTableRow[]>('select * from model_prices');
    return rows.map(priceOf);
  }

  async insert(transaction: Transaction, price: NewPrice): Promise<OperatorPrice> {
    const { provider, model, validFrom, validTo, terms, note, createdBy } = price;
    const [row] = await transaction.query<PriceTableRow[]>(
      `insert into model_prices (provider, model, valid_from, valid_to, terms, note, created_by)
       values ($1, $2, $3, $4, $5::jsonb, $6, $7) returning *`,
      [provider, model, validFrom, validTo, JSON.stringify(terms), note, createdBy],
    );
    return priceOf(row!);
  }

  async delete(transaction: Transaction, id: string): Promise<void> {
    await transaction.query('delete from model_prices where id = $1', [id]);
  }
}

const priceOf = (row: PriceTableRow): OperatorPrice => ({
  id: row.id,
  provider: row.provider,
  model: row.model,
  validFrom: row.valid_from,
  validTo: row.valid_to,
  terms: row.terms,
  note: row.note,
  createdAt: row.created_at,
  createdBy: row.created_by,
});
