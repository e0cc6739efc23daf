import type { Client } from 'pg';

/** Gives a new connection its settings: poolers refuse them as startup options. Without settings nothing is sent. */
export async function setSession(client: Client, settings: Readonly<Record<string, string>>): Promise<void> {
  const pairs = Object.entries(settings);
  if (pairs.length === 0) return;
  const calls = pairs.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`);
  await client.query(`select ${calls.join(', ')}`, pairs.flat());
}
