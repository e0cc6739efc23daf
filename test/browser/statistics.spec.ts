import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Key } from '../support/gateway.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { dayBefore, sampled } from './usage-traffic.js';

let dashboard: Dashboard;
let talker: Key;
beforeAll(async () => {
  dashboard = await startDashboard();
  const { gateway } = dashboard;
  talker = await gateway.createKey({ name: 'talker' });
  const searcher = await gateway.createKey({ name: 'searcher' });
  for (let n = 0; n < 3; n++) await gateway.chat(talker);
  await gateway.chat(talker, { model: 'gpt-4.1' });
  await gateway.chat(talker, { model: 'no-such-model' });
  for (let n = 0; n < 2; n++)
    await gateway.call('POST', '/v1/completions', { key: searcher, body: { model: 'gpt-4o', prompt: 'Hello' } });
  await sampled(dashboard, 7);
});
afterAll(() => dashboard?.stop());

const open = (path: string, opening = {}) => dashboard.signedIn('viewer', { path, ...opening });
const addressOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const firstRow = (page: Page) => page.locator('tbody tr').first();
async function order(page: Page): Promise<string[]> {
  await page.locator('tbody tr td:first-child a').first().waitFor();
  return page.locator('tbody tr td:first-child').allTextContents();
}

test('endpoints are ranked with errors and latencies, and marked as a sample', async () => {
  const page = await open('/statistics');
  expect(await order(page)).toEqual(['/v1/chat/completions', '/v1/completions']);
  const cells = await row(page, '/v1/chat/completions').getByRole('cell').allTextContents();
  expect(cells.slice(1, 4)).toEqual(['5', '1', '20.0%']);
  expect(cells[4]).toMatch(/^\$0\.\d+$/);
  expect(cells.slice(5, 9)).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^[\d.,]+ m?s$/)));
  expect(cells.slice(9)).toEqual(['1', '0']);
  await page.getByText('These figures come from a sample of 100% of the requests').waitFor();
  await screenshot(page, 'statistics');
});

test('keys are ranked with their requested models', async () => {
  const page = await open('/statistics?tab=keys');
  expect(await order(page)).toEqual(['talker', 'searcher']);
  await row(page, 'talker').getByRole('button', { name: 'and 2 more' }).click();
  const models = page.getByRole('dialog').getByRole('row');
  await models.first().waitFor();
  expect(await models.allTextContents()).toEqual([
    'ModelRequests',
    'gpt-4o-mini3',
    expect.anything(),
    expect.anything(),
  ]);
  await page.mouse.move(0, 0);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'talker' }).click();
  await page.getByRole('heading', { level: 1, name: 'talker' }).waitFor();
});

describe('statistics URL', () => {
  test('tab, order, rows and filters are kept in the URL across a reload', async () => {
    const page = await open('/statistics');
    await page.getByText('7 d', { exact: true }).click();
    await page.locator('main a[href$="/usage?days=7"]').waitFor();
    await page.getByRole('tab', { name: 'Models' }).click();
    await page.getByRole('tab', { name: 'Models', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Errors' }).click();
    await firstRow(page).filter({ hasText: 'no-such-model' }).waitFor();
    await page.getByLabel('Rows').selectOption('100');
    await page.waitForURL(/limit=100/);
    expect(addressOf(page)).toEqual({
      tab: 'models',
      sort_by: 'error_count',
      sort_dir: 'desc',
      limit: '100',
      days: '7',
    });
    await page.reload();
    expect((await order(page))[0]).toBe('no-such-model');
    expect(await page.getByRole('columnheader', { name: /^Errors/ }).getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Errors' }).click();
    await firstRow(page).filter({ hasNotText: 'no-such-model' }).waitFor();
    expect(addressOf(page)).toMatchObject({ sort_dir: 'asc' });
  });

  test('an order that the tab does not support falls back to the default', async () => {
    const page = await open('/statistics?sort_by=total_tokens&limit=7&tab=endpoints');
    expect(await order(page)).toEqual(['/v1/chat/completions', '/v1/completions']);
  });

  test('filters accept a key and any model, and can be cleared', async () => {
    const page = await open(`/statistics?key_id=${talker.id}`);
    expect(await order(page)).toEqual(['/v1/chat/completions']);
    await page.getByRole('combobox', { name: 'Model' }).fill('no-such-model');
    await page.keyboard.press('Enter');
    await page.waitForURL(/model=no-such-model/);
    await firstRow(page).getByRole('cell', { name: '1', exact: true }).first().waitFor();
    await page.getByRole('combobox', { name: 'Model' }).fill('never asked for');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No matching requests in the sample' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    expect(await order(page)).toEqual(['/v1/chat/completions', '/v1/completions']);
    expect(addressOf(page)).toEqual({});
  });
});

test('an endpoint links to its requests in the same period', async () => {
  const page = await open(`/statistics?from=${dayBefore(1)}&to=${dayBefore(0)}&model=gpt-4.1`);
  await page.getByRole('link', { name: '/v1/chat/completions' }).click();
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  expect(addressOf(page)).toEqual({
    endpoint: '/v1/chat/completions',
    model: 'gpt-4.1',
    since: `${dayBefore(1)}T00:00:00.000Z`,
    until: `${dayBefore(0)}T23:59:59.999Z`,
  });
});

test('a period without sampled requests shows how sampling works', async () => {
  const page = await open('/statistics?from=2020-01-01&to=2020-01-31');
  await page.getByRole('heading', { name: 'No requests in the sample yet' }).waitFor();
  expect(await page.getByText('GW_LOG_SAMPLE_RATE').count()).toBeGreaterThan(1);
});

test(
  'the statistics page is accessible and fits on a phone screen',
  async () => {
    const page = await open('/statistics?tab=keys', { viewport: PHONE });
    await order(page);
    await expectAccessible(page);
    expect(await isWiderThanScreen(page)).toBe(false);
    await screenshot(page, 'statistics-phone');
    await row(page, 'talker').getByRole('button', { name: 'and 2 more' }).click();
    await page.getByRole('table', { name: 'Requested models' }).waitFor();
    await expectAccessible(page);
  },
  AXE_MS_MAX,
);
