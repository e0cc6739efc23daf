import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { insertRows, type CostRow } from '../support/cost-rows.js';
import type { Key } from '../support/gateway.js';
import type { Dashboard } from './browser.js';
import { dayBefore } from './usage-traffic.js';

/** Writes costs of a key, without sending requests. By default, each row is one free request of today. */
export const spent = ({ gateway }: Dashboard, key: Key, ...rows: Partial<CostRow>[]): Promise<void> =>
  insertRows(
    gateway.app.get(DataSource),
    rows.map((row) => ({
      day: dayBefore(0),
      keyId: key.id,
      model: 'gpt-4o-mini',
      endpoint: '/v1/chat/completions',
      provider: 'default',
      requests: 1,
      unpriced: 0,
      estimated: 0,
      nanos: 0n,
      backfilled: false,
      units: 0,
      ...row,
    })),
  );

/** Rejects the reads of costs. The page must expect 403. */
export async function rejectCosts(page: Page): Promise<void> {
  const error = { code: 'forbidden', message: 'Not for you', type: 'authentication_error', param: null };
  await page.route('**/admin/costs?*', (route) => route.fulfill({ status: 403, json: { error } }));
}
