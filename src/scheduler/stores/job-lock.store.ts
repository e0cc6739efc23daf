import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.service.js';
import { TaskConnection } from '../../platform/database/task-connection.js';
import { serviceUnavailable } from '../../platform/errors/error-factories.js';
import type { JobName } from '../job.js';

const STATEMENT_TIMEOUT_MS = 1500;

/** One lock per job. Only the process that holds it runs the job. */
@Injectable()
export class JobLocks {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  /** Connects without taking the lock. @throws GatewayError `service_unavailable`, within 2 s (D22) */
  async open(job: JobName): Promise<JobLock> {
    if (this.database.state === 'away') throw serviceUnavailable(new Error('The database is unavailable'));
    const options = { name: 'gateway-job', statementMsMax: STATEMENT_TIMEOUT_MS };
    const opening = TaskConnection.open(this.config.databaseUrl ?? '', options);
    return new JobLock(await opening.catch((error: unknown) => Promise.reject(serviceUnavailable(error))), job);
  }
}

/** A job's lock and the connection that holds it. */
export class JobLock {
  constructor(
    private readonly connection: TaskConnection,
    private readonly job: JobName,
  ) {}

  /** Aborted when the connection closes, which releases the lock. */
  get lost(): AbortSignal {
    return this.connection.lost;
  }

  /** Returns false without waiting if another process holds the lock. */
  async take(): Promise<boolean> {
    const [row] = await this.connection.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
      [this.name],
    );
    return row?.taken === true;
  }

  /** Also closes the connection. */
  async release(): Promise<void> {
    await this.connection
      .query('select pg_advisory_unlock(hashtextextended($1, 0))', [this.name])
      // A lost connection has already released the lock.
      .catch(() => undefined);
    await this.connection.close();
  }

  private get name(): string {
    return `job:${this.job}`;
  }
}
