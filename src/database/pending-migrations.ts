import type { MigrationInterface } from 'typeorm';
import { runMigrations, type MigrationRun } from './migration-run.js';

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
export async function migrateAtStart(query: Rows, { allowed, ...run }: StartMigrations): Promise<string[]> {
  const pending = await pendingMigrations(query, run.migrations);
  if (pending.length === 0) return pending;
  if (!allowed)
    throw new Error(
      `migrations are pending and GW_MIGRATE is off: ${pending.join(', ')}. Run node dist/src/cli/main.js migrate`,
    );
  await runMigrations(run);
  return pending;
}

interface StartMigrations extends MigrationRun {
  readonly migrations: readonly Migration[];
  readonly allowed: boolean;
}
