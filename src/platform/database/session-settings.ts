import type { Client } from 'pg';

type Settings = Readonly<Record<string, string>>;

/**
 * Settings of every connection, because the defaults of a role, a database or a server can differ. The driver cannot parse other
 * formats. Concurrent writers fail under a stricter isolation. An idle session that ends loses its advisory locks.
 */
const REQUIRED: Settings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  idle_session_timeout: '0',
};

/** Applies `REQUIRED` and `settings` after connecting, because poolers reject them as startup options. */
export async function setSession(client: Client, settings: Settings): Promise<void> {
  await client.query(SET, namesAndValues(settings));
}

/**
 * Like `setSession`, in the same round trip, but changes nothing behind a pooler. A pooler announces a process ID of its own, and
 * its sessions can belong to other connections.
 * @returns whether the client is connected to PostgreSQL itself
 */
export async function setDirectSession(client: Client, settings: Settings): Promise<boolean> {
  const { processID } = client as unknown as { readonly processID: number | null };
  const { rowCount } = await client.query(SET_IF_DIRECT, [...namesAndValues(settings), processID]);
  return (rowCount ?? 0) > 0;
}

const SET = `
select set_config(name, value, false)
  from unnest($1::text[], $2::text[]) as settings(name, value)`;
const SET_IF_DIRECT = `${SET}
 where pg_backend_pid() = $3`;

function namesAndValues(settings: Settings): [string[], string[]] {
  const all = { ...REQUIRED, ...settings };
  return [Object.keys(all), Object.values(all)];
}
