import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { insertRows, type CostRow } from '../support/cost-rows.js';
import { unpricedRows } from '../support/unpriced-rows.js';
import type { Key } from '../support/gateway.js';
import { until } from '../support/until.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { dayBefore } from './usage-traffic.js';

const UNPRICED = 'acme-large-1';

let dashboard: Dashboard;
let source: DataSource;
let billing: Key;
let search: Key;
beforeAll(async () => {
  dashboard = await startDashboard({ GW_LOG_SAMPLE_RATE: '1' });
  source = dashboard.gateway.app.get(DataSource);
  billing = await dashboard.gateway.createKey({ name: 'billing service' });
  search = await dashboard.gateway.createKey({ name: 'search service' });
});
beforeEach(async () => {
  for (const table of ['model_prices', 'cost_daily', 'unpriced_batches']) await source.query(`delete from ${table}`);
  await until(async () => (await lookup()).status === 404);
  const usual = { day: dayBefore(0), endpoint: '/v1/chat/completions', provider: 'default', unpriced: 0 };
  const rows: Partial<CostRow>[] = [
    { ...usual, keyId: billing.id, model: 'gpt-4o-mini', requests: 40, nanos: 10_500_000_123n },
    { ...usual, keyId: search.id, model: 'o1', requests: 5, unpriced: 3, nanos: 2_250_000_000n },
    { ...usual, keyId: search.id, model: 'o1', endpoint: '/v1/responses', requests: 60, nanos: 450_000n },
    { ...usual, keyId: billing.id, model: 'o1', day: lastMonth(), requests: 9, nanos: 5_000_000_000n },
  ];
  await insertRows(
    source,
    rows.map((row) => ({ estimated: 0, backfilled: false, units: 100, ...row }) as CostRow),
  );
});
afterAll(() => dashboard?.stop());

const lookup = (model = UNPRICED) => dashboard.gateway.admin('GET', `/admin/prices/lookup?model=${model}`);
function lastMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)).toISOString().slice(0, 10);
}
const open = (role: 'viewer' | 'admin', path: string, opening = {}) => dashboard.signedIn(role, { path, ...opening });
const tileOn = (page: Page, label: string) =>
  page.getByRole('heading', { level: 3, name: label, exact: true }).locator('..');
const tableOn = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rowOn = (page: Page, table: string, text: string) =>
  tableOn(page, table).getByRole('row').filter({ hasText: text });
const chartOn = (page: Page, title: RegExp) => page.getByRole('img', { name: title });
const names = (page: Page, table: string) => tableOn(page, table).locator('tbody tr td:first-child').allTextContents();
const setPrice = (fields: object) => dashboard.gateway.admin('POST', '/admin/prices', fields);

describe('costs page', () => {
  test('the tiles compare this month with the last one, and the forecast names its method', async () => {
    const page = await open('viewer', '/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Costs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor();
    await tileOn(page, 'This month').getByText('≥ $12.75').waitFor();
    expect(await tileOn(page, 'This month').getByText('≥ $12.75').getAttribute('title')).toBe('$12.750450123');
    expect(await tileOn(page, 'Last month').textContent()).toContain('$5.00');
    const { body } = await dashboard.gateway.admin<{ forecast: { based_on_days: number } | null }>(
      'GET',
      '/admin/costs',
    );
    expect(await tileOn(page, 'Forecast for this month').textContent()).toMatch(
      body.forecast === null
        ? /one complete day/
        : new RegExp(`last month.*average of ${body.forecast.based_on_days} complete days?`),
    );
    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    await screenshot(page, 'costs');
  });

  test('every amount with unpriced requests is marked as a lower bound, with a link to set prices', async () => {
    const page = await open('viewer', '/costs');
    const mark = 'lower bound: 3 requests have no price';
    await rowOn(page, 'Costs by key', 'search service').getByText(mark).waitFor();
    expect(await rowOn(page, 'Costs by key', 'search service').textContent()).toContain('≥ $2.25');
    expect(await rowOn(page, 'Costs by key', 'billing service').textContent()).not.toContain('lower bound');
    for (const tile of ['This month', 'This period'])
      expect(await tileOn(page, tile).getByRole('link', { name: mark }).count()).toBe(1);
    await tileOn(page, 'This month').getByRole('link', { name: mark }).click();
    await page.getByRole('heading', { level: 2, name: 'Needs a price' }).waitFor();
  });

  test('a total without any price is unknown, not 0', async () => {
    await source.query('update cost_daily set cost_nanos = 0, unpriced_requests = requests');
    const page = await open('viewer', '/costs');
    await tileOn(page, 'This month').getByText('no price', { exact: true }).waitFor();
    expect(await rowOn(page, 'Costs by key', 'billing service').textContent()).toContain('no price');
  });

  test('the columns are stacked by key or by model, with exact sums', async () => {
    const page = await open('viewer', '/costs?days=7');
    await chartOn(page, /^Cost by day and key, .*billing service: \$0\.00 to \$10\.50, \$10\.50 in total/).waitFor();
    await page.getByRole('radiogroup', { name: 'Columns by' }).getByText('By model').click();
    await chartOn(
      page,
      /^Cost by day and model, .*gpt-4o-mini: .*\. o1: \$0\.00 to \$2\.25, \$2\.25 in total/,
    ).waitFor();
    expect(new URL(page.url()).searchParams.get('stack')).toBe('model');
  });

  test('more values than colors are stacked as one part', async () => {
    const keyId = billing.id;
    const rows = Array.from({ length: 9 }, (_, n) => ({
      day: dayBefore(0),
      keyId,
      model: `model-${n}`,
      endpoint: '/v1/responses',
      provider: 'default',
      requests: 1,
      unpriced: 0,
      estimated: 0,
      backfilled: false,
      units: 1,
      nanos: BigInt(n + 1) * 10n ** 9n,
    }));
    await insertRows(source, rows);
    const page = await open('viewer', '/costs?days=7&stack=model');
    // 4 + 3 + 2.25045 + 2 + 1 dollars: all but the six highest.
    await chartOn(page, /All others: \$0\.00 to \$12\.25, \$12\.25 in total\./).waitFor();
  });

  test('groups can be sorted by cost, and grouped by model, endpoint and upstream', async () => {
    const page = await open('viewer', '/costs');
    await rowOn(page, 'Costs by key', 'billing service').waitFor();
    expect(await names(page, 'Costs by key')).toEqual(['billing service', 'search service']);
    await page.getByRole('button', { name: 'Requests' }).click();
    await until(async () => (await names(page, 'Costs by key'))[0] === 'search service');
    await page.getByRole('button', { name: 'Cost', exact: true }).click();
    await page.getByRole('button', { name: 'Cost ↓' }).click();
    await until(async () => (await names(page, 'Costs by key'))[0] === 'search service');
    for (const [tab, table, text] of [
      ['By model', 'Costs by model', 'gpt-4o-mini'],
      ['By endpoint', 'Costs by endpoint', '/v1/responses'],
      ['By upstream', 'Costs by upstream', 'default'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await rowOn(page, table, text).waitFor();
    }
  });

  test('the CSV file has every day and group with exact amounts', async () => {
    const page = await open('viewer', `/costs?by=model&days=7&key_id=${billing.id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV by day' }).click(),
    ]);
    const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(head).toMatch(/^\ufeff?day,model,cost,currency,requests,unpriced_requests/);
    expect(lines).toEqual([expect.stringMatching(`^${dayBefore(0)},gpt-4o-mini,10.500000123,USD,40,0,`)]);
  });

  test('a period without requests and a failed read each show a message', async () => {
    const day = dayBefore(300);
    const empty = await open('viewer', `/costs?from=${day}&to=${day}`);
    await empty.getByRole('heading', { name: 'No costs in this period' }).waitFor();
    const page = await open('viewer', '/usage', { expects: [/^403 GET \/admin\/costs$/] });
    const error = { code: 'forbidden', message: 'Not for you', type: 'authentication_error', param: null };
    await page.route('**/admin/costs?*', (route) => route.fulfill({ status: 403, json: { error } }));
    await page.goto(`${dashboard.gateway.url}/dashboard/costs`);
    await page.getByRole('alert').filter({ hasText: 'Not for you' }).waitFor();
  });
});

describe('prices page', () => {
  const MISSING = 'Models without a price';

  test(
    'a model without a price gets one, and its past requests are priced',
    async () => {
      await unpricedRows(source, { keyId: billing.id, count: 4, model: UNPRICED });
      const page = await open('admin', '/costs/prices');
      await rowOn(page, MISSING, UNPRICED).getByText('Input, Output').waitFor();
      await page.getByRole('button', { name: `Set a price for ${UNPRICED} at default` }).click();
      const dialog = page.getByRole('dialog', { name: `Set a price for ${UNPRICED}` });
      await dialog.getByRole('button', { name: 'Set price' }).click();
      await dialog.getByText('Enter at least one price.').waitFor();
      await dialog.getByLabel('Input', { exact: true }).fill('-1');
      await dialog.getByRole('button', { name: 'Set price' }).click();
      await dialog.getByText('Enter dollars such as 2.50').waitFor();
      await dialog.getByLabel('Input', { exact: true }).fill('1000');
      await dialog.getByLabel('Output', { exact: true }).fill('2000');
      await expectAccessible(page);
      await screenshot(page, 'costs-set-price');
      await dialog.getByRole('button', { name: 'Set price' }).click();
      await page.getByText('4 requests were priced: $0.06 in total.').waitFor();
      await page.getByRole('heading', { name: 'Every request has a price' }).waitFor();
      await rowOn(page, 'Prices of operators', UNPRICED).getByText('Input: $1,000.00 per million tokens').waitFor();
      const [{ nanos }] = await source.query<[{ nanos: string }]>(
        'select sum(cost_nanos) nanos from cost_daily where model = $1',
        [UNPRICED],
      );
      expect(nanos).toBe('60000000');
    },
    AXE_MS_MAX,
  );

  test('requests whose model has received a price can be recomputed', async () => {
    await unpricedRows(source, { keyId: billing.id, count: 1, model: UNPRICED });
    await setPrice({ model: UNPRICED, valid_from: '2020-01-01', prices: { input: '1000', output: '2000' } });
    const page = await open('admin', '/costs/prices');
    await rowOn(page, MISSING, UNPRICED).getByText('now has a price').waitFor();
    await page.getByRole('button', { name: `Recompute the costs of ${UNPRICED} at default` }).click();
    const dialog = page.getByRole('dialog', { name: 'Recompute the costs of these requests?' });
    await dialog.getByRole('button', { name: 'Recompute' }).click();
    await page.getByText('1 request was priced: $0.015 in total.').waitFor();
  });

  test('a price is set for any model, and deleted after a confirmation', async () => {
    const page = await open('admin', '/costs/prices');
    await page.getByRole('button', { name: 'Set a price', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Set a price' });
    await form.getByLabel('Model').fill('acme-*');
    await form.getByPlaceholder('Choose a kind of usage').click();
    await page.getByRole('option', { name: 'Web searches' }).click();
    await form.getByLabel('Web searches').fill('10000');
    await form.getByLabel('Note').fill('Contract of July');
    await form.getByRole('button', { name: 'Set price' }).click();
    const row = rowOn(page, 'Prices of operators', 'acme-*');
    await row.getByText('Web searches: $10,000.00 per million web searches').waitFor();
    expect(await row.textContent()).toContain('all upstreams');
    await page.getByRole('button', { name: 'Delete the price of acme-*' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this price?' });
    await dialog.getByText('The costs of past requests do not change.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No operator has set a price' }).waitFor();
  });

  test('a viewer sees prices and models without one, but no actions', async () => {
    await unpricedRows(source, { keyId: billing.id, count: 1, model: UNPRICED });
    await setPrice({ model: 'other-model', prices: { input: '1' } });
    const page = await open('viewer', '/costs/prices');
    await rowOn(page, MISSING, UNPRICED).waitFor();
    await rowOn(page, 'Prices of operators', 'other-model').waitFor();
    for (const name of [/^Set a price/, /^Recompute/, /^Delete/])
      expect(await page.getByRole('main').getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('columnheader', { name: 'Action' }).count()).toBe(0);
  });
});

test(
  'the details of a request show how its cost was computed, line by line',
  async () => {
    const { gateway } = dashboard;
    await setPrice({ model: 'gpt-4o-mini', prices: { input: '1000', output: '2000' } });
    await until(async () => (await lookup('gpt-4o-mini')).body.source === 'operator');
    const response = await gateway.chat(billing);
    const path = `/requests?request_id=${response.headers.get('x-request-id')}`;
    await until(
      async () =>
        (await gateway.admin<{ total: number }>('GET', `/admin/request-logs${path.slice(9)}`)).body.total === 1,
    );
    const page = await open('viewer', path);
    await page.getByText('$0.015 (exactly 0.015 USD)').waitFor();
    const cells = await rowOn(page, 'Lines of the cost', 'Output').getByRole('cell').allInnerTexts();
    expect(cells.map((cell) => cell.replaceAll(/\s+/g, ' '))).toEqual([
      'Output',
      '3',
      '$2,000.00 per 1,000,000 tokens',
      '–',
      '$0.006',
    ]);
    await expectAccessible(page);
    await screenshot(page, 'costs-request');
  },
  AXE_MS_MAX,
);

test(
  'the costs and prices pages are accessible and fit on a phone screen',
  async () => {
    await unpricedRows(source, { keyId: billing.id, count: 1, model: UNPRICED });
    await setPrice({
      model: 'other-model',
      prices: { input: '1', cached_input: '0.1', output: '3.75' },
      note: 'Contract',
    });
    const costs = await open('admin', '/costs', { viewport: PHONE });
    await costs.locator('.recharts-bar-rectangle path').first().waitFor();
    expect(await isWiderThanScreen(costs)).toBe(false);
    await expectAccessible(costs);
    await screenshot(costs, 'costs-phone');
    const prices = await open('admin', '/costs/prices', { viewport: PHONE });
    await rowOn(prices, 'Prices of operators', 'other-model').waitFor();
    expect(await isWiderThanScreen(prices)).toBe(false);
    await expectAccessible(prices);
    await screenshot(prices, 'prices-phone');
    for (const [path, name] of [
      ['/costs', 'costs-dark'],
      ['/costs/prices', 'prices-dark'],
    ] as const) {
      const dark = await open('admin', path, { scheme: 'dark' });
      await dark.getByRole('heading', { level: 1 }).waitFor();
      await dark.waitForLoadState('networkidle');
      await screenshot(dark, name);
    }
  },
  AXE_MS_MAX,
);
