import { DataSource, type MigrationInterface } from 'typeorm';
import { migrationOptions } from './data-source-options.js';

export type Migration = new () => MigrationInterface;
type Rows = (sql: string, parameters?: unknown[]) => Promise<Record<string, unknown>[]>;

const TABLE_EXISTS = `select to_regclass('migrations') is not null as there`;

export async function pendingMigrations(query: Rows, migrations: readonly Migration[]): Promise<string[]> {
  const [table] = await query(TABLE_EXISTS);
  const applied = table?.there === true ? await query('select name from migrations') : [];
  const names = new Set(applied.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !names.has(name));
}

/** Returns the applied migrations. @throws Error if migrations are pending and GW_MIGRATE is off */
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
  readonly allowed: boolean;
}

/** Runs pending migrations on separate connections, one process at a time. Each migration is one transaction. */
export async function runMigrations(url: string, migrations: readonly Migration[]): Promise<void> {
  const source = new DataSource(migrationOptions({ url, migrations }));
  await source.initialize();
  try {
    await withAdvisoryLock(source, 'gateway-migrations', () => source.runMigrations());
  } finally {
    await source.destroy();
  }
}

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
