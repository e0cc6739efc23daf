import { withDatabase, readSettings } from './application.js';
import type { Invocation, Result } from './command.js';
import { applyMigrations, migrationState, type MigrationState } from './database/migrations.js';
import { withSession } from './database/stores/session.js';

export async function migrate({ env }: Invocation): Promise<Result> {
  return withDatabase(await readSettings(env), async ({ url }) => {
    const document = await applyMigrations(url);
    return { document, text: appliedText(document.applied) + unknownText(document.unknown) };
  });
}

export async function migrationStatus({ env }: Invocation): Promise<Result> {
  return withDatabase(await readSettings(env), async ({ url }) => {
    const document = await withSession(url, migrationState);
    return { document, text: statusText(document) };
  });
}

const lines = (word: string, names: readonly string[]) => names.map((name) => `${word.padEnd(9)}${name}\n`).join('');

const appliedText = (applied: readonly string[]) =>
  applied.length === 0 ? 'No migrations are pending.\n' : lines('applied', applied);

const unknownText = (unknown: readonly string[]) =>
  unknown.length === 0 ? '' : `${lines('unknown', unknown)}Unknown migrations were applied by a newer release.\n`;

const statusText = ({ applied, pending, unknown }: MigrationState) =>
  lines('applied', applied) + lines('pending', pending) + unknownText(unknown);
