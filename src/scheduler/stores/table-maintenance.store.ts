import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../config/config.js';
import {
  dropMonthPartition,
  ensureMonthPartitions,
  type MonthPartition,
  monthPartitionsOf,
} from '../../database/month-partitions.js';
import { TaskConnection } from '../../database/task-connection.js';

const COUNTED_MAX = 100_000;
/** SQLSTATE of an exceeded statement timeout, and of an exceeded lock timeout. */
const TIMED_OUT = new Set(['57014', '55P03']);
/** Reads of the gateway end within 2 s. If another client reads for longer, the partition is dropped on a later day. */
const DETACH_MS_MAX = 10_000;
/** For one table: an aborted vacuum has done nothing for its indexes. */
const VACUUM_MS_MAX = 1_800_000;

/** Rows below a value of one column. Names are constants of the program (`retention.data.ts`), never input. */
export interface OldRows {
  readonly table: string;
  readonly column: string;
  readonly keptFrom: string | number;
  /** A further condition; `true`: none. */
  readonly also: string;
}

/** Statements of the daily job that work on any table: delete old rows, create and drop partitions, vacuum. */
@Injectable()
export class TableMaintenanceStore {
  constructor(
    private readonly source: DataSource,
    private readonly config: Config,
  ) {}

  /** Deletes the oldest rows; they are locked until the deletion ends. @returns how many were deleted, at most `count` */
  async deleteRows({ table, column, keptFrom, also }: OldRows, count: number): Promise<number> {
    // By `ctid`, not by key: no join, whatever the planner expects. A row that was changed meanwhile stays.
    const [row] = await this.source.query<{ deleted: number }[]>(
      `with gone as (
         delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${column} < $1 and ${also} order by ${column} limit $2)) returning 1)
       select count(*)::int as deleted from gone`,
      [keptFrom, count],
    );
    return row?.deleted ?? 0;
  }

  /** At most 100,000. */
  async countRows({ table, column, keptFrom, also }: OldRows): Promise<number> {
    const [row] = await this.source.query<{ count: number }[]>(
      `select count(*)::int as count from (select from ${table} where ${column} < $1 and ${also} limit $2) old`,
      [keptFrom, COUNTED_MAX],
    );
    return row?.count ?? 0;
  }

  /** Creates the partitions of this month and of the following months. @returns how many did not exist before */
  async ensurePartitions(table: string, months: number): Promise<number> {
    const before = await this.partitions(table);
    await ensureMonthPartitions((sql) => this.source.query(sql), table, 'now', months);
    return (await this.partitions(table)).length - before.length;
  }

  /** The oldest first. */
  partitions(table: string): Promise<MonthPartition[]> {
    return monthPartitionsOf((sql) => this.source.query(sql), table);
  }

  /**
   * Drops partitions in their order, each with all of its rows.
   * @param detachMsMax how long to wait for clients that are reading the table
   * @returns how many were dropped: fewer than `months` if a client read for too long
   * @throws any other error of the database; the reason of `signal` once it is aborted
   */
  async dropPartitions(
    table: string,
    months: readonly MonthPartition[],
    signal: AbortSignal,
    detachMsMax = DETACH_MS_MAX,
  ): Promise<number> {
    const terms = { name: 'gateway-partitions', statementMsMax: detachMsMax };
    let dropped = 0;
    try {
      // The next run drops a partition that was only detached.
      await TaskConnection.during(this.config.databaseUrl ?? '', terms, signal, async (connection) => {
        for (const month of months) {
          signal.throwIfAborted();
          await dropMonthPartition((sql) => connection.query(sql), table, month);
          dropped += 1;
        }
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!TIMED_OUT.has(String((error as { code?: unknown }).code))) throw error;
    }
    return dropped;
  }

  /** Quoted names of the tables that autovacuum would process by its own defaults; empty if autovacuum is on. */
  async tablesToVacuum(): Promise<string[]> {
    const rows = await this.source.query<{ name: string }[]>(
      `select relid::regclass::text as name from pg_stat_user_tables
        where current_setting('autovacuum') = 'off' and schemaname = current_schema()
          and (n_dead_tup > 1000 + 0.2 * n_live_tup or n_mod_since_analyze > 1000 + 0.1 * n_live_tup)
        order by relid`,
    );
    return rows.map(({ name }) => name);
  }

  /** One table after the other; locked tables are skipped. */
  async vacuum(tables: readonly string[], signal: AbortSignal): Promise<void> {
    const terms = { name: 'gateway-vacuum', statementMsMax: VACUUM_MS_MAX };
    await TaskConnection.during(this.config.databaseUrl ?? '', terms, signal, async (connection) => {
      for (const table of tables) {
        signal.throwIfAborted();
        await connection.query(`vacuum (analyze, skip_locked) ${table}`);
      }
    });
  }
}
