import type { Client } from 'pg';
import { connectClient } from '../../../platform/database/database-client.js';
import type { DatabaseVariable } from '../../../platform/config/libpq-settings.js';
import { databaseProblem } from '../../../platform/database/database-problem.rules.js';
import { CliError } from '../../cli-error.js';

const CONNECT_TIMEOUT_MS = 3000;
/** Enforced by the client, because poolers reject the startup option for a server-side timeout. */
const STATEMENT_TIMEOUT_MS = 5000;

export class Session {
  private constructor(readonly client: Client) {}

  static async open(url: string): Promise<Session> {
    const client = await connectClient({
      connectionString: url,
      application_name: 'gateway-cli',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
    });
    return new Session(client);
  }

  async rows<Row extends Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(sql, parameters)).rows;
  }

  async prepared(name: string, sql: string): Promise<void> {
    await this.client.query({ name, text: sql });
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

export interface DatabaseAddress {
  readonly url: string;
  readonly variable: DatabaseVariable;
}

/** @throws CliError `database_unavailable`, and any error of `work` */
export async function withSession<T>(address: DatabaseAddress, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await Session.open(address.url).catch((error: unknown) => {
    throw databaseUnavailable(error, address);
  });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

export const databaseUnavailable = (error: unknown, { url, variable }: DatabaseAddress): CliError => {
  const { message, advice } = databaseProblem(error, url, variable);
  return new CliError('database_unavailable', `${message}. ${advice}`);
};
