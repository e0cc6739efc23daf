import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.js';
import type { Key } from '../support/gateway.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { dayBefore, used } from './usage-traffic.js';

const STEP_MS_MAX = 30_000;

let dashboard: Dashboard;
let busy: Key;
let quiet: Key;
beforeAll(async () => {
  dashboard = await startDashboard();
  busy = await dashboard.gateway.createKey({ name: 'busy service' });
  quiet = await dashboard.gateway.createKey({ name: 'quiet service' });
  await dashboard.gateway.createKey({ name: 'never used' });
  await used(dashboard, busy, { requests: 30, errors: 3 });
  await used(dashboard, busy, { requests: 10, daysAgo: 5, model: 'gpt-4.1' });
  await used(dashboard, quiet, { requests: 8, daysAgo: 40 });
  await used(dashboard, quiet, { requests: 2, errors: 1, daysAgo: 1 });
});
afterAll(() => dashboard?.stop());

const open = (path: string, opening = {}) => dashboard.signedIn('viewer', { path, ...opening });
const addressOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const chartOn = (page: Page) => page.getByRole('img', { name: /by (day|week), from/ });
const tileOn = (page: Page, label: string) =>
  page.getByRole('heading', { level: 3, name: label, exact: true }).locator('..');
const firstCells = (page: Page) => page.locator('tbody tr td:first-child a:first-child').allTextContents();

test('the page and the label of its chart show the totals of the last 30 days', async () => {
  const page = await open('/usage');
  expect(await tileOn(page, 'Requests').textContent()).toContain('42');
  expect(await tileOn(page, 'Errors').textContent()).toContain('9.52%');
  expect(await tileOn(page, 'Tokens').textContent()).toContain('420 in, 210 out');
  expect(await tileOn(page, 'Estimated tokens').textContent()).toContain('15');
  expect(await chartOn(page).getAttribute('aria-label')).toMatch(
    /^Requests by day, from .+ to .+\. Without error: 0 to 27, 38 in total\. Errors: 0 to 3, 4 in total\.$/,
  );
  await page.locator('.recharts-bar-rectangle path').first().waitFor();
  await screenshot(page, 'usage');
});

test('the chart can be shown as a table with a row for every day', async () => {
  const page = await open('/usage?days=7&metric=tokens');
  await page.getByRole('button', { name: 'Show as table' }).click();
  const rows = page.getByRole('region', { name: 'Tokens by day, as a table' }).locator('tbody tr');
  expect(await rows.count()).toBe(7);
  expect(await rows.first().locator('td').allTextContents()).toEqual([expect.anything(), '300', '150']);
  await expectAccessible(page);
});

test('a long period is summed up by week', async () => {
  const page = await open('/usage?days=365');
  expect(await chartOn(page).getAttribute('aria-label')).toMatch(/^Requests by week, .* 46 in total\./);
});

describe('usage URL', () => {
  test('period, key, metric, table and order are kept in the URL across reload and back', async () => {
    const page = await open('/usage');
    await page.getByText('90 d', { exact: true }).click();
    await page.getByText('50 admitted', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Key' }).fill('quiet');
    await page.getByRole('option', { name: /^quiet service/ }).click();
    await page.getByText('10 admitted', { exact: true }).waitFor();
    await page.getByRole('radiogroup', { name: 'Metric' }).getByText('Tokens').click();
    await page.getByRole('heading', { name: 'Tokens by day' }).waitFor();
    await page.getByRole('tab', { name: 'By model' }).click();
    await page.getByRole('tab', { name: 'By model', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Errors', exact: true }).click();
    const address = {
      days: '90',
      key_id: quiet.id,
      metric: 'tokens',
      by: 'model',
      sort_by: 'errors',
      sort_dir: 'desc',
    };
    expect(addressOf(page)).toEqual(address);
    await page.reload();
    await page.locator('[role=combobox][value^="quiet service"]').waitFor();
    expect(await tileOn(page, 'Requests').textContent()).toContain('10');
    expect(
      await page.getByRole('columnheader', { name: 'Errors', exact: false }).first().getAttribute('aria-sort'),
    ).toBe('descending');
    await page.goBack();
    expect(addressOf(page)).toEqual({ days: '90', key_id: quiet.id, metric: 'tokens', by: 'model' });
  });

  test('a custom period can be chosen, and an invalid one is not applied', async () => {
    const page = await open(`/usage?from=${dayBefore(2)}&to=${dayBefore(1)}`);
    expect(await tileOn(page, 'Requests').textContent()).toContain('2');
    await page.getByLabel('First day').fill(dayBefore(0));
    await page.getByText('The first day is after the last day.').waitFor();
    expect(addressOf(page)).toEqual({ from: dayBefore(2), to: dayBefore(1) });
    await page.getByLabel('Last day').fill(dayBefore(0));
    await page.getByText('Days are in UTC.', { exact: true }).waitFor();
    expect(addressOf(page)).toEqual({ from: dayBefore(0), to: dayBefore(0) });
    await page.getByText('30 admitted', { exact: true }).waitFor();
  });

  test('a URL with invalid values shows the last 30 days', async () => {
    const page = await open('/usage?days=oops&from=2026-02-31&to=x&metric=nope&by=nope');
    expect(await tileOn(page, 'Requests').textContent()).toContain('42');
  });
});

describe('usage tables', () => {
  test('a table can be sorted by a click and links to the keys', async () => {
    const page = await open('/usage');
    await page.getByRole('link', { name: 'busy service' }).waitFor();
    expect(await firstCells(page)).toEqual(['busy service', 'quiet service']);
    await page.getByRole('button', { name: 'Error rate' }).click();
    await page.waitForURL(/sort_by=error_rate/);
    // The URL changes before the table does.
    await until(async () => (await firstCells(page)).join() === 'quiet service,busy service', STEP_MS_MAX);
    await page.getByRole('link', { name: 'quiet service' }).click();
    await page.getByRole('heading', { level: 1, name: 'quiet service' }).waitFor();
  });

  test('a key ID in the table filters the page by that key', async () => {
    const page = await open('/usage?days=7');
    await page.getByTitle(`Show only ${quiet.id}`).click();
    await page.getByText('2 admitted', { exact: true }).waitFor();
    expect(addressOf(page)).toEqual({ days: '7', key_id: quiet.id });
  });

  test('a table can be exported as CSV with key IDs and plain numbers', async () => {
    const page = await open('/usage');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const text = await readFile(await (await downloading).path(), 'utf8');
    expect(text.replace('\ufeff', '').trim().split('\r\n')).toEqual([
      'Key,Key ID,Requests,Errors,Error rate,Cost,Requests without a price,Input tokens,Output tokens,Total tokens,Cache reads,Estimated',
      `busy service,${busy.id},40,3,7.50,,0,400,200,600,0,10`,
      `quiet service,${quiet.id},2,1,50.00,,0,20,10,30,0,5`,
    ]);
  });
});

test('a key without requests shows a message', async () => {
  const page = await open('/usage?days=1');
  await page.getByRole('combobox', { name: 'Key' }).fill('never');
  await page.getByRole('option', { name: /^never used/ }).click();
  await page.getByRole('heading', { name: 'No requests in this period' }).waitFor();
  await expectAccessible(page);
});

test('an error of the gateway is shown with its request ID', async () => {
  const page = await open('/usage?key_id=nobody', { expects: [/^40[04] GET \/admin\//] });
  await page.getByRole('alert').filter({ hasText: 'key_id' }).waitFor();
  await page.getByText(/^Request ID/).waitFor();
});

test(
  'the usage page is accessible and fits on a phone screen',
  async () => {
    const page = await open('/usage', { viewport: PHONE });
    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    await page.getByRole('tab', { name: 'By day' }).click();
    await expectAccessible(page);
    expect(await isWiderThanScreen(page)).toBe(false);
    await screenshot(page, 'usage-phone');
  },
  AXE_MS_MAX,
);
