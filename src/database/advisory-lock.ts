import type { DataSource } from 'typeorm';

/**
 * Runs `work` while no other process runs one under the same name, and waits for that as long as it takes. The lock
 * holds one connection of `dataSource` beside those that `work` uses; it goes when that connection goes.
 */
export async function withAdvisoryLock<T>(dataSource: DataSource, name: string, work: () => Promise<T>): Promise<T> {
  const holder = dataSource.createQueryRunner();
  try {
    await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    try {
      return await work();
    } finally {
      // A connection that is gone has let go of it already.
      await holder.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => undefined);
    }
  } finally {
    await holder.release();
  }
}
