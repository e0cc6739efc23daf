import { Injectable } from '@nestjs/common';
import type { JobRun } from '../job.js';
import { VacuumStore } from '../stores/vacuum.store.js';
import type { Task } from './task.js';

/** Does what autovacuum would, on a server that has it switched off; nothing on any other. */
@Injectable()
export class VacuumTask implements Task {
  readonly name = 'vacuum';

  constructor(private readonly store: VacuumStore) {}

  async carryOut(run: JobRun): Promise<void> {
    const tables = await this.store.neglected();
    if (tables.length === 0) return;
    await this.store.vacuum(tables, run.signal);
    run.count('tables_vacuumed', tables.length);
  }
}
