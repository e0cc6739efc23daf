import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { LazyModuleLoader, NestFactory, type ModuleRef } from '@nestjs/core';
import { AuditLog, type AuditEntry } from '../audit/audit-log.js';
import { Config, ConfigError } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { EmbeddedPostgresError } from '../database/embedded/embedded-postgres.error.js';
import type { Transaction } from '../database/transactions.js';
import { keepDevelopmentSecrets } from '../start/development-secrets.js';
import { CliError, EXIT } from './cli-error.js';
import { CliModule } from './cli.module.js';
import type { Invocation } from './command.js';
import { ensureMigrated } from './database/migrations.js';
import { openDatabase, type OpenDatabase } from './database/open-database.js';

/** What a command needs of the gateway. */
export interface Need {
  /** The module whose service it calls. */
  readonly module: Type;
  /** It changes something, so it writes to the audit log. */
  readonly writes: boolean;
}

const READY_MS_MAX = 10_000;
/** A command runs one statement after the other. */
const CONNECTIONS = 2;
/** The scheduler's module also has the model probes, which need a URL. No command calls it. */
const NO_UPSTREAM = 'http://upstream.invalid';

/**
 * Runs `work` with the services of a module, on the database of the settings, and closes everything afterwards.
 * @throws CliError `bad_setting`, `database_unavailable`, `migrations_pending`; and what `work` throws
 */
export async function withApplication<T>(
  { env }: Invocation,
  need: Need,
  work: (services: ModuleRef) => Promise<T>,
): Promise<T> {
  const config = await readSettings(env);
  return withDatabase(config, async (database) => {
    await ensureMigrated(database, config);
    const secretKeys = await asBadSetting(async () => secretKeysOf(config));
    return withServices(config.with({ databaseUrl: database.url, secretKeys }), need, work);
  });
}

/** @throws CliError `bad_setting` if the embedded database cannot be used */
export async function withDatabase<T>(config: Config, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await asBadSetting(() => openDatabase(config));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** As at a start: generated and kept in a file outside production. Admin key and owner are left to the start. */
function secretKeysOf(config: Config): readonly string[] {
  if (config.production) return config.secretKeys;
  return keepDevelopmentSecrets(config.with({ adminKeys: ['not needed'], ownerPassword: 'not needed' })).secretKeys;
}

/** As `withApplication`, after its checks. @param given with the database's URL */
export async function withServices<T>(
  given: Config,
  need: Need,
  work: (services: ModuleRef) => Promise<T>,
): Promise<T> {
  const upstreamBaseUrl = given.upstreamBaseUrl ?? NO_UPSTREAM;
  const config = given.with({ databasePool: CONNECTIONS, migrate: false, upstreamBaseUrl });
  const app = await NestFactory.createApplicationContext(CliModule.with(config, need.writes), {
    logger: false,
    abortOnError: false,
  });
  try {
    await databaseReady(app);
    if (need.writes) markAsCli(app.get(AuditLog, { strict: false }));
    return await work(await app.get(LazyModuleLoader).load(() => need.module));
  } finally {
    // The work is done: a failure to close does not change its result.
    await app.close().catch(() => undefined);
  }
}

async function databaseReady(app: INestApplicationContext): Promise<void> {
  const late = pause(READY_MS_MAX, 'late' as const, { ref: false });
  if ((await Promise.race([app.get(Database).whenReady(), late])) !== 'late') return;
  throw new CliError('database_unavailable', 'The database answered and then went away. Try again.');
}

/** @throws CliError `bad_setting`, one line that names the variable */
export const readSettings = (env: NodeJS.ProcessEnv): Promise<Config> => asBadSetting(async () => Config.from(env));

/** Turns an error for which a start ends with exit code 78 into a CliError with the same. */
async function asBadSetting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof EmbeddedPostgresError)) throw error;
    throw new CliError('bad_setting', error.message, { exitCode: EXIT.badSetting });
  }
}

/** Marks the audit rows of this command, whose actor is `system` as for scheduled jobs. */
function markAsCli(audit: AuditLog): void {
  const write = audit.write.bind(audit);
  audit.write = (transaction: Transaction, entry: AuditEntry) =>
    write(transaction, { ...entry, metadata: { ...entry.metadata, via: 'cli' } });
}
