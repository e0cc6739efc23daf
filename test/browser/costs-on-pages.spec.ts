import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import type { Key } from '../support/gateway.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { rejectCosts, spent } from './recorded-costs.js';
import { dayBefore, used } from './usage-traffic.js';

const MARK = 'lower bound: 3 requests have no price';
const ALL_UNPRICED = 'lower bound: 4 requests have no price';

let dashboard: Dashboard;
let billing: Key;
let search: Key;
let lab: Key;
beforeAll(async () => {
  dashboard = await startDashboard();
  const make = (name: string) => dashboard.gateway.createKey({ name });
  [billing, search, lab] = [await make('billing'), await make('search'), await make('lab')];
  await make('idle');
  await used(dashboard, billing, { requests: 40 });
  await used(dashboard, search, { requests: 5, model: 'o1' });
  await used(dashboard, lab, { requests: 4, model: 'acme-custom-1', daysAgo: 1 });
  await dashboard.gateway.admin('POST', '/admin/cache/purge');
});
beforeEach(async () => {
  await dashboard.gateway.app.get(DataSource).query('delete from cost_daily');
  await spent(dashboard, billing, { requests: 40, nanos: 10_500_000_123n });
  await spent(dashboard, search, { model: 'o1', requests: 5, unpriced: 3, nanos: 2_250_000_000n });
  await spent(dashboard, lab, { model: 'acme-custom-1', requests: 4, unpriced: 4, day: dayBefore(1) });
});
afterAll(() => dashboard?.stop());

const open = (path: string, opening = {}) => dashboard.signedIn('viewer', { path, ...opening });
const tileOn = (page: Page, label: string) =>
  page.getByRole('heading', { level: 3, name: label, exact: true }).locator('..');
const rowOn = (page: Page, table: string, text: string) =>
  page.getByRole('region', { name: table, exact: true }).getByRole('row').filter({ hasText: text });
async function costOf(page: Page, table: string, text: string): Promise<string> {
  await rowOn(page, table, text).waitFor();
  const headers = await page
    .getByRole('region', { name: table, exact: true })
    .getByRole('columnheader')
    .allInnerTexts();
  const cells = await rowOn(page, table, text).getByRole('cell').allInnerTexts();
  return cells[headers.findIndex((header) => header.startsWith('Cost'))]!;
}
async function exported(page: Page): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).first().click(),
  ]);
  return (await readFile(await download.path(), 'utf8')).replace('\ufeff', '').trim().split('\r\n');
}

describe('costs on the key page', () => {
  const chartOn = (page: Page, label: RegExp) => page.getByRole('img', { name: label });

  test('the chart and the total show the cost of the key, with a link to its costs', async () => {
    const page = await open(`/keys/${search.id}`);
    await page.getByText('Cost: ≥ $2.25.').waitFor();
    await page.getByRole('link', { name: MARK }).waitFor();
    await page.getByRole('radiogroup', { name: 'Metric' }).getByText('Cost').click();
    await chartOn(
      page,
      /^Cost by day \(UTC\), .*Cost: \$0\.00 to \$2\.25, \$2\.25 in total\. .*, lower bound: 3 requests have no price\.$/,
    ).waitFor();
    expect(new URL(page.url()).searchParams.get('metric')).toBe('cost');
    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    await screenshot(page, 'key-cost');
    await page.getByRole('main').getByRole('link', { name: 'Costs', exact: true }).click();
    await page.waitForURL(`**/costs?key_id=${search.id}`);
  });

  test('a day without any price is marked in the chart’s table', async () => {
    const page = await open(`/keys/${lab.id}?metric=cost`);
    await page.getByText('Cost: no price.').waitFor();
    const ticks = page.locator('.recharts-yAxis-tick-labels text');
    await ticks.first().waitFor();
    expect((await ticks.allTextContents()).filter((label) => label !== '')).toEqual(['$0']);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const rows = page.getByRole('region', { name: 'Cost by day (UTC), as a table' }).locator('tbody tr');
    expect(await rows.nth(1).innerText()).toContain(ALL_UNPRICED);
    expect(await rows.nth(0).innerText()).not.toContain('lower bound');
  });

  test('the tokens of prompt caches are shown next to the counted tokens', async () => {
    await dashboard.gateway.app
      .get(DataSource)
      .query('update cost_daily set cached_input = 30940, cache_write_5m = 12 where key_id = $1', [billing.id]);
    const page = await open(`/keys/${billing.id}`);
    await page.getByText('600 tokens. Prompt caches: 30,940 tokens read, 12 written.').waitFor();
  });

  test('the CSV file has the exact cost of each day', async () => {
    const page = await open(`/keys/${billing.id}`);
    await page.getByText('Cost: $10.50.').waitFor();
    const [head, line] = await exported(page);
    expect(head).toMatch(/,cost,unpriced_requests$/);
    expect(line).toMatch(/,10\.500000123,0$/);
  });
});

describe('costs on the usage page', () => {
  test('totals, tables and chart show costs, and mark unpriced requests', async () => {
    const page = await open('/usage');
    expect(await tileOn(page, 'Cost').innerText()).toMatch(/≥ \$12\.75\s+lower bound: 7 requests have no price/);
    expect(await page.getByTitle('$12.750000123').count()).toBe(1);
    expect(await costOf(page, 'Usage by key', 'billing')).toBe('$10.50');
    expect(await costOf(page, 'Usage by key', 'search')).toMatch(new RegExp(`≥ \\$2\\.25\\s+${MARK}`));
    expect(await costOf(page, 'Usage by key', 'lab')).toMatch(new RegExp(`no price\\s+${ALL_UNPRICED}`));
    await page.getByRole('radiogroup', { name: 'Metric' }).getByText('Cost').click();
    await page.getByRole('img', { name: /^Cost by day, .*\$12\.75 in total\. .*4 requests.*3 requests/ }).waitFor();
    await screenshot(page, 'usage-cost');
    await page.getByRole('main').getByRole('link', { name: 'costs' }).click();
    await page.waitForURL('**/dashboard/costs');
  });

  test('usage whose costs were not recorded has no amount', async () => {
    await dashboard.gateway.app.get(DataSource).query('delete from cost_daily');
    const page = await open('/usage?metric=cost');
    expect(await tileOn(page, 'Cost').innerText()).toMatch(/–\s+No costs were recorded\.$/);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const rows = page.getByRole('region', { name: 'Cost by day, as a table' }).locator('tbody tr');
    expect(await rows.nth(0).innerText()).toContain('no costs were recorded');
  });
});

describe('costs in lists', () => {
  test('the keys show their cost of the last 30 days, and unpriced requests are marked', async () => {
    const dollar = { nanos: 1_000_000_000n };
    await spent(dashboard, billing, { ...dollar, day: dayBefore(29) }, { ...dollar, day: dayBefore(30) });
    const page = await open('/keys');
    await page.getByText('$11.50').waitFor();
    expect(await costOf(page, 'API keys', 'billing')).toBe('$11.50');
    expect(await costOf(page, 'API keys', 'search')).toMatch(new RegExp(`≥ \\$2\\.25\\s+${MARK}`));
    expect(await costOf(page, 'API keys', 'lab')).toMatch(new RegExp(`no price\\s+${ALL_UNPRICED}`));
    expect(await costOf(page, 'API keys', 'idle')).toBe('–');
    await screenshot(page, 'keys-cost');
    const [head, ...lines] = await exported(page);
    expect(head).toContain(',Cost (30 d),Requests without a price,Last used,');
    expect(lines.find((line) => line.startsWith('billing,'))).toContain(',11.500000123,0,');
    expect(lines.find((line) => line.startsWith('lab,'))).toContain(',,4,');
  });

  test('the models show their cost of the last 30 days, and unpriced requests are marked', async () => {
    const page = await open('/models?category=chat');
    await page.getByText('$10.50').waitFor();
    expect(await costOf(page, 'Models', 'gpt-4o-mini')).toBe('$10.50');
    expect(await costOf(page, 'Models', 'o1')).toMatch(new RegExp(`≥ \\$2\\.25\\s+${MARK}`));
    expect(await costOf(page, 'Models', 'gpt-4.1')).toBe('–');
    await screenshot(page, 'models-cost');
    await page.goto(`${dashboard.gateway.url}/dashboard/models?search=acme-custom-1`);
    await page.getByText('no price', { exact: true }).waitFor();
  });

  test('a key outside the highest costs has a link to its costs instead of an amount', async () => {
    const page = await open('/account');
    await page.route('**/admin/costs?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as object;
      await route.fulfill({ response, json: { ...body, groups: [], has_more: true } });
    });
    await page.goto(`${dashboard.gateway.url}/dashboard/keys?name=billing`);
    const link = page.getByRole('link', { name: 'see costs' });
    expect(await link.getAttribute('href')).toBe(`/dashboard/costs?key_id=${billing.id}`);
  });

  test('costs that cannot be loaded are unknown, and the list is shown', async () => {
    const page = await open('/account', { expects: [/^403 GET \/admin\/costs$/] });
    await rejectCosts(page);
    await page.goto(`${dashboard.gateway.url}/dashboard/keys?name=billing`);
    await page.getByRole('cell', { name: 'unknown', exact: true }).waitFor();
    expect(await costOf(page, 'API keys', 'billing')).toBe('unknown');
  });
});

test(
  'costs of keys, models and usage are accessible and fit on a phone screen',
  async () => {
    for (const [name, path, ready] of [
      ['keys', '/keys', MARK],
      ['models', '/models?search=o1', MARK],
      ['key', `/keys/${lab.id}?metric=cost`, ALL_UNPRICED],
      ['usage', '/usage?metric=cost', MARK],
    ] as const) {
      const page = await open(path, { viewport: PHONE });
      await page.getByRole('link', { name: ready }).first().waitFor();
      expect(await isWiderThanScreen(page)).toBe(false);
      await expectAccessible(page);
      await screenshot(page, `${name}-cost-phone`);
    }
  },
  AXE_MS_MAX,
);
