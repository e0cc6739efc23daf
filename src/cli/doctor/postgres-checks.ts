import { randomBytes } from 'node:crypto';
import type { Config } from '../../platform/config/config.js';
import { connectionsOf, drainingConnectionsOf } from '../../platform/database/data-source-options.js';
import { sessionModeAdvice } from '../../platform/database/database-problem.rules.js';
import { sharingSymptom } from '../../platform/database/pooler-check.js';
import { migrationState } from '../database/migrations.js';
import type { Session } from '../database/stores/timed-client.js';
import { fail, checked, ok, warn, type Finding } from './finding.js';
import {
  closedTables,
  connectionBounds,
  replication,
  schemaRights,
  serverFacts,
  serverSettings,
  type ConnectionBound,
} from './stores/server-facts.store.js';

const VERSION_MIN = 150_000;
const SKEW_MS_MAX = 5000;
const DOCTOR_CONNECTIONS = 2;
const RETRY_ADVICE = 'Run doctor again. If the error persists, see the PostgreSQL log.';

interface CheckInput {
  readonly one: Session;
  readonly other: Session;
  readonly config: Config;
}

export const DATABASE_CHECKS: Readonly<Record<string, (input: CheckInput) => Promise<Finding>>> = {
  database_version: ({ one }) => checked('database_version', RETRY_ADVICE, () => checkVersion(one)),
  database_sessions: (input) => checked('database_sessions', RETRY_ADVICE, () => checkSessions(input)),
  database_encoding: ({ one }) => checked('database_encoding', RETRY_ADVICE, () => checkEncoding(one)),
  database_settings: ({ one }) => checked('database_settings', RETRY_ADVICE, () => checkSettings(one)),
  database_replication: ({ one, config }) =>
    checked('database_replication', RETRY_ADVICE, () => checkReplication(one, config)),
  database_rights: (input) => checked('database_rights', RETRY_ADVICE, () => checkRights(input)),
  database_clock: ({ one }) => checked('database_clock', RETRY_ADVICE, () => checkClock(one)),
  database_connections: ({ one, config }) =>
    checked('database_connections', RETRY_ADVICE, () => checkConnections(one, config)),
  migrations: ({ one, config }) => checked('migrations', RETRY_ADVICE, () => checkMigrations(one, config.migrate)),
};

async function checkVersion(session: Session): Promise<Finding> {
  const { version_num: number, version } = await serverFacts(session);
  if (number >= VERSION_MIN) return ok('database_version', `PostgreSQL ${version}`);
  return fail('database_version', `PostgreSQL ${version} is too old`, 'Upgrade it to 15 or newer.');
}

async function checkEncoding(session: Session): Promise<Finding> {
  const { encoding } = await serverSettings(session);
  if (encoding === 'UTF8') return ok('database_encoding', 'UTF8');
  const advice = "Create a database with encoding 'UTF8', and restore the data there.";
  return fail('database_encoding', `the encoding is ${encoding}, which cannot store all texts`, advice);
}

async function checkSettings(session: Session): Promise<Finding> {
  const name = 'database_settings';
  const { transaction_timeout: timeout, user, replaced } = await serverSettings(session);
  if (timeout !== null)
    return warn(
      name,
      `transaction_timeout is ${timeout} ms, which ends long migrations and jobs`,
      `Run: alter role "${user}" set transaction_timeout = 0`,
    );
  if (replaced.length === 0) return ok(name, 'no setting of the server, database or user has to be replaced');
  return ok(name, `the gateway replaces these settings on its connections: ${replaced.join(', ')}`);
}

async function checkReplication(session: Session, { databaseVariable }: Config): Promise<Finding> {
  const name = 'database_replication';
  const { standby, synchronous_names: names, standbys } = await replication(session);
  if (standby)
    return fail(name, 'the server is a standby, which rejects changes', `Point ${databaseVariable} at the primary.`);
  const connected = `${standbys} ${standbys === 1 ? 'standby is' : 'standbys are'} connected`;
  if (names === '' && standbys > 0)
    return warn(
      name,
      `replication is asynchronous (${connected}): a failover can lose revocations of keys and other changes`,
      "Set synchronous_standby_names on the primary, for example to 'ANY 1 (*)'. See docs/high-availability.md.",
    );
  if (names !== '' && standbys === 0)
    return fail(
      name,
      `synchronous_standby_names is ${names}, but no standby is connected: every commit waits for one`,
      'Start a standby, or clear synchronous_standby_names.',
    );
  return ok(name, names === '' ? 'no standby is connected' : `synchronous: ${names} (${connected})`);
}

async function checkSessions({ one, other, config }: CheckInput): Promise<Finding> {
  const found = await sharedSessions(one, other);
  if (found === null) return ok('database_sessions', 'LISTEN, advisory locks and prepared statements work');
  const message = `the connection goes through a pooler that is not in session mode: ${found}`;
  return fail('database_sessions', message, sessionModeAdvice(config.databaseVariable));
}

async function checkRights({ one: session, config }: CheckInput): Promise<Finding> {
  const name = 'database_rights';
  if ((await serverFacts(session)).read_only) {
    return fail(name, 'the database is read-only', `Point ${config.databaseVariable} at the primary.`);
  }
  const { schema, create, user } = await schemaRights(session);
  if (schema === null) {
    return fail(
      name,
      'the search_path contains no existing schema',
      'Create a schema, and add it to the search_path of the user.',
    );
  }
  const closed = await closedTables(session);
  if (closed.length > 0) {
    const names = closed.map((table) => table.name).join(', ');
    const owner = closed.some((table) => table.needs_owner) ? ' The user must own partitioned tables.' : '';
    const advice = `Make "${user}" the owner of these tables, or grant it select, insert, update and delete on them.${owner}`;
    return fail(name, `"${user}" lacks rights on: ${names}`, advice);
  }
  if (create) return ok(name, `"${user}" has all necessary rights in the schema "${schema}"`);
  const message = `"${user}" cannot create tables in the schema "${schema}", and each new month needs one`;
  return fail(name, message, `Run: grant create on schema "${schema}" to "${user}"`);
}

async function checkClock(session: Session): Promise<Finding> {
  const before = Date.now();
  const { now_ms: theirs } = await serverFacts(session);
  const skewMs = Math.round(theirs - (before + Date.now()) / 2);
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  if (Math.abs(skewMs) <= SKEW_MS_MAX) return ok('database_clock', `within ${seconds} s of this machine's clock`);
  const message = `${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's clock`;
  return warn(
    'database_clock',
    message,
    'Synchronize both clocks with NTP, because the expiry of keys depends on them.',
  );
}

async function checkConnections(session: Session, config: Config): Promise<Finding> {
  const name = 'database_connections';
  const needed = connectionsOf(config);
  const free = ({ most, used }: ConnectionBound) => most - Math.max(used - DOCTOR_CONNECTIONS, 0);
  const bounds = (await connectionBounds(session)).toSorted((a, b) => free(a) - free(b));
  const small = bounds.find(({ most }) => most < needed);
  const advice = 'Raise the limit, or lower GW_DATABASE_POOL or GW_WORKERS.';
  if (small !== undefined) {
    return fail(name, `a gateway uses up to ${needed} connections, but the ${small.what} allows ${small.most}`, advice);
  }
  const [tightest] = bounds;
  if (tightest === undefined) return ok(name, `a gateway uses up to ${needed} connections, and no limit is set`);
  const { what, most } = tightest;
  const message = `a gateway uses up to ${needed} connections, and ${free(tightest)} of the ${what}'s ${most} are free`;
  return free(tightest) < needed
    ? warn(name, message, `Before you start or upgrade a gateway: ${advice} ${upgradeText(config)}`)
    : ok(name, message);
}

const upgradeText = (config: Config): string =>
  `During an upgrade, each new gateway uses ${connectionsOf(config)} more, and each draining one keeps up to ${drainingConnectionsOf(config)}.`;

async function checkMigrations(session: Session, atStart: boolean): Promise<Finding> {
  const { applied, pending, unknown } = await migrationState(session);
  if (unknown.length > 0) {
    const message = `applied by a newer release: ${unknown.join(', ')}`;
    return warn('migrations', message, 'Upgrade this installation to the release that migrated the database.');
  }
  if (pending.length === 0) return ok('migrations', `all ${applied.length} applied`);
  const message = `pending: ${pending.join(', ')}`;
  if (atStart)
    return warn('migrations', message, 'The gateway runs them at its next start. To run them now, use "migrate".');
  return fail('migrations', message, 'Run "migrate". GW_MIGRATE is off, and no gateway becomes ready before that.');
}

/**
 * Detects a pooler that is not in session mode, and returns the symptom or null. LISTEN, advisory locks and prepared statements
 * need one database session per connection, but a pooler in transaction mode assigns a session per transaction.
 */
async function sharedSessions(one: Session, other: Session): Promise<string | null> {
  const checks = [sharing, preparedStatements, advisoryLock];
  for (const check of checks) {
    // An error is a symptom too, such as a timeout while waiting for the other connection's transaction.
    const found = await check(one, other).catch((error: unknown) => String(error));
    if (found !== null) return found;
  }
  return null;
}

const sharing = (one: Session, other: Session) => sharingSymptom(one.client, other.client);

async function preparedStatements(one: Session, other: Session): Promise<string | null> {
  const prepared = () => one.prepared('gateway_doctor', 'select 1');
  await prepared();
  await duringTransaction(other, prepared);
  await prepared();
  return null;
}

async function advisoryLock(one: Session, other: Session): Promise<string | null> {
  const name = `gateway-doctor-${randomBytes(8).toString('hex')}`;
  const mine = await lock(one, 'pg_try_advisory_lock', name);
  const theirs = await lock(other, 'pg_try_advisory_lock', name);
  const released = await lock(one, 'pg_advisory_unlock', name);
  if (theirs) await lock(other, 'pg_advisory_unlock', name);
  return mine && !theirs && released ? null : 'an advisory lock was not exclusive to one session';
}

async function duringTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.rows('begin');
  try {
    return await work();
  } finally {
    await session.rows('rollback');
  }
}

async function lock(session: Session, call: 'pg_try_advisory_lock' | 'pg_advisory_unlock', name: string) {
  const [row] = await session.rows<{ done: boolean }>(`select ${call}(hashtextextended($1, 0)) as done`, [name]);
  return row!.done;
}
