import type { Client } from 'pg';

/** How values are written: the driver reads no other way, and a role or a database may be set to one. */
const FORM: Readonly<Record<string, string>> = { TimeZone: 'UTC', DateStyle: 'ISO', extra_float_digits: '1' };

/** Gives a new connection its settings, and those of `FORM`: poolers refuse them as startup options. */
export async function setSession(client: Client, settings: Readonly<Record<string, string>>): Promise<void> {
  const pairs = Object.entries({ ...FORM, ...settings });
  const calls = pairs.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`);
  await client.query(`select ${calls.join(', ')}`, pairs.flat());
}
