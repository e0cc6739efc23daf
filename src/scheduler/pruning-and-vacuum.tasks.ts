import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MONTHS_READY, type MonthPartition } from '../platform/database/month-partitions.js';
import { messageOf, type JobRun, type Task } from './job.js';
import { keptFrom, keptSinceMs, RETENTION, type Retention } from './retention.data.js';
import { TableMaintenanceStore, type OldRows } from './stores/table-maintenance.store.js';

@Injectable()
export class PartitionsTask implements Task {
  readonly name = 'partitions';

  constructor(private readonly tables: TableMaintenanceStore) {}

  async carryOut(run: JobRun): Promise<void> {
    for (const { table, by } of RETENTION) {
      run.signal.throwIfAborted();
      if (by === 'months') run.count('partitions_made', await this.tables.ensurePartitions(table, MONTHS_READY));
    }
  }
}

/** Limits for one table in one run. Later runs delete the remaining rows. */
export interface PruningBounds {
  readonly rowsPerStep: number;
  readonly stepsMax: number;
  readonly msMax: number;
}

/** Drops whole months, and deletes other rows in small batches that hold no lock for long. Tables fail independently. */
@Injectable()
export class PruningTask implements Task {
  readonly name = 'pruning';
  readonly bounds: PruningBounds = { rowsPerStep: 5000, stepsMax: 400, msMax: 300_000 };

  constructor(private readonly tables: TableMaintenanceStore) {}

  async carryOut(run: JobRun): Promise<void> {
    const failures: string[] = [];
    for (const retention of RETENTION) {
      try {
        await this.prune(retention, run);
      } catch (error) {
        run.signal.throwIfAborted();
        failures.push(`${retention.table}: ${messageOf(error)}`);
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
    const months = await this.tables.partitions(table);
    const past = months.filter(({ until }) => until.getTime() <= sinceMs);
    await this.dropMonths(table, past, run);
    const partlyPast = months.find(({ from, until }) => from.getTime() < sinceMs && sinceMs < until.getTime());
    if (partlyPast !== undefined) await this.deleteRows({ table: partlyPast.name, ...old }, retention, run);
  }

  private async dropMonths(table: string, months: readonly MonthPartition[], run: JobRun): Promise<void> {
    if (months.length === 0) return;
    const dropped = await this.tables.dropPartitions(table, months, run.signal);
    run.count(`${table}_months_dropped`, dropped);
    if (dropped < months.length) run.count(`${table}_months_left`, months.length - dropped);
  }

  private async deleteRows(old: OldRows, { table, ...given }: Retention, run: JobRun): Promise<void> {
    const { rowsPerStep = this.bounds.rowsPerStep } = given;
    const startedMs = performance.now();
    for (let step = 0; step < this.bounds.stepsMax && performance.now() - startedMs < this.bounds.msMax; step++) {
      run.signal.throwIfAborted();
      const stepStartedMs = performance.now();
      const deleted = await this.tables.deleteRows(old, rowsPerStep);
      run.count(`${table}_deleted`, deleted);
      if (deleted < rowsPerStep) return;
      // Leave half of the time to other clients of the database.
      await pause(performance.now() - stepStartedMs, undefined, { signal: run.signal });
    }
    run.count(`${table}_left`, await this.tables.countRows(old));
  }
}

/** Replaces autovacuum on servers where it is off. */
@Injectable()
export class VacuumTask implements Task {
  readonly name = 'vacuum';

  constructor(private readonly tables: TableMaintenanceStore) {}

  async carryOut(run: JobRun): Promise<void> {
    const tables = await this.tables.tablesToVacuum();
    if (tables.length === 0) return;
    await this.tables.vacuum(tables, run.signal);
    run.count('tables_vacuumed', tables.length);
  }
}
