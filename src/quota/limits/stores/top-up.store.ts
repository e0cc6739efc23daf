import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../../../platform/database/page.js';
import type { Transaction } from '../../../platform/database/transactions.js';
import type { Limit } from '../limit.js';

export interface TopUp {
  readonly id: number;
  /** In the unit of the limit. */
  readonly amount: bigint;
  readonly startsAt: Date;
  /** Null if it does not expire. */
  readonly expiresAt: Date | null;
  readonly note: string | null;
  readonly createdAt: Date;
  /** The operator's ID, `admin_key`, or `system`. */
  readonly createdBy: string;
  readonly expired: boolean;
}

type NewTopUp = Pick<TopUp, 'id' | 'amount' | 'expiresAt' | 'note' | 'createdBy'>;

/** A limit before a top-up is added. */
interface Preparation {
  /** Reserved for the new top-up, so that its audit row can be written before it. */
  readonly id: number;
  readonly now: Date;
  /** Null for rolling periods and `total`. */
  readonly periodEnd: Date | null;
  /** The number of top-ups that have not expired. */
  readonly active: number;
}

/** Top-ups are rows of `limit_grants`. A trigger copies them into the counter row of their limit. */
@Injectable()
export class TopUpStore {
  constructor(private readonly source: DataSource) {}

  async list(limitId: number, { limit, offset }: Page): Promise<{ total: number; topUps: TopUp[] }> {
    const [count] = await this.source.query<{ total: number }[]>(
      'select count(*)::integer as total from limit_grants where limit_id = $1',
      [limitId],
    );
    const rows = await this.source.query<TopUpRow[]>(
      `select ${COLUMNS} from limit_grants where limit_id = $1 order by id desc limit $2 offset $3`,
      [limitId, limit, offset],
    );
    return { total: count!.total, topUps: rows.map(topUpOf) };
  }

  async find(transaction: Transaction, limitId: number, id: number): Promise<TopUp | null> {
    const [row] = await transaction.query<TopUpRow[]>(
      `select ${COLUMNS} from limit_grants where limit_id = $1 and id = $2`,
      [limitId, id],
    );
    return row === undefined ? null : topUpOf(row);
  }

  /** Reserves an ID for a new top-up, and reads the state of the limit that its checks need. */
  async prepare(transaction: Transaction, { id, period, zone }: Limit): Promise<Preparation> {
    const [row] = await transaction.query<(Omit<Preparation, 'id'> & { id: string })[]>(PREPARE, [id, period, zone]);
    return { ...row!, id: Number(row!.id) };
  }

  /** Must be the last statement of its transaction: a trigger locks the counter row, on which admission waits. */
  async insert(
    transaction: Transaction,
    limitId: number,
    { id, amount, expiresAt, note, createdBy }: NewTopUp,
  ): Promise<TopUp> {
    const [row] = await transaction.query<TopUpRow[]>(INSERT, [id, limitId, amount, expiresAt, note, createdBy]);
    return topUpOf(row!);
  }

  /** Must be the last statement of its transaction, like `insert`. */
  async delete(transaction: Transaction, id: number): Promise<void> {
    await transaction.query('delete from limit_grants where id = $1', [id]);
  }
}

interface TopUpRow {
  readonly id: string;
  readonly amount: string;
  readonly starts_at: Date;
  readonly expires_at: Date | null;
  readonly note: string | null;
  readonly created_at: Date;
  readonly created_by: string;
  readonly expired: boolean;
}

const COLUMNS = `id, amount, starts_at, expires_at, note, created_at, created_by, coalesce(expires_at <= clock_timestamp(), false) as expired`;

// `materialized` keeps `now` the same in all columns, because `clock_timestamp` changes with each call.
const PREPARE = `
with t as materialized (select clock_timestamp() as now)
select nextval('limit_grants_id_seq') as id, now,
       to_timestamp(limit_period_end($2, $3, now) / 1e6) as "periodEnd",
       (select count(*) from limit_grants where limit_id = $1 and (expires_at is null or expires_at > now))::integer as active
  from t`;

// `overriding system value` allows the reserved ID. The default of `starts_at` is rounded, so it can be in the future when the trigger adds up
// the active top-ups.
const INSERT = `
insert into limit_grants (id, limit_id, amount, expires_at, note, created_by, starts_at)
overriding system value values ($1, $2, $3, $4, $5, $6, date_trunc('milliseconds', clock_timestamp()))
returning ${COLUMNS}`;

const topUpOf = (row: TopUpRow): TopUp => ({
  id: Number(row.id),
  amount: BigInt(row.amount),
  startsAt: row.starts_at,
  expiresAt: row.expires_at,
  note: row.note,
  createdAt: row.created_at,
  createdBy: row.created_by,
  expired: row.expired,
});
