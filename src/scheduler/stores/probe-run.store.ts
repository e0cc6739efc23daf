import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Which scheduled run of the probes has been taken: `model_probe_runs`, and the lock beside it. */
@Injectable()
export class ProbeRunStore {
  constructor(private readonly source: DataSource) {}

  /**
   * Does `work` unless another process does, or has done, the run that was due at `dueAtMs`: with their timers apart by a
   * moment a lock alone would let a short run happen twice. Holds one connection of the pool for as long as it takes.
   * @returns false: it was not ours to do
   */
  async once(dueAtMs: number, work: () => Promise<void>): Promise<boolean> {
    const holder = this.source.createQueryRunner();
    try {
      // Asked for, never waited for: the pool gives up on a statement that says nothing for 2 s.
      const [{ locked }] = (await holder.query(`select pg_try_advisory_lock(${LOCK}) as locked`)) as [Locked];
      if (!locked) return false;
      try {
        const taken = (await holder.query(TAKE, [dueAtMs])) as unknown[];
        if (taken.length === 0) return false;
        await work();
        return true;
      } finally {
        // A connection that is gone has let go of it already.
        await holder.query(`select pg_advisory_unlock(${LOCK})`).catch(() => undefined);
      }
    } finally {
      await holder.release();
    }
  }
}

interface Locked {
  readonly locked: boolean;
}

const LOCK = `hashtextextended('model-probe-run', 0)`;

const TAKE = `
  insert into model_probe_runs (id, due_at) values (1, to_timestamp($1::float8 / 1000))
  on conflict (id) do update set due_at = excluded.due_at where model_probe_runs.due_at < excluded.due_at
  returning id`;
