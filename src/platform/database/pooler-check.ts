import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Notification } from 'pg';
import { connectClient } from './database-client.js';
import { setDirectSession, setSession } from './session-settings.js';

const CONNECT_TIMEOUT_MS = 2000;
/** Shorter than the time that a dedicated connection has to become usable. */
const CHECK_TIMEOUT_MS = 3000;
const ROUNDS = 3;
const NOTIFICATION_MS_MAX = 500;
/** All checks use the same name, because a pooler can leave the LISTEN in a session that it reuses. */
const CHANNEL = 'gateway_session_check';

/** Behind a pooler, a connection has no session of its own, or the gateway could not check that. */
export abstract class PoolerProblem extends Error {}

/**
 * The connection goes through a pooler that does not keep one database session per connection, for example pgbouncer in
 * transaction mode. Counts would not be exact, because they depend on timeouts, locks and prepared statements of the session.
 */
export class SharedSession extends PoolerProblem {
  readonly code = 'GW_SHARED_SESSION';
}

/** The connection goes through a pooler, and the check of its session failed or was too slow. */
export class UncheckedSession extends PoolerProblem {
  readonly code = 'GW_UNCHECKED_SESSION';
}

/**
 * Applies `settings` to a new connection, and makes sure that its database session belongs to it alone. Behind a pooler, a
 * second connection is opened for a moment. A direct connection needs no further statement.
 * @returns behind a pooler, the process ID of the session; otherwise null
 * @throws SharedSession; UncheckedSession within 3 s; and the errors of `client`
 */
export async function startSession(
  client: Client,
  connectionString: string,
  settings: Readonly<Record<string, string>>,
): Promise<number | null> {
  if (await setDirectSession(client, settings)) return null;
  const symptom = await checkInTime(client, connectionString).catch((cause: Error) => {
    throw new UncheckedSession(cause.message, { cause });
  });
  if (symptom !== null) throw new SharedSession(symptom);
  await setSession(client, settings);
  return backendOf(client);
}

async function checkInTime(client: Client, connectionString: string): Promise<string | null> {
  const failed = Promise.withResolvers<never>();
  const onEnd = () => failed.reject(new Error('the connection ended'));
  const timer = setTimeout(() => failed.reject(new Error(`not done within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  client.once('end', onEnd);
  try {
    return await Promise.race([compareWithOther(client, connectionString), failed.promise]);
  } finally {
    clearTimeout(timer);
    client.off('end', onEnd);
  }
}

async function compareWithOther(client: Client, connectionString: string): Promise<string | null> {
  const other = await connectClient({
    connectionString,
    application_name: 'gateway-session-check',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CHECK_TIMEOUT_MS,
  });
  try {
    return await sharingSymptom(client, other);
  } finally {
    void other.end().catch(() => undefined);
  }
}

/**
 * Checks whether two new connections through the same pooler have separate database sessions. Both results are conclusive. Either
 * two connections used one session, or a notification arrived that only an idle connection with its own session can receive.
 * @param one must have no other user
 * @returns the symptom of a shared session, or null
 */
export async function sharingSymptom(one: Client, other: Client): Promise<string | null> {
  // RDS Proxy keeps the session of a connection that has changed a setting.
  await one.query(`select set_config('application_name', current_setting('application_name'), false)`);
  const session = await backendOf(one);
  for (let round = 0; round < ROUNDS; round++) {
    if ((await backendOf(other)) === session) return 'two connections used the same database session';
    if ((await backendOf(one)) !== session) return 'one connection was served by different database sessions';
  }
  // A standby has no notifications. Each session that it has is still compared.
  const { rows } = await one.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  return rows[0]!.standby ? null : notificationSymptom(one, other);
}

/** Poolers that assign the least recently used session can pass the comparison of sessions. */
async function notificationSymptom(one: Client, other: Client): Promise<string | null> {
  await one.query(`listen ${CHANNEL}`);
  for (let round = 0; round < ROUNDS; round++) {
    const expected = expectNotification(one, randomUUID());
    try {
      await other.query('select pg_notify($1, $2)', [CHANNEL, expected.payload]);
      if (await expected.arrived(NOTIFICATION_MS_MAX)) {
        await one.query(`unlisten ${CHANNEL}`);
        return null;
      }
      // A session receives its notifications before the end of its next statement.
      await one.query('select 1');
      if (!expected.received) return 'a notification did not reach the connection that listens to it';
      // Inconclusive: either the server is slow, or the statement itself ran in the session that listens.
    } finally {
      expected.stop();
    }
  }
  throw new Error('notifications arrived late');
}

interface ExpectedNotification {
  readonly payload: string;
  readonly received: boolean;
  arrived(withinMs: number): Promise<boolean>;
  stop(): void;
}

function expectNotification(client: Client, payload: string): ExpectedNotification {
  const arrival = Promise.withResolvers<boolean>();
  const state = { received: false };
  const listener = (notification: Notification) => {
    if (notification.channel !== CHANNEL || notification.payload !== payload) return;
    state.received = true;
    arrival.resolve(true);
  };
  client.on('notification', listener);
  return {
    payload,
    get received() {
      return state.received;
    },
    arrived: (withinMs) => Promise.race([arrival.promise, pause(withinMs, false, { ref: false })]),
    stop: () => void client.off('notification', listener),
  };
}

/** @returns the process ID of the session that served the statement */
export async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

interface Findings {
  /** Connections whose last attempt got no session of its own, with the problem */
  readonly problems: Map<object, PoolerProblem>;
  /** The last usable connection went through a pooler that kept its session. */
  proven: boolean;
}

/** By URL, because a pooler that shares one connection's session can do so for all connections of the process. */
const found = new Map<string, Findings>();

/** The findings of this process about the pooler behind a URL. Each connection has its own instance and adds its own problem. */
export class PoolerFindings {
  private readonly findings: Findings;

  constructor(url: string) {
    this.findings = found.get(url) ?? { problems: new Map(), proven: false };
    found.set(url, this.findings);
  }

  /** Why no request can be admitted exactly, even with counts in memory; null if no connection has found a problem. */
  get problem(): PoolerProblem | null {
    const [first] = this.findings.problems.values();
    return first ?? null;
  }

  /** @param pooled whether the connection goes through a pooler */
  usable(pooled: boolean): void {
    this.findings.problems.delete(this);
    this.findings.proven = pooled;
  }

  /**
   * An inconclusive check counts as an outage if the pooler kept sessions before.
   * @returns whether the error is a problem of the pooler
   */
  failed(error: unknown): boolean {
    const shared = error instanceof SharedSession;
    if (!shared && !(error instanceof UncheckedSession && !this.findings.proven)) return false;
    if (shared) this.findings.proven = false;
    this.findings.problems.set(this, error);
    return true;
  }

  closed(): void {
    this.findings.problems.delete(this);
  }
}
