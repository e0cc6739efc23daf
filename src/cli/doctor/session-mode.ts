import { randomBytes } from 'node:crypto';
import type { Session } from '../database/stores/session.js';

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
