import { setTimeout as pause } from 'node:timers/promises';
import { Config } from '../platform/config/config.js';
import { SETTINGS } from '../platform/config/settings.data.js';
import { readRegistryFile } from '../model-policy/registry/registry-file.js';
import { generateAdminKey, generateSecretKey } from '../start/development-secrets.js';
import { asBadSetting, readSettings, withDatabase } from './application.js';
import { CliError } from './cli-error.js';
import type { Invocation, Result } from './command.js';
import { applyMigrations, migrationState, type MigrationState } from './database/migrations.js';
import { withSession } from './database/stores/timed-client.js';
import type { Interrupt } from './interrupt.js';

export interface MigrateOptions {
  /** Requires only the database settings, for a job that has no others. */
  readonly databaseOnly?: true;
}

/** A cancelled migration gets this long. After it, the command exits, and the server rolls back when the connection closes. */
const CANCEL_TIMEOUT_MS = 5000;

export async function migrate(call: Invocation, options: MigrateOptions, interrupt: Interrupt): Promise<Result> {
  const config = await checkedSettings(call, options);
  const { signal } = interrupt;
  const work = withDatabase(config, async (database) => {
    const { migrationWaitSeconds: waitSeconds } = config;
    const onRetry = (text: string) => call.note(text);
    const document = await applyMigrations(database, { waitSeconds, signal, onRetry });
    return { document, text: appliedText(document.applied) + unknownText(document.unknown) };
  });
  // Prevents an unhandled rejection if `work` fails after it has lost the race.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, expiryAfter(signal)]);
  } catch (error) {
    if (interrupt.name === null) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('cancelled', `${interrupt.name} stopped the migrations: ${reason}`, {
      exitCode: interrupt.exitCode,
    });
  }
}

export async function migrationStatus(call: Invocation, options: MigrateOptions): Promise<Result> {
  return withDatabase(await checkedSettings(call, options), async (database) => {
    const document = await withSession(database, migrationState);
    return { document, text: statusText(document) };
  });
}

/** Checks everything that a gateway checks when it starts, so that a job fails before the gateways do. */
async function checkedSettings({ env }: Invocation, { databaseOnly }: MigrateOptions): Promise<Config> {
  if (databaseOnly) return asBadSetting(async () => Config.from(databaseSettings(env)));
  const config = await readSettings(env);
  await asBadSetting(async () => readRegistryFile(config.modelRegistryPath));
  return config;
}

const DATABASE_SETTING =
  /^(DATABASE_URL|PG[A-Z]+|GW_MIGRATION_[A-Z_]+|GW_DATABASE_PASSWORD_[A-Z]+|GW_DATA_DIR)(_FILE)?$/;

/** A production job without DATABASE_URL must fail, instead of migrating an embedded database that ends with it. */
function databaseSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => DATABASE_SETTING.test(name)));
  return env[SETTINGS.environment.env] === 'production' ? { ...unneeded(), ...given } : given;
}

/** Valid values for the required settings that a migration does not use. */
const unneeded = (): Readonly<Record<string, string>> => ({
  [SETTINGS.environment.env]: 'production',
  [SETTINGS.adminKeys.env]: generateAdminKey(),
  [SETTINGS.secretKeys.env]: generateSecretKey(),
  [SETTINGS.upstreamBaseUrl.env]: 'http://upstream.invalid',
});

async function expiryAfter(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await pause(CANCEL_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('the database did not confirm the rollback');
}

const lines = (word: string, names: readonly string[]) => names.map((name) => `${word.padEnd(9)}${name}\n`).join('');

const appliedText = (applied: readonly string[]) =>
  applied.length === 0 ? 'No migrations are pending.\n' : lines('applied', applied);

const unknownText = (unknown: readonly string[]) =>
  unknown.length === 0 ? '' : `${lines('unknown', unknown)}Unknown migrations were applied by a newer release.\n`;

const statusText = ({ applied, pending, unknown }: MigrationState) =>
  lines('applied', applied) + lines('pending', pending) + unknownText(unknown);
