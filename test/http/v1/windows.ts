import { DataSource } from 'typeorm';
import type { TestGateway } from '../../support/gateway.js';

/**
 * Puts the three windows of a key one ahead, empty: the store keeps a window that is the next one (a clock put back), so
 * no minute turns in the middle of a test for a whole minute from now.
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

/** A key whose windows do not turn while a test runs. */
export async function pinnedKey(gateway: TestGateway, fields: Record<string, unknown> = {}) {
  const key = await gateway.createKey(fields);
  await pinWindows(gateway, key);
  return key;
}
