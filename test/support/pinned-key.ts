import { DataSource } from 'typeorm';
import type { TestGateway } from './gateway.js';

/**
 * Moves the three windows of a key one period ahead and empties them. The store keeps a window of the next period, as it does
 * when a clock was set back. No new minute then begins during a test for at least a minute.
 */
async function pinWindows(gateway: TestGateway, key: { readonly id: string }): Promise<void> {
  await gateway.app.get(DataSource).query(
    `update key_quota set minute = floor(date_part('epoch', now()) / 60) + 1, minute_count = 0,
            day = floor(date_part('epoch', now()) / 86400) + 1, day_count = 0,
            month = date_part('year', now() at time zone 'UTC') * 12 + date_part('month', now() at time zone 'UTC'),
            month_count = 0
      where key_id = $1`,
    [key.id],
  );
}

/** Creates a key whose windows do not roll over during a test. */
export async function pinnedKey(gateway: TestGateway, fields: Record<string, unknown> = {}) {
  const key = await gateway.createKey(fields);
  await pinWindows(gateway, key);
  return key;
}
