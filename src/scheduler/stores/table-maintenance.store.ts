import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import {
  dropMonthPartition,
  ensureMonthPartitions,
  type MonthPartition,
  monthPartitionsOf,
} from '../../platform/database/month-partitions.js';
import { TaskConnection } from '../../platform/database/task-connection.js';

const COUNTED_MAX = 100_000;
/** The codes of a statement timeout and of a lock timeout. */
const TIMEOUT_CODES = new Set(['57014', '55P03']);
/** The gateway's own reads end within 2 s. If another client reads for longer, the partition is dropped on a later day. */
const DETACH_TIMEOUT_MS = 10_000;
/** The limit for one table is long, because an aborted vacuum has not cleaned the indexes. */
const VACUUM_TIMEOUT_MS = 1_800_000;

/** The rows of a table that its retention no longer keeps. All strings except `keptFrom` are SQL. */
export interface OldRows {
  readonly table: string;
  readonly column: string;
  /** Rows with a lower value in `column` are old. */
  readonly keptFrom: string | number;
  /** A further condition that old rows meet. */
  readonly also: string;
}

/** Deletes old rows, creates and drops partitions, and vacuums tables for the daily job. */
@Injectable()
export class TableMaintenanceStore {
  constructor(
    private readonly source: DataSource,
    private readonly config: Config,
  ) {}

  /** Deletes at most `count` rows, the oldest first, and returns their number. */
  async deleteRows({ table, column, keptFrom, also }: OldRows, count: number): Promise<number> {
    // `ctid` avoids a join, regardless of what the planner expects. A row that changes in the meantime is kept.
    const [row] = await this.source.query<{ deleted: number }[]>(
      `with removed as (
         delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${column} < $1 and ${also} order by ${column} limit $2)) returning 1)
       select count(*)::int as deleted from removed`,
      [keptFrom, count],
    );
    return row?.deleted ?? 0;
  }

  /** Counts at most `COUNTED_MAX` rows. */
  async countRows({ table, column, keptFrom, also }: OldRows): Promise<number> {
    const [row] = await this.source.query<{ count: number }[]>(
      `select count(*)::int as count from (select from ${table} where ${column} < $1 and ${also} limit $2) old`,
      [keptFrom, COUNTED_MAX],
    );
    return row?.count ?? 0;
  }

  /** Returns the number of created partitions. */
  async ensurePartitions(table: string, months: number): Promise<number> {
    const before = await this.partitions(table);
    await ensureMonthPartitions((sql) => this.source.query(sql), table, 'now', months);
    return (await this.partitions(table)).length - before.length;
  }

  partitions(table: string): Promise<MonthPartition[]> {
    return monthPartitionsOf((sql) => this.source.query(sql), table);
  }

  /** Returns the number of dropped partitions: fewer if a client reads for longer than `detachMsMax`. @throws other errors */
  async dropPartitions(
    table: string,
    months: readonly MonthPartition[],
    signal: AbortSignal,
    detachMsMax = DETACH_TIMEOUT_MS,
  ): Promise<number> {
    const options = { name: 'gateway-partitions', statementMsMax: detachMsMax };
    let dropped = 0;
    try {
      // The next run drops partitions that were only detached.
      await TaskConnection.during(this.config.databaseUrl ?? '', options, signal, async (connection) => {
        for (const month of months) {
          signal.throwIfAborted();
          await dropMonthPartition((sql) => connection.query(sql), table, month);
          dropped += 1;
        }
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!TIMEOUT_CODES.has(String((error as { code?: unknown }).code))) throw error;
    }
    return dropped;
  }

  /** Returns quoted names of the tables that autovacuum would process by default; empty if autovacuum is on. */
  async tablesToVacuum(): Promise<string[]> {
    const rows = await this.source.query<{ name: string }[]>(
      `select relid::regclass::text as name from pg_stat_user_tables
        where current_setting('autovacuum') = 'off' and schemaname = current_schema()
          and (n_dead_tup > 1000 + 0.2 * n_live_tup or n_mod_since_analyze > 1000 + 0.1 * n_live_tup)
        order by relid`,
    );
    return rows.map(({ name }) => name);
  }

  async vacuum(tables: readonly string[], signal: AbortSignal): Promise<void> {
    const options = { name: 'gateway-vacuum', statementMsMax: VACUUM_TIMEOUT_MS };
    await TaskConnection.during(this.config.databaseUrl ?? '', options, signal, async (connection) => {
      for (const table of tables) {
        signal.throwIfAborted();
        await connection.query(`vacuum (analyze, skip_locked) ${table}`);
      }
    });
  }
}
