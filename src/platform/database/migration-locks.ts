import { setTimeout as pause } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

/**
 * A migration that waits for a lock makes all later statements on the table wait too, even reads. Admission gives up after
 * 500 ms, so a migration must stop waiting sooner (ADR 0030).
 */
export const MIGRATION_LOCK_TIMEOUT_MS = 200;

/** A session that holds a lock. It has no statement, because statements can contain values. */
export interface BlockingSession {
  /** 0 is a prepared transaction. */
  readonly pid: number;
  readonly application: string;
  /** Age of its transaction. Null if the database user lacks permission to see it. */
  readonly ageSeconds: number | null;
}

const POLL_MS = 50;

const LOCK_WAIT = `
  select wait_event_type is not distinct from 'Lock' as waiting,
         case when wait_event_type = 'Lock' then pg_blocking_pids(pid) else '{}' end as pids
    from pg_stat_activity where pid = $1`;

const SESSIONS = `
  select p.pid, coalesce(a.application_name, '') as application,
         extract(epoch from clock_timestamp() - a.xact_start)::int as "ageSeconds"
    from unnest($1::int[]) p(pid) left join pg_stat_activity a on a.pid = p.pid`;

const ADVISORY_LOCK_HOLDERS = `
  select a.pid, coalesce(a.application_name, '') as application,
         extract(epoch from clock_timestamp() - a.xact_start)::int as "ageSeconds"
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
   where l.locktype = 'advisory' and l.granted
     and l.database = (select oid from pg_database where datname = current_database())
     and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended($1, 0)`;

export const advisoryLockHolders = (observer: QueryRunner, name: string): Promise<BlockingSession[]> =>
  observer.query(ADVISORY_LOCK_HOLDERS, [name]) as Promise<BlockingSession[]>;

/**
 * Observes a migrating session from a second one. It cancels the statement once the transaction has waited too long for locks, or
 * when `signal` aborts. The server's lock timeout alone would apply to each statement, while the transaction holds earlier locks.
 */
export class LockWatch {
  /** The sessions for which the migration waited most recently. */
  blockers: readonly BlockingSession[] = [];
  canceled = false;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private waitedMs = 0;

  constructor(
    private readonly observer: QueryRunner,
    private readonly pid: number,
    private readonly signal: AbortSignal,
  ) {
    this.running = this.observe();
  }

  /** After this, no cancellation is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async observe(): Promise<void> {
    let lastMs = performance.now();
    while (!this.stopping.signal.aborted) {
      await pause(POLL_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      // Without the observer, the server's lock timeout still applies.
      const waiting = await this.look().catch(() => false);
      const nowMs = performance.now();
      this.waitedMs += waiting ? nowMs - lastMs : 0;
      lastMs = nowMs;
      if (this.waitedMs >= MIGRATION_LOCK_TIMEOUT_MS || this.signal.aborted) await this.cancel();
    }
  }

  private async look(): Promise<boolean> {
    const [wait] = (await this.observer.query(LOCK_WAIT, [this.pid])) as { waiting: boolean; pids: number[] }[];
    if (wait?.waiting !== true) return false;
    const blockers = (await this.observer.query(SESSIONS, [wait.pids])) as BlockingSession[];
    if (blockers.length > 0) this.blockers = blockers;
    return true;
  }

  private async cancel(): Promise<void> {
    this.canceled = true;
    await this.observer.query('select pg_cancel_backend($1)', [this.pid]).catch(() => undefined);
  }
}
