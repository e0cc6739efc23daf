import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlFile } from '../../../platform/database/sql-file.js';
import type { Transaction } from '../../../platform/database/transactions.js';
import type { Limit, LimitTerms } from '../limit.js';
import { limitOf, rowOf, type LimitRow } from './limit-row.js';

interface TargetState {
  readonly exists: boolean;
  readonly limitsOfTarget: number;
  readonly limits: number;
}

/**
 * The limits that operators set. Deleted limits keep their row for 30 days, so that every process can read the deletion. Each change must be
 * the last statement of its transaction, because its triggers lock rows on which admission waits.
 */
@Injectable()
export class LimitStore {
  constructor(private readonly source: DataSource) {}

  async now(): Promise<Date> {
    const [row] = await this.source.query<{ now: Date }[]>('select clock_timestamp() as now');
    return row!.now;
  }

  async find(id: number): Promise<Limit | null> {
    const [row] = await this.source.query<LimitRow[]>(FIND, [id]);
    return row === undefined ? null : limitOf(row);
  }

  /** Serializes changes to the limit. Admission does not wait, because it locks the counter row. */
  async lock(transaction: Transaction, id: number): Promise<Limit | null> {
    const [row] = await transaction.query<LimitRow[]>(`${FIND} for no key update of l`, [id]);
    return row === undefined ? null : limitOf(row);
  }

  /** Serializes the creation of limits, and prevents the deletion of the target until the transaction ends. */
  async lockTarget(transaction: Transaction, { scope, scopeId, scopeTag }: LimitTerms): Promise<TargetState> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('limits', 0))`);
    const exists =
      scopeId === null ||
      (await transaction.query<object[]>(scope === 'team' ? LOCK_TEAM : LOCK_KEY, [scopeId])).length > 0;
    const [counts] = await transaction.query<{ limits: number; limitsOfTarget: number }[]>(COUNT, [
      scope,
      scopeId,
      scopeTag,
    ]);
    return { exists, ...counts! };
  }

  async targetExists({ scope, scopeId }: LimitTerms): Promise<boolean> {
    if (scopeId === null) return true;
    const found = await this.source.query<object[]>(scope === 'team' ? FIND_TEAM : FIND_KEY, [scopeId]);
    return found.length > 0;
  }

  /** Reserves the ID of a new limit, so that its audit row can be written before it. */
  async reserveId(transaction: Transaction): Promise<number> {
    const [row] = await transaction.query<{ id: string }[]>(`select nextval('limits_id_seq') as id`);
    return Number(row!.id);
  }

  async insert(transaction: Transaction, id: number, terms: LimitTerms): Promise<Limit> {
    const [row] = await transaction.query<LimitRow[]>(INSERT, [JSON.stringify(rowOf(id, terms))]);
    return limitOf(row!);
  }

  async update(transaction: Transaction, id: number, terms: LimitTerms): Promise<void> {
    await transaction.query(UPDATE, [JSON.stringify(rowOf(id, terms))]);
  }

  async delete(transaction: Transaction, id: number): Promise<void> {
    await transaction.query('update limits set deleted_at = clock_timestamp() where id = $1', [id]);
  }

  async reset(transaction: Transaction, id: number): Promise<void> {
    await transaction.query(RESET, [id]);
  }

  /**
   * Returns the name of a time zone as PostgreSQL spells it, or null if PostgreSQL does not support the zone. It is slow, because the view
   * reads about 1,200 files. Do not call it for requests.
   */
  async zoneNamed(name: string): Promise<string | null> {
    const [row] = await this.source.query<{ name: string }[]>(
      'select name from pg_timezone_names where lower(name) = lower($1)',
      [name],
    );
    return row?.name ?? null;
  }
}

const INSERT = sqlFile(import.meta.url, './insert-limit.sql');
const UPDATE = sqlFile(import.meta.url, './update-limit.sql');
const RESET = sqlFile(import.meta.url, './reset-limit.sql');

const FIND = 'select * from limits l where l.id = $1 and l.deleted_at is null';

const FIND_TEAM = 'select 1 from teams where id = $1';
const FIND_KEY = 'select 1 from api_keys where id = $1';
const LOCK_TEAM = `${FIND_TEAM} for key share`;
const LOCK_KEY = `${FIND_KEY} for key share`;

const COUNT = `
select count(*)::integer as limits,
       (count(*) filter (where scope = $1 and scope_id is not distinct from $2::uuid and scope_tag is not distinct from $3))::integer as "limitsOfTarget"
  from limits
 where deleted_at is null`;
