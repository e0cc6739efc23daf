import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../../platform/database/transactions.js';
import type { Limit, LimitSettings, LimitTerms } from '../limit.js';
import { type LimitRow, limitOf, LIMIT_COLUMNS, weightsColumn } from './limit-row.js';

interface TargetState {
  readonly exists: boolean;
  /** The number of limits of the same target. */
  readonly ofTarget: number;
  readonly total: number;
}

/** The limits that operators set. Deleted limits keep their row for 30 days, so that every process can read the deletion. */
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
    const found =
      scopeId === null ? [{}] : await transaction.query<object[]>(scope === 'team' ? LOCK_TEAM : LOCK_KEY, [scopeId]);
    const [counts] = await transaction.query<{ total: number; ofTarget: number }[]>(COUNT, [scope, scopeId, scopeTag]);
    return { exists: found.length > 0, ...counts! };
  }

  async targetExists({ scope, scopeId }: LimitTerms): Promise<boolean> {
    if (scopeId === null) return true;
    const found = await this.source.query<object[]>(scope === 'team' ? FIND_TEAM : FIND_KEY, [scopeId]);
    return found.length > 0;
  }

  async nextId(transaction: Transaction): Promise<number> {
    const [row] = await transaction.query<{ id: string }[]>(`select nextval('limits_id_seq') as id`);
    return Number(row!.id);
  }

  /** Must be the last statement of its transaction: it locks the version of the set, and triggers create the counter row. */
  async insert(transaction: Transaction, id: number, terms: LimitTerms): Promise<Limit> {
    const { scope, scopeId, scopeTag, measure, period, zone } = terms;
    const [row] = await transaction.query<LimitRow[]>(INSERT, [
      id,
      ...settingsOf(terms),
      scope,
      scopeId,
      scopeTag,
      measure,
      period,
      zone,
    ]);
    return limitOf(row!);
  }

  /** Must be the last statement of its transaction: a trigger locks the counter row, on which admission waits. */
  async update(transaction: Transaction, id: number, settings: LimitSettings): Promise<void> {
    await transaction.query(UPDATE, [id, ...settingsOf(settings)]);
  }

  /** Must be the last statement of its transaction, like `update`. */
  async delete(transaction: Transaction, id: number): Promise<void> {
    await transaction.query('update limits set deleted_at = clock_timestamp() where id = $1', [id]);
  }

  /** Must be the last statement of its transaction, like `update`. */
  async reset(transaction: Transaction, id: number): Promise<void> {
    await transaction.query(RESET, [id]);
  }

  /** Returns the name of a time zone as PostgreSQL spells it. Null: PostgreSQL does not support the zone. */
  async zoneNamed(name: string): Promise<string | null> {
    // The view reads about 1,200 files.
    const [row] = await this.source.query<{ name: string }[]>(
      'select name from pg_timezone_names where lower(name) = lower($1)',
      [name],
    );
    return row?.name ?? null;
  }
}

const FIND = `select ${LIMIT_COLUMNS} from limits l where l.id = $1 and l.deleted_at is null`;

const FIND_TEAM = 'select 1 from teams where id = $1';
const FIND_KEY = 'select 1 from api_keys where id = $1';
const LOCK_TEAM = `${FIND_TEAM} for key share`;
const LOCK_KEY = `${FIND_KEY} for key share`;

const COUNT = `
select count(*)::integer as total,
       (count(*) filter (where scope = $1 and scope_id is not distinct from $2::uuid and scope_tag is not distinct from $3))::integer as "ofTarget"
  from limits
 where deleted_at is null`;

function settingsOf(settings: LimitSettings): unknown[] {
  const { name, models, amount, mode, reserve, weights, startsAt, endsAt, enabled, thresholds, carryOver } = settings;
  const stored = weights && JSON.stringify(weightsColumn(weights));
  return [name, models, amount, mode, reserve, stored, startsAt, endsAt, enabled, thresholds, carryOver];
}

const INSERT = `
with l as (
  insert into limits (id, name, models, amount, mode, reserve, weights, starts_at, ends_at, enabled, thresholds, carry_over,
                      scope, scope_id, scope_tag, measure, period, zone)
  overriding system value
  values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
  returning *
)
select ${LIMIT_COLUMNS} from l`;

// It always sets columns of the trigger `limits_a_set`, which increases the version of the set. So processes also read a new name or
// amount for their messages.
const UPDATE = `
update limits
   set name = $2, models = $3, amount = $4, mode = $5, reserve = $6, weights = $7::jsonb, starts_at = $8, ends_at = $9, enabled = $10,
       thresholds = $11, carry_over = $12,
       updated_at = greatest(date_trunc('milliseconds', statement_timestamp()), updated_at + interval '1 millisecond')
 where id = $1`;

/**
 * A new period begins now. Reservations of the previous period change nothing when they are settled, so requests that are running now are
 * not counted. The row is computed from its locked state: the subselect is evaluated again if another transaction has changed the row.
 */
const RESET = `
update limit_counters c
   set (since, until, active, amount, carried, bucket, buckets, period, used, held, overdraft, estimated, alert_at) = (
         select a.since, a.until, a.active, a.amount, a.carried, a.bucket,
                case when a.buckets is not null then array_fill(0::bigint, array[cardinality(a.buckets)]) end,
                greatest(t.us, a.period + 1), 0, 0, 0, 0, limit_alert_at(a.thresholds, a.amount, 0)
           from limit_advanced(c, t.us) a)
  from (select (date_part('epoch', clock_timestamp()) * 1e6)::bigint as us) t
 where c.limit_id = $1 and c.measure <> 'concurrent_requests'`;
