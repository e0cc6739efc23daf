import { DataSource } from 'typeorm';
import { UsageStore } from '../../src/stats/stores/usage.store.js';
import { UsageLedger } from '../../src/stats/usage-ledger.js';
import type { Key } from '../support/gateway.js';
import type { Dashboard } from './browser.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;

interface Traffic {
  readonly model?: string;
  readonly requests: number;
  readonly errors?: number;
  /** 0 is today (UTC). */
  readonly daysAgo?: number;
}

/** Returns the UTC date of a number of days ago, in the API's format. */
export const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Writes the usage of requests with ten input and five output tokens each, without sending them. */
export async function used(
  { gateway }: Dashboard,
  key: Key,
  { model = 'gpt-4o-mini', requests, errors = 0, daysAgo = 0 }: Traffic,
): Promise<void> {
  const ledger = new UsageLedger(1000);
  for (let n = 0; n < requests; n++)
    ledger.add(key.id, Date.now() - daysAgo * DAY_MS, model, {
      failed: n < errors,
      inputTokens: 10,
      outputTokens: 5,
      estimatedTokens: n === 0 ? 5 : 0,
    });
  await new UsageStore(gateway.app.get(DataSource)).write(ledger.take(1000));
}

/** Waits until the sample contains this many requests, because it is written after the response. */
export async function sampled({ gateway }: Dashboard, requests: number): Promise<void> {
  const count = async (): Promise<number> => {
    const { body } = await gateway.admin<{ endpoints: { request_count: number }[] }>('GET', '/admin/endpoint-stats');
    return body.endpoints.reduce((total, { request_count }) => total + request_count, 0);
  };
  await until(async () => (await count()) >= requests);
}
