import { DataSource, type MigrationInterface } from 'typeorm';
import { migrationOptions } from './data-source-options.js';

export type Migration = new () => MigrationInterface;
type Rows = (sql: string, parameters?: unknown[]) => Promise<Record<string, unknown>[]>;

const TABLE_EXISTS = `select to_regclass('migrations') is not null as there`;

/** Names of the migrations that a database lacks. Only reads. */
export async function pendingMigrations(query: Rows, migrations: readonly Migration[]): Promise<string[]> {
  const [table] = await query(TABLE_EXISTS);
  const applied = table?.there === true ? await query('select name from migrations') : [];
  const names = new Set(applied.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !names.has(name));
}

/**
 * Runs pending migrations, unless GW_MIGRATE is off.
 * @returns those that were run
 * @throws Error if GW_MIGRATE is off: the gateway is not ready until they have been run
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

/** Runs pending migrations, one process at a time, on separate connections. Each is a transaction of its own. */
export async function runMigrations(url: string, migrations: readonly Migration[]): Promise<void> {
  const source = new DataSource(migrationOptions({ url, migrations }));
  await source.initialize();
  try {
    await withAdvisoryLock(source, 'gateway-migrations', () => source.runMigrations());
  } finally {
    await source.destroy();
  }
}

/** Waits for a lock that is held by one connection of `dataSource`, and is released when that connection ends. */
async function withAdvisoryLock<T>(dataSource: DataSource, name: string, work: () => Promise<T>): Promise<T> {
  const holder = dataSource.createQueryRunner();
  try {
    await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    try {
      return await work();
    } finally {
      await holder.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => undefined);
    }
  } finally {
    await holder.release();
  }
}
