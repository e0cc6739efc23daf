import type { Client } from 'pg';

type Settings = Readonly<Record<string, string>>;

/** Formats that the driver can parse. The defaults of a role or a database can differ. */
const FORMATS: Settings = { TimeZone: 'UTC', DateStyle: 'ISO', extra_float_digits: '1' };

/** Applies `FORMATS` and `settings` after connecting, because poolers reject them as startup options. */
export async function setSession(client: Client, settings: Settings): Promise<void> {
  const { calls, values } = settingCalls(settings);
  await client.query(`select ${calls}`, values);
}

/**
 * Like `setSession`, in the same round trip, but changes nothing behind a pooler. A pooler announces a process ID of its own, and
 * its sessions can belong to other connections.
 * @returns whether the client is connected to PostgreSQL itself
 */
export async function setDirectSession(client: Client, settings: Settings): Promise<boolean> {
  const { processID } = client as unknown as { readonly processID: number | null };
  const { calls, values } = settingCalls(settings);
  const { rowCount } = await client.query(`select ${calls} where pg_backend_pid() = $${values.length + 1}`, [
    ...values,
    processID,
  ]);
  return rowCount === 1;
}

function settingCalls(settings: Settings): { readonly calls: string; readonly values: string[] } {
  const pairs = Object.entries({ ...FORMATS, ...settings });
  const calls = pairs.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`);
  return { calls: calls.join(', '), values: pairs.flat() };
}
