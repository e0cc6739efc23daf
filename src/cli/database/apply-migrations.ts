import { MIGRATIONS } from '../../../migrations/all.js';
import { runMigrations } from '../../database/pending-migrations.js';
import { CliError } from '../cli-error.js';
import { migrationState, type MigrationState } from './migration-state.js';
import { withSession } from './with-session.js';

/**
 * Runs what is pending, one process at a time on a database: a second one waits and finds nothing left.
 * @returns what was applied by now and was not before
 * @throws CliError `migration_failed`: each is a transaction of its own, so those before the one that failed stay done
 */
export async function applyMigrations(url: string): Promise<Omit<MigrationState, 'pending'>> {
  const before = await withSession(url, migrationState);
  const failure: unknown = await runMigrations(url, MIGRATIONS).then(
    () => null,
    (error: unknown) => error,
  );
  const { pending, unknown } = await withSession(url, migrationState);
  const applied = before.pending.filter((name) => !pending.includes(name));
  if (failure !== null) throw migrationFailed(failure, applied, pending[0]);
  return { applied, unknown };
}

function migrationFailed(error: unknown, applied: readonly string[], next: string | undefined): CliError {
  const done = applied.length === 0 ? 'Nothing was applied' : `Applied before it: ${applied.join(', ')}`;
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError('migration_failed', `${next ?? 'The last look'} failed: ${reason}. ${done}.`);
}
