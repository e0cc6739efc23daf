import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type Migration, type QueryRunner } from 'typeorm';
import { migrationOptions, type DataSourceParts } from './data-source-options.js';
import { MIGRATION_LOCK_TIMEOUT_MS } from './migration-locks.js';
import { advisoryLockHolders, LockWatch, type BlockingSession } from './migration-locks.js';

type Query = (sql: string, parameters?: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * Runs the migrations that are not applied yet, and returns their names.
 * @param allowed the setting GW_MIGRATE
 * @throws Error if the encoding is not UTF8, or if migrations are pending and not allowed; the errors of `runMigrations`
 */
export async function migrateAtStart(query: Query, allowed: boolean, run: MigrationRun): Promise<string[]> {
  await requireUtf8(query);
  const pending = await pendingMigrations(query, run.migrations);
  if (pending.length === 0) return pending;
  if (!allowed)
    throw new Error(
      `migrations are pending and GW_MIGRATE is off: ${pending.join(', ')}. Run node dist/src/cli/main.js migrate`,
    );
  await runMigrations(run);
  return pending;
}

/** In another encoding, some texts cannot be stored. @throws Error with the code `GW_ENCODING` */
async function requireUtf8(query: Query): Promise<void> {
  const [row] = await query(`select current_setting('server_encoding') as encoding`);
  const encoding = String(row?.encoding);
  if (encoding !== 'UTF8') throw Object.assign(new Error(`its encoding is ${encoding}`), { code: 'GW_ENCODING' });
}

const TABLE_EXISTS = `select to_regclass('migrations') is not null as found`;

async function pendingMigrations(query: Query, migrations: MigrationRun['migrations']): Promise<string[]> {
  const [table] = await query(TABLE_EXISTS);
  const applied = table?.found === true ? await query('select name from migrations') : [];
  const names = new Set(applied.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !names.has(name));
}

export interface MigrationRun extends Pick<DataSourceParts, 'url' | 'migrations'> {
  /** How long the run waits for locks in total, with pauses. Statements that do not wait can take longer. */
  readonly waitSeconds: number;
  /** Stops the run: it rolls back the running migration, and starts no other. */
  readonly signal: AbortSignal;
  /** Receives one line for each retry. */
  readonly onRetry: (text: string) => void;
}

/** Other sessions held the locks for too long. The migration is rolled back. */
export class MigrationBlocked extends Error {}

const ADVISORY_LOCK = 'gateway-migrations';
const TRY_LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked';
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))';
/**
 * Polling interval for the advisory lock. A statement that waits for the lock would hold a snapshot, which delays vacuum and
 * concurrent index builds.
 */
const TRY_LOCK_MS = 250;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 5000;
const LOCK_TIMEOUT = '55P03';
const DEADLOCK = '40P01';
const CANCELED = '57014';

/**
 * Runs pending migrations, one process at a time. Each migration is one transaction, which is rolled back and retried as a whole
 * if it does not get its locks quickly (ADR 0030).
 * @throws MigrationBlocked; an error with the code `GW_ENCODING`; the abort reason of `signal`; and the error of a migration. Earlier migrations stay applied.
 */
export async function runMigrations(run: MigrationRun): Promise<void> {
  const source = new DataSource(migrationOptions(run));
  await source.initialize();
  const [observer, migrator] = [source.createQueryRunner(), source.createQueryRunner()];
  try {
    const deadline = performance.now() + run.waitSeconds * 1000;
    await requireUtf8((sql) => observer.query(sql) as Promise<Record<string, unknown>[]>);
    await lock(observer, run, deadline);
    await new Runner(run, observer, migrator, deadline).runAll(new MigrationExecutor(source, migrator));
  } finally {
    // Unlocks explicitly, because a pooler keeps the session after the disconnect.
    await observer.query(UNLOCK, [ADVISORY_LOCK]).catch(() => undefined);
    await Promise.all([observer.release(), migrator.release()]);
    await source.destroy();
  }
}

async function lock(observer: QueryRunner, { signal, waitSeconds }: MigrationRun, deadline: number): Promise<void> {
  signal.throwIfAborted();
  while (!(await tryLock(observer))) {
    if (performance.now() > deadline) {
      const holders = await advisoryLockHolders(observer, ADVISORY_LOCK);
      throw new MigrationBlocked(
        `another process has been migrating for ${waitSeconds} s: ${sessionsText(holders)}. Wait for it, or end it`,
      );
    }
    await rest(TRY_LOCK_MS, signal);
  }
}

async function tryLock(observer: QueryRunner): Promise<boolean> {
  const [row] = (await observer.query(TRY_LOCK, [ADVISORY_LOCK])) as { locked: boolean }[];
  return row?.locked === true;
}

class Runner {
  constructor(
    private readonly run: MigrationRun,
    private readonly observer: QueryRunner,
    private readonly migrator: QueryRunner,
    private readonly deadline: number,
  ) {}

  async runAll(executor: MigrationExecutor): Promise<void> {
    for (const migration of await executor.getPendingMigrations()) await this.runOne(executor, migration);
  }

  private async runOne(executor: MigrationExecutor, migration: Migration): Promise<void> {
    let blockers = await this.attempt(executor, migration);
    for (let attempt = 1; blockers !== null; attempt++) {
      const pauseMs = Math.min(PAUSE_MS_MIN * 2 ** (attempt - 1), PAUSE_MS_MAX);
      const problem = `${migration.name} did not get its locks within ${MIGRATION_LOCK_TIMEOUT_MS} ms and was rolled back`;
      const sessions = `Blocked by ${sessionsText(blockers)}`;
      if (performance.now() + pauseMs > this.deadline)
        throw new MigrationBlocked(
          `${problem} ${attempt} times in ${this.run.waitSeconds} s. ${sessions}. End these sessions, or try again later`,
        );
      this.run.onRetry(`Migration ${problem}. ${sessions}. Attempt ${attempt + 1} follows in ${pauseMs} ms`);
      await rest(pauseMs, this.run.signal);
      blockers = await this.attempt(executor, migration);
    }
  }

  /** Returns null on success, or the sessions that held the locks. */
  private async attempt(executor: MigrationExecutor, migration: Migration): Promise<readonly BlockingSession[] | null> {
    const { signal } = this.run;
    signal.throwIfAborted();
    const [backend] = (await this.migrator.query('select pg_backend_pid() as pid')) as { pid: number }[];
    const watch = new LockWatch(this.observer, backend!.pid, signal);
    try {
      await this.migrator.startTransaction();
      await executor.executeMigration(migration);
      // A cancellation must not reach the next migration, and no migration is committed after a signal.
      await watch.stop();
      signal.throwIfAborted();
      await this.migrator.commitTransaction();
      return null;
    } catch (error) {
      await watch.stop();
      if (this.migrator.isTransactionActive) await this.migrator.rollbackTransaction().catch(() => undefined);
      signal.throwIfAborted();
      const { code } = error as { code?: string };
      if (code === LOCK_TIMEOUT || code === DEADLOCK || (code === CANCELED && watch.canceled)) return watch.blockers;
      throw error;
    }
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}

const NAME_LENGTH_MAX = 64;

/** Applications choose their names, so control characters are removed. */
function sessionsText(sessions: readonly BlockingSession[]): string {
  if (sessions.length === 0) return 'unknown sessions';
  return sessions
    .map(({ pid, application, ageSeconds }) => {
      if (pid === 0) return 'a prepared transaction';
      const name = application.replace(/\p{Cc}/gu, ' ').slice(0, NAME_LENGTH_MAX);
      const age = ageSeconds === null ? 'of unknown age' : `open for ${ageSeconds} s`;
      return `process ${pid} (application ${JSON.stringify(name)}, transaction ${age})`;
    })
    .join(', ');
}
