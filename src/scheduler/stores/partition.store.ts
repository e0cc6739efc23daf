import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../config/config.js';
import {
  dropMonthPartition,
  ensureMonthPartitions,
  type MonthPartition,
  monthPartitionsOf,
} from '../../database/month-partitions.js';
import { OwnConnection } from '../../database/own-connection.js';

/** Past the time limit of a statement, or of a lock. */
const TOOK_TOO_LONG = new Set(['57014', '55P03']);
/** Readers of the gateway are done within 2 s; a foreign one that reads for longer is met again the next day. */
const DETACH_MS_MAX = 10_000;

/** Monthly partitions: made ahead, taken away. */
@Injectable()
export class PartitionStore {
  constructor(
    private readonly source: DataSource,
    private readonly config: Config,
  ) {}

  /** This month and those after it. @returns how many were not there before */
  async ensure(table: string, months: number): Promise<number> {
    const before = await this.list(table);
    await ensureMonthPartitions((sql) => this.source.query(sql), table, 'now', months);
    return (await this.list(table)).length - before.length;
  }

  /** The oldest first. */
  list(table: string): Promise<MonthPartition[]> {
    return monthPartitionsOf((sql) => this.source.query(sql), table);
  }

  /**
   * Takes months away for good, in their order, each with everything in it.
   * @param detachMsMax how long to wait for those who are reading the table
   * @returns how many went; fewer where somebody read for too long, and the rest goes another time
   * @throws what the database throws for another reason; the reason of `signal` once it is aborted
   */
  async drop(
    table: string,
    months: readonly MonthPartition[],
    signal: AbortSignal,
    detachMsMax = DETACH_MS_MAX,
  ): Promise<number> {
    const terms = { name: 'gateway-partitions', statementMsMax: detachMsMax };
    let dropped = 0;
    try {
      // What a detached connection leaves behind, the next run finishes.
      await OwnConnection.during(this.config.databaseUrl ?? '', terms, signal, async (connection) => {
        for (const month of months) {
          signal.throwIfAborted();
          await dropMonthPartition((sql) => connection.query(sql), table, month);
          dropped += 1;
        }
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!TOOK_TOO_LONG.has(String((error as { code?: unknown }).code))) throw error;
    }
    return dropped;
  }
}
