import { databaseUnavailable } from './database-unavailable.js';
import { Session } from './stores/session.js';

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
