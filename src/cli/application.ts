import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { type Type, Module, type DynamicModule } from '@nestjs/common';
import { LazyModuleLoader, NestFactory, type ModuleRef } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { MIGRATIONS } from '../../migrations/all.js';
import { AuditLog, type AuditEntry } from '../audit/audit-log.js';
import { Config, ConfigError } from '../platform/config/config.js';
import { Database } from '../platform/database/database.service.js';
import { EmbeddedPostgresError } from '../platform/database/embedded/embedded-postgres.error.js';
import type { Transaction } from '../platform/database/transactions.js';
import { keepDevelopmentSecrets } from '../start/development-secrets.js';
import { CliError, EXIT } from './cli-error.js';
import type { Invocation } from './command.js';
import { ensureMigrated } from './database/migrations.js';
import { openDatabase, type OpenDatabase } from './database/open-database.js';
import { databaseUnavailable } from './database/stores/timed-client.js';
import { AuditModule } from '../audit/audit.module.js';
import { ClockModule } from '../platform/clock.js';
import { ConfigModule } from '../platform/config/config.module.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { ENTITIES } from '../start/entities.js';

export interface Need {
  readonly module: Type;
  readonly writes: boolean;
}

const READY_TIMEOUT_MS = 10_000;
const READY_CHECK_MS = 50;
const POOL_SIZE = 2;
/**
 * Replaces the provider's address if its setting is missing. The scheduler module requires a URL, because it includes the model
 * probes. No command connects to this address.
 */
export const PLACEHOLDER_UPSTREAM = 'http://upstream.invalid';

/**
 * Runs `work` with a module's services.
 * @throws CliError `bad_setting`, `database_unavailable` or `migrations_pending`
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

export async function withDatabase<T>(config: Config, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await asBadSetting(() => openDatabase(config));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Outside production, a generated key is kept in a file. */
function secretKeysOf(config: Config): readonly string[] {
  if (config.production) return config.secretKeys;
  return keepDevelopmentSecrets(config.with({ adminKeys: ['not needed'], ownerPassword: 'not needed' })).secretKeys;
}

/**
 * Runs `work` without the checks of `withApplication`.
 * @param given settings that include the database URL
 */
export async function withServices<T>(
  given: Config,
  need: Need,
  work: (services: ModuleRef) => Promise<T>,
): Promise<T> {
  const upstreamBaseUrl = given.upstreamBaseUrl ?? PLACEHOLDER_UPSTREAM;
  const config = given.with({ databasePool: POOL_SIZE, migrate: false, upstreamBaseUrl });
  const app = await NestFactory.createApplicationContext(CliModule.with(config, need.writes), {
    logger: false,
    abortOnError: false,
  });
  try {
    await databaseReady(app.get(Database), config);
    if (need.writes) markAsCli(app.get(AuditLog, { strict: false }));
    return await work(await app.get(LazyModuleLoader).load(() => need.module));
  } finally {
    // The work is done, so a failure to close must not change its result.
    await app.close().catch(() => undefined);
  }
}

async function databaseReady(database: Database, { databaseUrl, databaseVariable }: Config): Promise<void> {
  const ready = database.whenReady().then(() => true);
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (await Promise.race([ready, pause(READY_CHECK_MS, false)])) return;
    if (database.poolerProblem !== null)
      throw databaseUnavailable(database.poolerProblem, { url: databaseUrl ?? '', variable: databaseVariable });
  }
  throw new CliError('database_unavailable', 'The database became unavailable after the first connection. Try again.');
}

export const readSettings = (env: NodeJS.ProcessEnv): Promise<Config> => asBadSetting(async () => Config.from(env));

export async function asBadSetting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof EmbeddedPostgresError)) throw error;
    throw new CliError('bad_setting', error.message, { exitCode: EXIT.badSetting });
  }
}

/** Adds `via: cli` to audit rows, because scheduled jobs have the same actor, `system`. */
function markAsCli(audit: AuditLog): void {
  const write = audit.write.bind(audit);
  audit.write = (transaction: Transaction, entry: AuditEntry) =>
    write(transaction, { ...entry, metadata: { ...entry.metadata, via: 'cli' } });
}

/**
 * The command line: the services behind the Admin API, without the server, the scheduler and the request pipeline. A failed
 * check of settings, database or migrations prints the problem and its remedy before a command does any work.
 *
 * This module starts the database and, for commands that change data, the audit log, which must create its partitions.
 * `application.ts` loads all other modules lazily. Nest does not call the lifecycle hooks of lazily loaded modules, so none of
 * their background work starts.
 */
@Module({})
class CliModule {
  static with(config: Config, writes: boolean): DynamicModule {
    const database = DatabaseModule.with({ entities: ENTITIES, migrations: MIGRATIONS });
    return {
      module: CliModule,
      imports: [
        ConfigModule.with(config),
        ClockModule,
        ScheduleModule.forRoot(),
        database,
        ...(writes ? [AuditModule] : []),
      ],
    };
  }
}
