import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.service.js';
import { TaskConnection } from '../../database/task-connection.js';
import { serviceUnavailable } from '../../errors/catalogue.js';
import type { JobName } from '../job.js';

const ANSWER_MS_MAX = 1500;

/** Locks in the database, one a job: whoever has it is the one process that does the job. */
@Injectable()
export class JobLocks {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  /**
   * Not yet the lock, but the connection that would hold it.
   * @throws GatewayError `service_unavailable` where there is no database: at once if that is known, else within 2 s (D22)
   */
  async open(job: JobName): Promise<JobLock> {
    if (this.database.state === 'away') throw serviceUnavailable(new Error('The database is away'));
    const terms = { name: 'gateway-job', statementMsMax: ANSWER_MS_MAX };
    const opening = TaskConnection.open(this.config.databaseUrl ?? '', terms);
    return new JobLock(await opening.catch((error: unknown) => Promise.reject(serviceUnavailable(error))), job);
  }
}

export class JobLock {
  constructor(
    private readonly connection: TaskConnection,
    private readonly job: JobName,
  ) {}

  /** Aborted when the lock may be somebody else's from now on. */
  get lost(): AbortSignal {
    return this.connection.lost;
  }

  /** @returns false: another process has it */
  async take(): Promise<boolean> {
    const [row] = await this.connection.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
      [this.name],
    );
    return row?.taken === true;
  }

  /** Free when it resolves. */
  async release(): Promise<void> {
    await this.connection
      .query('select pg_advisory_unlock(hashtextextended($1, 0))', [this.name])
      // A connection that is gone has let go of it already.
      .catch(() => undefined);
    await this.connection.close();
  }

  private get name(): string {
    return `job:${this.job}`;
  }
}
