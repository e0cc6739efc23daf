import { Injectable } from '@nestjs/common';
import { MONTHS_READY } from '../../database/month-partitions.js';
import type { JobRun } from '../job.js';
import { RETENTION } from '../retention.data.js';
import { PartitionStore } from '../stores/partition.store.js';
import type { Task } from './task.js';

/** Makes the partitions of the months to come. */
@Injectable()
export class PartitionsTask implements Task {
  readonly name = 'partitions';

  constructor(private readonly partitions: PartitionStore) {}

  async carryOut(run: JobRun): Promise<void> {
    for (const { table, by } of RETENTION) {
      run.signal.throwIfAborted();
      if (by === 'months') run.count('partitions_made', await this.partitions.ensure(table, MONTHS_READY));
    }
  }
}
