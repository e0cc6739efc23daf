import type { Client } from 'pg';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import { DatabaseClient } from './database-client.js';
import { MIGRATION_LOCK_TIMEOUT_MS } from './migration-locks.js';
import { startSession } from './pooler-check.js';
import type { Config } from '../config/config.js';

/** Time to get a free or new connection from the pool (D22). */
const CONNECT_TIMEOUT_MS = 2000;
/** Enforced by the server. All lists and statistics of the Admin API stay within it at ten million rows. */
const STATEMENT_TIMEOUT_MS = 1900;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

export const POOL_SESSION: Readonly<Record<string, string>> = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
  jit: 'off',
};

export interface DataSourceParts {
  readonly url: string;
  readonly poolSize: number;
  readonly entities: readonly Function[];
  readonly migrations: readonly (new () => MigrationInterface)[];
}

export function dataSourceOptions({ url, poolSize, entities, migrations }: DataSourceParts) {
  return {
    type: 'postgres',
    url,
    poolSize,
    entities: [...entities],
    migrations: [...migrations],
    migrationsTransactionMode: 'each',
    applicationName: 'gateway',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    // PostgreSQL generates IDs without an extension, and the gateway might not have the right to install one.
    installExtensions: false,
    logging: false,
    // Without a hook, a connection that fails right after connecting emits an unhandled error and ends the process.
    extra: { Client: DatabaseClient, onConnect: () => Promise.resolve() },
  } as const satisfies DataSourceOptions;
}

/** The statements themselves have no time limit, because building an index can take minutes. */
const MIGRATION_SESSION: Readonly<Record<string, string>> = {
  lock_timeout: String(MIGRATION_LOCK_TIMEOUT_MS),
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** One connection holds the lock, and another one migrates. */
export function migrationOptions({ url, migrations }: Pick<DataSourceParts, 'url' | 'migrations'>) {
  return {
    ...dataSourceOptions({ url, poolSize: 2, entities: [], migrations }),
    applicationName: 'gateway-migrations',
    extra: { Client: DatabaseClient, onConnect: (client: Client) => startSession(client, url, MIGRATION_SESSION) },
  } as const satisfies DataSourceOptions;
}

/** Connections of a process outside its general pool: for admission, for change notifications, and for the lock of a job. */
const DEDICATED = 3;
/** A process that accepts no more requests needs these for its running streams: admission, notifications, and usage. */
const DRAINING = 4;

type Sizes = Pick<Config, 'databasePool' | 'workers'>;

/** Maximum number of connections that one gateway opens. */
export const connectionsOf = ({ databasePool, workers }: Sizes): number => workers * (databasePool + DEDICATED);

/** Maximum number of connections that a gateway keeps after its drain delay. */
export const drainingConnectionsOf = ({ databasePool, workers }: Sizes): number =>
  workers * Math.min(DRAINING, databasePool + DEDICATED);
