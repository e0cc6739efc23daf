import { withHostParameters } from '../../platform/config/database-hosts.rules.js';
import { connectClient } from '../../platform/database/database-client.js';
import { objectsOf, type Fields } from './fields.rules.js';

/** The tables that the import reads. Their rows are JSON objects, because their columns differ between versions of LiteLLM. */
const TABLES = {
  budgets: 'LiteLLM_BudgetTable',
  organizations: 'LiteLLM_OrganizationTable',
  teams: 'LiteLLM_TeamTable',
  users: 'LiteLLM_UserTable',
  keys: 'LiteLLM_VerificationToken',
  models: 'LiteLLM_ProxyModelTable',
  teamMembers: 'LiteLLM_TeamMembership',
  endUsers: 'LiteLLM_EndUserTable',
} as const;

export type LitellmRows = Readonly<Record<keyof typeof TABLES, readonly Fields[]>>;

/** The database is not one of LiteLLM. */
export class NotLitellmDatabase extends Error {}

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/**
 * Reads a LiteLLM database in one read-only snapshot.
 * @param url as in LiteLLM's `DATABASE_URL`
 * @throws NotLitellmDatabase, and the errors of the connection
 */
export async function readDatabase(url: string): Promise<LitellmRows> {
  const connectionString = withHostParameters(url);
  const schema = new URL(connectionString).searchParams.get('schema') ?? 'public';
  const client = await connectClient({
    connectionString,
    application_name: 'gateway-import',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
  });
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const { rows: tables } = await client.query<{ name: string }>(TABLE_NAMES, [schema, Object.values(TABLES)]);
    const names = new Set(tables.map(({ name }) => name));
    if (!names.has(TABLES.keys)) throw new NotLitellmDatabase(`The database has no table "${TABLES.keys}".`);
    const read = async (table: string): Promise<Fields[]> => {
      if (!names.has(table)) return [];
      const from = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`;
      const { rows } = await client.query<{ row: unknown }>(`select to_jsonb(entry) as row from ${from} as entry`);
      return objectsOf(rows.map(({ row }) => row));
    };
    const found: Partial<Record<keyof typeof TABLES, Fields[]>> = {};
    for (const [name, table] of Object.entries(TABLES)) found[name as keyof typeof TABLES] = await read(table);
    return found as LitellmRows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const TABLE_NAMES = `
select relname as name from pg_class
 where relnamespace = to_regnamespace(quote_ident($1)) and relkind in ('r', 'p', 'v') and relname = any ($2)`;
