import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  cachedRows,
  withFingerprint,
  type CachedRows,
  type FingerprintedRow,
} from '../../platform/changes/change-polls.js';
import type { Page } from '../../platform/database/page.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { Transaction } from '../../platform/database/transactions.js';
import type { LostChange, LostChangeDecision, RememberedChange } from './lost-change.js';

const INSERT = sqlFile(import.meta.url, './insert-lost-changes.sql');

const COLUMNS = `
id, at::text as at, action, actor_type as "actorType", actor_id as "actorId", target_type as "targetType", target_id as "targetId",
target_name as "targetName", remembered, detected_at as "detectedAt", decision, decided_at as "decidedAt", decided_by as "decidedBy"`;
const WITH_FINGERPRINT = withFingerprint('lost_changes', COLUMNS);

/** Reads and writes `lost_changes`. */
@Injectable()
export class LostChangeStore {
  constructor(private readonly source: DataSource) {}

  async all(): Promise<CachedRows<LostChange>> {
    const rows = await this.source.query<(LostChange & FingerprintedRow)[]>(WITH_FINGERPRINT);
    return cachedRows(rows, (change) => [change.id, change]);
  }

  /** The newest first. @param decided null for all */
  async list(decided: boolean | null, { limit, offset }: Page): Promise<{ total: number; changes: LostChange[] }> {
    const rows = await this.source.query<(LostChange & { total: number })[]>(LIST, [decided, limit, offset]);
    return { total: rows[0]?.total ?? 0, changes: rows.filter(({ id }) => id !== null) };
  }

  /** @returns the IDs of the changes that no other process has added */
  async insert(transaction: Transaction, changes: readonly RememberedChange[]): Promise<ReadonlySet<string>> {
    const rows = await transaction.query<{ id: string }[]>(INSERT, [JSON.stringify(changes)]);
    return new Set(rows.map(({ id }) => id));
  }

  /** The oldest first. */
  undecided(): Promise<LostChange[]> {
    return this.source.query<LostChange[]>(UNDECIDED);
  }

  /** @returns the changes that had no decision yet */
  decide(
    transaction: Transaction,
    ids: readonly string[],
    decision: LostChangeDecision,
    by: string,
  ): Promise<LostChange[]> {
    return transaction.query<LostChange[]>(DECIDE, [ids, decision, by]);
  }
}

const LIST = `
with matching as (
  select * from lost_changes where $1::boolean is null or (decision is not null) = $1
)
select counted.total, c.*
  from (select count(*)::int as total from matching) counted
  left join (select ${COLUMNS} from matching order by at desc, id limit $2 offset $3) c on true
 order by c.at desc, c.id`;

const UNDECIDED = `
select ${COLUMNS} from lost_changes where decision is null order by lost_changes.at, id`;

const DECIDE = `
with decided as (
  update lost_changes set decision = $2, decided_at = clock_timestamp(), decided_by = $3
   where id = any($1::uuid[]) and decision is null
  returning *
)
select ${COLUMNS} from decided order by decided.at, id`;
