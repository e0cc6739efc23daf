import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import type { Key } from '../support/gateway.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { rejectCosts, spent } from './recorded-costs.js';

const MARK = 'lower bound: 3 requests have no price';
const DOLLAR = 1_000_000_000n;

let dashboard: Dashboard;
let key: Key;
beforeAll(async () => {
  dashboard = await startDashboard();
  key = await dashboard.gateway.createKey({ name: 'billing' });
});
beforeEach(() => dashboard.gateway.app.get(DataSource).query('delete from cost_daily'));
afterAll(() => dashboard?.stop());

const open = (path: string, opening = {}) => dashboard.signedIn('viewer', { path, ...opening });
const tileOn = (page: Page, label: string) =>
  page.getByRole('heading', { level: 3, name: label, exact: true }).locator('..');

/** Opens the overview at a time of the browser. The period of its costs follows this time. */
async function overviewAt(day: string, opening = {}): Promise<Page> {
  const page = await open('/account', opening);
  await page.clock.setFixedTime(`${day}T12:00:00Z`);
  await page.goto(`${dashboard.gateway.url}/dashboard/`);
  await tileOn(page, 'This month').waitFor();
  return page;
}

test('this month is compared with last month to the same day, or to its end', async () => {
  await spent(
    dashboard,
    key,
    { day: '2026-01-31', nanos: 100n * DOLLAR },
    { day: '2026-02-15', nanos: 4n * DOLLAR },
    { day: '2026-02-28', nanos: 6n * DOLLAR, requests: 2 },
    { day: '2026-03-01', nanos: 3n * DOLLAR },
    { day: '2026-03-31', nanos: 9n * DOLLAR + 1n },
    { day: '2026-04-01', nanos: 100n * DOLLAR },
  );
  const middle = await overviewAt('2026-03-15');
  expect(await tileOn(middle, 'This month').innerText()).toMatch(/\$3\.00\s+25\.0% less than .* same day\s+1 request$/);
  expect(await tileOn(middle, 'Last month to the same day').innerText()).toMatch(
    /\$4\.00\s+Feb 1, 2026 to Feb 15, 2026\s+1 request$/,
  );
  const end = await overviewAt('2026-03-31');
  expect(await tileOn(end, 'This month').innerText()).toMatch(/\$12\.00\s+20\.0% more than .* same day\s+2 requests$/);
  expect(await end.getByTitle('$12.000000001').count()).toBe(1);
  expect(await tileOn(end, 'Last month to the same day').innerText()).toMatch(
    /\$10\.00\s+Feb 1, 2026 to Feb 28, 2026\s+3 requests$/,
  );
  await end.getByRole('link', { name: 'All costs' }).click();
  await end.getByRole('heading', { level: 1, name: 'Costs' }).waitFor();
});

test('unpriced requests are marked, and lower bounds are not compared', async () => {
  await spent(
    dashboard,
    key,
    { day: '2026-04-01', nanos: DOLLAR },
    { day: '2026-05-10', requests: 5, unpriced: 3, nanos: 2n * DOLLAR },
    { day: '2026-07-05', requests: 4, unpriced: 4 },
  );
  const page = await overviewAt('2026-05-10');
  expect(await tileOn(page, 'This month').innerText()).toMatch(/≥ \$2\.00\s+5 requests/);
  await tileOn(page, 'This month').getByRole('link', { name: MARK }).click();
  await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
  const next = await overviewAt('2026-06-10');
  expect(await tileOn(next, 'Last month to the same day').innerText()).toContain('≥ $2.00');
  expect(await tileOn(next, 'This month').innerText()).toMatch(/\$0\.00\s+0 requests$/);
  const unpriced = await overviewAt('2026-07-05');
  expect(await tileOn(unpriced, 'This month').innerText()).toMatch(/no price\s+4 requests\s+lower bound/);
});

test('the forecast names its method, or what it needs', async () => {
  const page = await open('/');
  await tileOn(page, 'Forecast for this month')
    .getByText(/average of \d+ complete|requires one complete day/)
    .waitFor();
});

test('costs that cannot be loaded show an error, and the traffic is shown', async () => {
  const page = await open('/account', { expects: [/^403 GET \/admin\/costs$/] });
  await rejectCosts(page);
  await page.goto(`${dashboard.gateway.url}/dashboard/`);
  await page.getByRole('region', { name: 'Costs' }).getByRole('alert').filter({ hasText: 'Not for you' }).waitFor();
  await tileOn(page, 'Requests').waitFor();
});

test(
  'the costs on the overview are accessible and fit on a phone screen',
  async () => {
    await spent(dashboard, key, { day: '2026-05-10', requests: 5, unpriced: 3, nanos: 2n * DOLLAR });
    const page = await overviewAt('2026-05-10', { viewport: PHONE });
    await tileOn(page, 'This month').getByRole('link', { name: MARK }).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'overview-costs-phone');
    const wide = await open('/');
    await tileOn(wide, 'This month').waitFor();
    await wide.waitForLoadState('networkidle');
    await screenshot(wide, 'overview-costs');
  },
  AXE_MS_MAX,
);
