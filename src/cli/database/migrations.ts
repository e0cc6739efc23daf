import { MIGRATIONS } from '../../../migrations/all.js';
import type { Config } from '../../platform/config/config.js';
import { runMigrations, type MigrationRun } from '../../platform/database/migration-run.js';
import { PoolerProblem } from '../../platform/database/pooler-check.js';
import { CliError } from '../cli-error.js';
import type { OpenDatabase } from './open-database.js';
import { type DatabaseAddress, databaseUnavailable, type Session, withSession } from './stores/timed-client.js';

export interface MigrationState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  readonly unknown: readonly string[];
}

/** Signals do not abort these migrations. If `openDatabase` started the database, it ends the process on a signal. */
const NEVER = new AbortController().signal;

const APPLIED = 'select name from migrations order by id';

export async function migrationState(session: Session): Promise<MigrationState> {
  const [table] = await session.rows<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`);
  const rows = table?.exists === true ? await session.rows<{ name: string }>(APPLIED) : [];
  const done = rows.map(({ name }) => name);
  const known = MIGRATIONS.map(({ name }) => name);
  return {
    applied: known.filter((name) => done.includes(name)),
    pending: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}

/**
 * Runs the pending migrations. Concurrent processes on one database wait for each other. Each migration is a transaction. If
 * one fails, those before it stay applied.
 * @returns `applied` includes migrations that another process applied in the meantime
 * @throws CliError `database_unavailable` behind an unsafe pooler, or `migration_failed`
 */
export async function applyMigrations(
  address: DatabaseAddress,
  run: Omit<MigrationRun, 'migrations' | 'url'>,
): Promise<Omit<MigrationState, 'pending'>> {
  const before = await withSession(address, migrationState);
  const failure: unknown = await runMigrations({ ...run, url: address.url, migrations: MIGRATIONS }).then(
    () => null,
    (error: unknown) => error,
  );
  const { pending, unknown } = await withSession(address, migrationState);
  const applied = before.pending.filter((name) => !pending.includes(name));
  if (failure instanceof PoolerProblem) throw databaseUnavailable(failure, address);
  if (failure !== null) throw migrationFailed(failure, applied, pending[0]);
  return { applied, unknown };
}

function migrationFailed(error: unknown, applied: readonly string[], next: string | undefined): CliError {
  const done = applied.length === 0 ? 'No migration was applied' : `Applied before it: ${applied.join(', ')}`;
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(
    'migration_failed',
    `${next ?? 'The migration run'} failed: ${reason}. ${done}. Fix the cause, and run "migrate" again.`,
  );
}

/**
 * Migrates the database only if it is embedded and this command started it.
 * @throws CliError `migrations_pending`
 */
export async function ensureMigrated(database: OpenDatabase, config: Config): Promise<void> {
  const { migrate, migrationWaitSeconds: waitSeconds } = config;
  const { pending } = await withSession(database, migrationState);
  if (pending.length === 0) return;
  if (database.started && migrate)
    return void (await applyMigrations(database, { waitSeconds, signal: NEVER, onRetry: () => undefined }));
  throw new CliError(
    'migrations_pending',
    `The database has pending migrations (${pending.length}). Start the gateway or run "migrate" first.`,
  );
}
