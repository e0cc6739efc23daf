import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { MonthPartition } from '../../database/month-partitions.js';
import type { JobRun } from '../job.js';
import { RETENTION, type Retention } from '../retention.data.js';
import { OldRowsStore, type OldRows } from '../stores/old-rows.store.js';
import { PartitionStore } from '../stores/partition.store.js';
import { keptFrom, keptSinceMs } from './kept-since.rules.js';
import type { Task } from './task.js';

/** Of one table in one run; what is left then goes in the runs after it. */
export interface PruningBounds {
  readonly rowsAStep: number;
  readonly stepsMax: number;
  readonly msMax: number;
}

/**
 * Takes away what is older than it is kept, table by table: whole months by dropping their partition, all else by bounded
 * deletes that hold no lock for long. A table that fails does not keep the others from being done.
 */
@Injectable()
export class PruningTask implements Task {
  readonly name = 'pruning';
  readonly bounds: PruningBounds = { rowsAStep: 5000, stepsMax: 400, msMax: 300_000 };

  constructor(
    private readonly rows: OldRowsStore,
    private readonly partitions: PartitionStore,
  ) {}

  async carryOut(run: JobRun): Promise<void> {
    const failures: string[] = [];
    for (const retention of RETENTION) {
      try {
        await this.prune(retention, run);
      } catch (error) {
        run.signal.throwIfAborted();
        failures.push(`${retention.table}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (failures.length > 0) throw new Error(failures.join(', '));
  }

  private async prune(retention: Retention, run: JobRun): Promise<void> {
    const { table, column, also = 'true', by } = retention;
    const nowMs = run.nowMs();
    const old = { column, keptFrom: keptFrom(retention, nowMs), also };
    if (by === 'rows') return this.deleteRows({ table, ...old }, retention, run);
    const sinceMs = keptSinceMs(retention, nowMs);
    const months = await this.partitions.list(table);
    await this.dropMonths(
      table,
      months.filter(({ until }) => until.getTime() <= sinceMs),
      run,
    );
    const partlyPast = months.find(({ from, until }) => from.getTime() < sinceMs && sinceMs < until.getTime());
    if (partlyPast !== undefined) await this.deleteRows({ table: partlyPast.name, ...old }, retention, run);
  }

  private async dropMonths(table: string, months: readonly MonthPartition[], run: JobRun): Promise<void> {
    if (months.length === 0) return;
    const dropped = await this.partitions.drop(table, months, run.signal);
    run.count(`${table}_months_dropped`, dropped);
    if (dropped < months.length) run.count(`${table}_months_left`, months.length - dropped);
  }

  /** @param old of the table itself, or of one of its partitions */
  private async deleteRows(old: OldRows, { table, ...given }: Retention, run: JobRun): Promise<void> {
    const { rowsAStep = this.bounds.rowsAStep } = given;
    const begunMs = performance.now();
    for (let step = 0; step < this.bounds.stepsMax && performance.now() - begunMs < this.bounds.msMax; step++) {
      run.signal.throwIfAborted();
      const stepBegunMs = performance.now();
      const deleted = await this.rows.delete(old, rowsAStep);
      run.count(`${table}_deleted`, deleted);
      if (deleted < rowsAStep) return;
      // Half of the time belongs to others.
      await pause(performance.now() - stepBegunMs, undefined, { signal: run.signal });
    }
    run.count(`${table}_left`, await this.rows.count(old));
  }
}
