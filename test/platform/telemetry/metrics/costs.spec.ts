import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Key } from '../../../support/gateway.js';
import { startMetered, type MeteredGateway } from '../../../support/metered-gateway.js';

const COST = 'gateway_cost_dollars_total';
const UNPRICED = 'gateway_unpriced_requests_total';
const DEFAULT = { upstream: 'default' };

let metered: MeteredGateway;
let key: Key;
beforeAll(async () => {
  metered = await startMetered();
  key = await metered.gateway.createKey();
});
afterAll(() => metered.stop());

const chat = (model: string) => metered.gateway.chat(key, { model });

test('both counters have a series for each account from the start', async () => {
  const fresh = await startMetered();
  const now = await fresh.scrape();
  await fresh.stop();
  for (const name of [COST, UNPRICED]) {
    const series = now.of(name);
    expect(series.map(({ labels }) => labels)).toContainEqual(DEFAULT);
    expect(series.every(({ value }) => value === 0)).toBe(true);
  }
});

test('a request with a price adds its cost in dollars', async () => {
  // 9 input tokens at $0.15 and 3 output tokens at $0.60 per million.
  const before = (await metered.scrape()).sum(UNPRICED);
  expect(await metered.added(COST, DEFAULT, () => chat('gpt-4o-mini'))).toBeCloseTo(0.00000315, 12);
  expect((await metered.scrape()).sum(UNPRICED)).toBe(before);
});

test('a request whose model has no price is counted as unpriced, and adds no cost', async () => {
  const before = (await metered.scrape()).sum(COST);
  expect(await metered.added(UNPRICED, DEFAULT, () => chat('acme-custom-1'))).toBe(1);
  expect((await metered.scrape()).sum(COST)).toBe(before);
});
