import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { DatabaseClient } from './database-client.js';

/** A server of a lower timeline is refused for this long after a higher timeline was in use. */
const OUTDATED_MS_MAX = 60_000;
/** A standby is refused for this long after a primary was in use. The watch connection confirms the primary every second. */
const STANDBY_MS_MAX = 3000;
const LOG_INTERVAL_MS = 60_000;

/** A run of a PostgreSQL server. Every value is readable without additional rights. */
export interface ServerIdentity {
  /** When the server started, in microseconds since 1970. Different even for copies of a server. */
  readonly started: string;
  readonly standby: boolean;
  /** Null if the provider does not allow reading it, and on a standby. Each promotion and each restore raises it. */
  readonly timeline: number | null;
  /** Copies of a server share it. Null if the provider does not allow reading it. */
  readonly system: string | null;
}

/** The connection reached an old primary or a standby, although this process used the current primary a moment ago. */
export class OutdatedServer extends Error {
  readonly code = 'GW_OUTDATED_SERVER';
}

interface Member {
  readonly server: ServerIdentity;
  readonly leave: (reason: Error) => void;
}

const byUrl = new Map<string, DatabaseServer>();

/**
 * The server that all connections of this process to one URL use. A proxy or a DNS name can lead each of them to another server
 * during a failover. The newest connection decides, unless its server is known to be outdated. All others then reconnect.
 */
export class DatabaseServer {
  private readonly logger = new Logger('Database');
  private readonly members = new Map<object, Member>();
  private current: ServerIdentity | null = null;
  private confirmedAtMs = 0;
  private refusedAtMs = -Infinity;
  private hidesTimeline = false;
  private roomHook: (() => void) | null = null;

  static of(url: string): DatabaseServer {
    const server = byUrl.get(url) ?? new DatabaseServer();
    byUrl.set(url, server);
    return server;
  }

  /** @param hook closes connections of the pool, so that a connection with one purpose gets a place */
  onRoomNeeded(hook: (() => void) | null): void {
    this.roomHook = hook;
  }

  /** Called when the server, database or role allows no further connection. */
  needRoom(): void {
    this.roomHook?.();
  }

  /** Reads the identity of the server behind a connection. */
  async identify(client: Client): Promise<ServerIdentity> {
    if (!this.hidesTimeline) {
      try {
        return identityOf((await client.query<IdentityRow>(IDENTITY)).rows);
      } catch (error) {
        // Some managed databases do not have these functions.
        if (!isMissing(error)) throw error;
        this.hidesTimeline = true;
      }
    }
    return identityOf((await client.query<IdentityRow>(START_ONLY)).rows);
  }

  /**
   * Adds a connection. If its server differs from the current one, all other connections leave.
   * @param leave closes the connection; called at most once
   * @throws OutdatedServer if the server must not be used
   */
  join(connection: object, server: ServerIdentity, leave: (reason: Error) => void): void {
    try {
      this.refuseOutdated(server);
    } catch (error) {
      if (connection instanceof DatabaseClient) connection.leaveHost();
      throw error;
    }
    this.members.set(connection, { server, leave });
    this.confirm(connection, server);
  }

  leave(connection: object): void {
    this.members.delete(connection);
  }

  /** Called every second with the identity that a member has read again. It changes when a standby is promoted. */
  confirm(connection: object, server: ServerIdentity): void {
    const member = this.members.get(connection);
    if (member === undefined) return;
    this.members.set(connection, { ...member, server });
    const before = this.current;
    this.current = server;
    this.confirmedAtMs = performance.now();
    if (before === null || isSame(before, server)) return;
    this.logger.warn(`The database server has changed from ${describe(before)} to ${describe(server)}`);
    for (const [other, { server: used, leave }] of this.members) {
      if (isSame(used, server)) continue;
      this.members.delete(other);
      leave(new Error('The database server has changed'));
    }
  }

  private refuseOutdated(server: ServerIdentity): void {
    const { current } = this;
    if (current === null) return;
    const ageMs = performance.now() - this.confirmedAtMs;
    const isOutdated =
      (server.standby && !current.standby && ageMs < STANDBY_MS_MAX) ||
      (isOlder(server, current) && ageMs < OUTDATED_MS_MAX);
    if (!isOutdated) return;
    const problem = `The connection reached ${describe(server)}, but ${describe(current)} was in use ${Math.round(ageMs / 1000)} s ago`;
    if (performance.now() - this.refusedAtMs > LOG_INTERVAL_MS) {
      this.refusedAtMs = performance.now();
      this.logger.warn(`${problem}. Check the load balancer, and fence the old primary`);
    }
    throw new OutdatedServer(problem);
  }
}

interface IdentityRow {
  readonly started: string;
  readonly standby: boolean;
  readonly timeline: number | null;
  readonly system: string | null;
}

const identityOf = (rows: readonly IdentityRow[]): ServerIdentity => rows[0]!;

const STARTED = `
select (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint::text as started, pg_is_in_recovery() as standby`;
// The control file shows the timeline of a new primary only after its first checkpoint. The name of a WAL file shows it at once.
const IDENTITY = `${STARTED},
       case when pg_is_in_recovery() then null
            else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer end as timeline,
       (select system_identifier::text from pg_control_system()) as system`;
const START_ONLY = `${STARTED}, null::integer as timeline, null::text as system`;

/** The function is missing, forbidden or not supported. */
const isMissing = (error: unknown): boolean => /^(42|0A|55|XX)...$/.test(String((error as { code?: unknown }).code));

const isSame = (a: ServerIdentity, b: ServerIdentity): boolean =>
  a.started === b.started && a.standby === b.standby && a.timeline === b.timeline && a.system === b.system;

const isOlder = (a: ServerIdentity, b: ServerIdentity): boolean =>
  a.system === b.system && a.timeline !== null && b.timeline !== null && a.timeline < b.timeline;

function describe({ started, standby, timeline }: ServerIdentity): string {
  const since = new Date(Number(started) / 1000).toISOString();
  const role = standby ? 'a standby' : 'a primary';
  return `${role} that started at ${since}${timeline === null ? '' : ` on timeline ${timeline}`}`;
}
