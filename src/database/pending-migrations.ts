import { DataSource, type MigrationInterface } from 'typeorm';
import { migrationOptions } from './data-source-options.js';

export type Migration = new () => MigrationInterface;
type Rows = (sql: string, parameters?: unknown[]) => Promise<Record<string, unknown>[]>;

const TABLE_EXISTS = `select to_regclass('migrations') is not null as there`;

/** Names of the migrations that a database lacks. Only reads: it may belong to somebody who migrates by hand. */
export async function pendingMigrations(query: Rows, migrations: readonly Migration[]): Promise<string[]> {
  const [table] = await query(TABLE_EXISTS);
  const applied = table?.there === true ? await query('select name from migrations') : [];
  const names = new Set(applied.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !names.has(name));
}

/**
 * What a start does about them: it runs them, unless GW_MIGRATE is off. Then it is not ready until somebody has.
 * @returns those that were run
 * @throws Error that says what is pending and what to do
 */
export async function migrateAtStart(query: Rows, { url, migrations, allowed }: StartMigrations): Promise<string[]> {
  const pending = await pendingMigrations(query, migrations);
  if (pending.length === 0) return pending;
  if (!allowed)
    throw new Error(
      `migrations are pending and GW_MIGRATE is off: ${pending.join(', ')}. Run node dist/src/cli/main.js migrate`,
    );
  await runMigrations(url, migrations);
  return pending;
}

interface StartMigrations {
  readonly url: string;
  readonly migrations: readonly Migration[];
  /** GW_MIGRATE. */
  readonly allowed: boolean;
}

/** Runs what is pending, one process at a time, on connections of its own; what was done before it failed stays done. */
export async function runMigrations(url: string, migrations: readonly Migration[]): Promise<void> {
  const source = new DataSource(migrationOptions({ url, migrations }));
  await source.initialize();
  try {
    await withAdvisoryLock(source, 'gateway-migrations', () => source.runMigrations());
  } finally {
    await source.destroy();
  }
}

/**
 * Runs `work` while no other process runs one under the same name, and waits for that as long as it takes. The lock
 * holds one connection of `dataSource` beside those that `work` uses; it goes when that connection goes.
 */
async function withAdvisoryLock<T>(dataSource: DataSource, name: string, work: () => Promise<T>): Promise<T> {
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
