import type { Client } from 'pg';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';

/** To get a connection of the pool, a free one or a new one. D22 */
const CONNECT_MS_MAX = 2000;
/** By the server's clock. Every list and every figure of the admin keeps within it at ten million rows. */
const STATEMENT_MS_MAX = 1900;
const IDLE_IN_TRANSACTION_MS_MAX = 10_000;

/** What every connection of the general pool is set to. After connecting: poolers refuse unknown start-up options. */
export const POOL_SESSION: Readonly<Record<string, string>> = {
  statement_timeout: String(STATEMENT_MS_MAX),
  lock_timeout: String(STATEMENT_MS_MAX),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS_MAX),
  jit: 'off',
};

export interface DataSourceParts {
  /** `postgres://…` */
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  readonly entities: readonly Function[];
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** The general pool, for whatever serves a request. */
export function dataSourceOptions({ url, poolSize, entities, migrations }: DataSourceParts) {
  return {
    type: 'postgres',
    url,
    poolSize,
    entities: [...entities],
    migrations: [...migrations],
    migrationsTransactionMode: 'each',
    applicationName: 'gateway',
    connectTimeoutMS: CONNECT_MS_MAX,
    // Ids are made by PostgreSQL itself; an extension needs rights that the gateway may not have.
    installExtensions: false,
    logging: false,
    // Without a hook nobody hears of a connection that ends in the moment in which it was made, and the process ends by it.
    extra: { onConnect: () => Promise.resolve() },
  } as const satisfies DataSourceOptions;
}

/** For migrations alone: one connection that holds the lock, one that works, and no limit on a statement. */
export function migrationOptions({ url, migrations }: Pick<DataSourceParts, 'url' | 'migrations'>) {
  return {
    ...dataSourceOptions({ url, poolSize: 2, entities: [], migrations }),
    applicationName: 'gateway-migrations',
  } as const satisfies DataSourceOptions;
}

/** Formats that the driver can read: a role or a database could be set to others. */
const FORMATS: Readonly<Record<string, string>> = { TimeZone: 'UTC', DateStyle: 'ISO', extra_float_digits: '1' };

/** Sets up a new connection, including `FORMATS`. Poolers refuse settings as start-up options. */
export async function setSession(client: Client, settings: Readonly<Record<string, string>>): Promise<void> {
  const pairs = Object.entries({ ...FORMATS, ...settings });
  const calls = pairs.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`);
  await client.query(`select ${calls.join(', ')}`, pairs.flat());
}
