import { Client } from 'pg';
import { databaseProblem } from '../../../database/database-problem.rules.js';
import { CliError } from '../../cli-error.js';

const CONNECT_MS_MAX = 3000;
/** Of one statement, by the clock here: poolers refuse start-up options that would set it there. */
const ANSWER_MS_MAX = 5000;

/** One connection of a command's own, for what it looks at before, or instead of, starting the services. */
export class Session {
  private constructor(private readonly client: Client) {}

  /** @throws what the driver throws, after 3 s at most; `database-problem.rules.ts` says it in words */
  static async open(url: string): Promise<Session> {
    const client = new Client({
      connectionString: url,
      application_name: 'gateway-cli',
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: ANSWER_MS_MAX,
    });
    // A server that goes away is told by the statement that fails then.
    client.on('error', () => undefined);
    await client.connect();
    return new Session(client);
  }

  async rows<Row extends Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(sql, parameters)).rows;
  }

  /** Prepared in the session at the first call with this name, and only executed at those after it. */
  async prepared(name: string, sql: string): Promise<void> {
    await this.client.query({ name, text: sql });
  }

  /** The next notice on a channel that this session listens to, or null after `waitMs`. */
  nextNotice(waitMs: number): Promise<string | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), waitMs);
      this.client.once('notification', ({ payload }: { payload?: string }) => {
        clearTimeout(timer);
        resolve(payload ?? '');
      });
    });
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

/** @throws CliError `database_unavailable` where none can be opened; and what `work` throws */
export async function withSession<T>(url: string, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await Session.open(url).catch((error: unknown) => {
    throw databaseUnavailable(error, url);
  });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** @param error as the driver threw it while connecting or asking */
export const databaseUnavailable = (error: unknown, url: string): CliError => {
  const { message, advice } = databaseProblem(error, url);
  return new CliError('database_unavailable', `${message}. ${advice}`);
};
