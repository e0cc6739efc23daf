import type { Config } from '../../config/config.js';
import { CliError } from '../cli-error.js';
import { applyMigrations } from './apply-migrations.js';
import { migrationState } from './migration-state.js';
import type { OpenDatabase } from './open-database.js';
import { withSession } from './with-session.js';

/** The embedded one that nobody else uses is brought up to date as a start would; any other is left to its owner. @throws CliError `migrations_pending` */
export async function ensureMigrated({ url, started }: OpenDatabase, { migrate }: Config): Promise<void> {
  const { pending } = await withSession(url, migrationState);
  if (pending.length === 0) return;
  if (started && migrate) return void (await applyMigrations(url));
  throw new CliError(
    'migrations_pending',
    `The database lacks ${pending.length} migration(s): start the gateway, or run the command migrate, first.`,
  );
}
