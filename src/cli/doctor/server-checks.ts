import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.js';
import { migrationState } from '../database/migrations.js';
import type { Session } from '../database/stores/session.js';
import { fail, looked, ok, warn, type Finding } from './finding.js';
import {
  closedTables,
  connectionBounds,
  schemaRights,
  serverFacts,
  type ConnectionBound,
} from './stores/server-facts.store.js';

const VERSION_MIN = 150_000;
const SKEW_MS_MAX = 5000;
/** Beside the general pool: admission, notices, and the question for a job's lock. */
const CONNECTIONS_BESIDE = 3;
/** Of this command, while it looks. */
const CONNECTIONS_OWN = 2;
const AGAIN = 'Run doctor again; see the log of PostgreSQL if it stays so.';

/** What a look at a database that answers takes. */
interface Look {
  readonly one: Session;
  readonly other: Session;
  readonly config: Config;
}

/** Each by its name, in the order in which they are told. None changes anything. */
export const DATABASE_CHECKS: Readonly<Record<string, (look: Look) => Promise<Finding>>> = {
  database_version: ({ one }) => looked('database_version', AGAIN, () => checkVersion(one)),
  database_sessions: ({ one, other }) => looked('database_sessions', AGAIN, () => checkSessions(one, other)),
  database_rights: ({ one }) => looked('database_rights', AGAIN, () => checkRights(one)),
  database_clock: ({ one }) => looked('database_clock', AGAIN, () => checkClock(one)),
  database_connections: ({ one, config }) => looked('database_connections', AGAIN, () => checkConnections(one, config)),
  migrations: ({ one, config }) => looked('migrations', AGAIN, () => checkMigrations(one, config.migrate)),
};

async function checkVersion(session: Session): Promise<Finding> {
  const { version_num: number, version } = await serverFacts(session);
  if (number >= VERSION_MIN) return ok('database_version', `PostgreSQL ${version}`);
  return fail('database_version', `PostgreSQL ${version} is too old`, 'Upgrade it to 15 or newer.');
}

async function checkSessions(one: Session, other: Session): Promise<Finding> {
  const found = await sharedSessions(one, other);
  if (found === null) return ok('database_sessions', 'LISTEN, advisory locks and prepared statements work');
  const message = `there is a pooler that is not in session mode: ${found}`;
  return fail('database_sessions', message, 'Set it to session mode, or let DATABASE_URL go to PostgreSQL itself.');
}

async function checkRights(session: Session): Promise<Finding> {
  const name = 'database_rights';
  if ((await serverFacts(session)).read_only) {
    return fail(name, 'the database can only be read', 'Let DATABASE_URL go to the primary.');
  }
  const { schema, create, user } = await schemaRights(session);
  if (schema === null) {
    return fail(name, 'there is no schema to make tables in', 'Create one that is in the search_path of the user.');
  }
  const closed = await closedTables(session);
  if (closed.length > 0) {
    const names = closed.map((table) => table.name).join(', ');
    const owner = closed.some((table) => table.needs_owner) ? ' Tables with partitions have to belong to it.' : '';
    const advice = `Let "${user}" own these tables, or grant it select, insert, update and delete on them.${owner}`;
    return fail(name, `"${user}" may not use all of: ${names}`, advice);
  }
  if (create) return ok(name, `"${user}" may do all that is needed in the schema "${schema}"`);
  const message = `"${user}" may make no table in the schema "${schema}": new months need one`;
  return fail(name, message, `Run: grant create on schema "${schema}" to "${user}"`);
}

async function checkClock(session: Session): Promise<Finding> {
  const before = Date.now();
  const { now_ms: theirs } = await serverFacts(session);
  const skewMs = Math.round(theirs - (before + Date.now()) / 2);
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  if (Math.abs(skewMs) <= SKEW_MS_MAX) return ok('database_clock', `${seconds} s apart from this machine's`);
  const message = `the database's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`;
  return warn('database_clock', message, 'Let both machines set their clocks by NTP: keys expire by them.');
}

async function checkConnections(session: Session, { databasePool, workers }: Config): Promise<Finding> {
  const name = 'database_connections';
  const needed = workers * (databasePool + CONNECTIONS_BESIDE);
  const free = ({ most, used }: ConnectionBound) => most - Math.max(used - CONNECTIONS_OWN, 0);
  const bounds = (await connectionBounds(session)).toSorted((a, b) => free(a) - free(b));
  const small = bounds.find(({ most }) => most < needed);
  const advice = 'Raise the limit, or lower GW_DATABASE_POOL or GW_WORKERS.';
  if (small !== undefined) {
    return fail(name, `a gateway takes up to ${needed}, the ${small.what} allows ${small.most}`, advice);
  }
  const [tightest] = bounds;
  if (tightest === undefined) return ok(name, `a gateway takes up to ${needed}; there is no limit`);
  const { what, most } = tightest;
  const message = `a gateway takes up to ${needed}; of the ${what}'s ${most} there are ${free(tightest)} free`;
  return free(tightest) < needed ? warn(name, message, `Before one more gateway starts: ${advice}`) : ok(name, message);
}

async function checkMigrations(session: Session, atStart: boolean): Promise<Finding> {
  const { applied, pending, unknown } = await migrationState(session);
  if (unknown.length > 0) {
    const message = `applied by a newer release, unknown here: ${unknown.join(', ')}`;
    return warn('migrations', message, 'Bring this installation to the release that the database has.');
  }
  if (pending.length === 0) return ok('migrations', `all ${applied.length} are applied`);
  const message = `pending: ${pending.join(', ')}`;
  if (atStart) return warn('migrations', message, 'The next start runs them; so does the command migrate.');
  return fail('migrations', message, 'Run the command migrate: GW_MIGRATE is off, and no gateway gets ready before.');
}

const ROUNDS = 3;
const NOTICE_MS_MAX = 2000;

/**
 * Whether each connection has a session of its own from its first statement to its last, which LISTEN, advisory locks and
 * prepared statements need. A pooler in transaction mode hands sessions out anew for each transaction: with two
 * connections, one of which holds a transaction, that shows.
 * @returns null: so it is; else what showed that it is not
 */
export async function sharedSessions(one: Session, other: Session): Promise<string | null> {
  const looks = [backends, preparedStatements, advisoryLock, notices];
  for (const look of looks) {
    // One that has to wait for the other's transaction, say: with sessions of their own nothing here fails.
    const found = await look(one, other).catch((error: unknown) => String(error));
    if (found !== null) return found;
  }
  return null;
}

async function backends(one: Session, other: Session): Promise<string | null> {
  const first = await backendOf(one);
  for (let round = 0; round < ROUNDS; round++) {
    const [theirs, again] = await duringTransaction(other, async () => [await backendOf(other), await backendOf(one)]);
    if (theirs === first || again !== first) return 'one connection was served by different sessions';
  }
  return null;
}

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
  return mine && !theirs && released ? null : 'an advisory lock was not held by one session alone';
}

async function notices(one: Session, other: Session): Promise<string | null> {
  // Letters and digits of our own, so that the name needs no quotes; LISTEN takes no parameters.
  const channel = `gw_doctor_${randomBytes(8).toString('hex')}`;
  await one.rows(`listen ${channel}`);
  const notice = one.nextNotice(NOTICE_MS_MAX);
  await other.rows('select pg_notify($1, $2)', [channel, 'heard']);
  const heard = await notice;
  await one.rows(`unlisten ${channel}`);
  return heard === 'heard' ? null : 'a notice (LISTEN) did not arrive';
}

async function duringTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.rows('begin');
  try {
    return await work();
  } finally {
    await session.rows('rollback');
  }
}

async function backendOf(session: Session): Promise<number> {
  const [row] = await session.rows<{ pid: number }>('select pg_backend_pid() as pid');
  return row!.pid;
}

async function lock(session: Session, call: 'pg_try_advisory_lock' | 'pg_advisory_unlock', name: string) {
  const [row] = await session.rows<{ done: boolean }>(`select ${call}(hashtextextended($1, 0)) as done`, [name]);
  return row!.done;
}
