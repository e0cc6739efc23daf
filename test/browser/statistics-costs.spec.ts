import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { sampled } from './usage-traffic.js';

const STEP_MS_MAX = 30_000;
const UNPRICED = 'acme-custom-1';
const MARK = 'lower bound: 2 requests have no price';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
  const { gateway } = dashboard;
  await gateway.admin('POST', '/admin/cache/purge');
  for (const [name, model, requests] of [
    ['cheap', 'gpt-4o-mini', 3],
    ['dear', 'o1', 1],
    ['lab', UNPRICED, 2],
  ] as const) {
    const key = await gateway.createKey({ name });
    for (let n = 0; n < requests; n++) expect((await gateway.chat(key, { model })).status).toBe(200);
  }
  await sampled(dashboard, 6);
});
afterAll(() => dashboard?.stop());

const open = (path: string, opening = {}) => dashboard.signedIn('viewer', { path, ...opening });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const names = (page: Page) => page.locator('tbody tr td:first-child').allTextContents();
/** Reads the costs of the sample by model, in dollars. */
async function costs(): Promise<ReadonlyMap<string, string | null>> {
  const { body } = await dashboard.gateway.admin<{ models: { model: string; cost: string | null }[] }>(
    'GET',
    '/admin/model-stats',
  );
  return new Map(body.models.map(({ model, cost }) => [model, cost]));
}

test('models are ranked by cost with exact amounts, and unpriced requests are marked', async () => {
  const page = await open('/statistics?tab=models');
  await page.getByRole('button', { name: 'Cost', exact: true }).click();
  await until(async () => (await names(page)).join() === `o1,gpt-4o-mini,${UNPRICED}`, STEP_MS_MAX);
  expect(new URL(page.url()).searchParams.get('sort_by')).toBe('cost');
  const exact = await costs();
  for (const model of ['o1', 'gpt-4o-mini'])
    expect(
      await row(page, model)
        .getByTitle(`$${exact.get(model)}`, { exact: true })
        .count(),
    ).toBe(1);
  expect(exact.get(UNPRICED)).toBeNull();
  await row(page, UNPRICED).getByText('no price', { exact: true }).waitFor();
  await screenshot(page, 'statistics-cost');
  await row(page, UNPRICED).getByRole('link', { name: MARK }).click();
  await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
});

test('endpoints and keys have costs, and a total with unpriced requests is a lower bound', async () => {
  const page = await open('/statistics');
  await row(page, '/v1/chat/completions').getByRole('link', { name: MARK }).waitFor();
  expect(await row(page, '/v1/chat/completions').innerText()).toContain('≥ $');
  await page.getByRole('tab', { name: 'Keys' }).click();
  await row(page, 'lab').getByRole('link', { name: MARK }).waitFor();
  expect(await row(page, 'dear').innerText()).not.toContain('lower bound');
});

test('the page explains that the costs are those of the sample, with a link to all costs', async () => {
  const page = await open('/statistics?days=7');
  await page.getByText('Counts, tokens and costs are those of the sampled requests.').waitFor();
  expect(await page.getByRole('main').getByRole('link', { name: 'costs', exact: true }).getAttribute('href')).toBe(
    '/dashboard/costs?days=7',
  );
});

test('the CSV file has exact costs', async () => {
  const page = await open('/statistics?tab=models&sort_by=cost');
  await row(page, UNPRICED).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  const [head, first, , last] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(head).toContain(',Error rate,Cost,Requests without a price,Average,');
  expect(first).toContain(`o1,1,0,0,${(await costs()).get('o1')},0,`);
  expect(last).toContain(`${UNPRICED},2,0,0,,2,`);
});

test(
  'the costs of the sample are accessible and fit on a phone screen',
  async () => {
    const page = await open('/statistics?tab=keys', { viewport: PHONE });
    await row(page, 'lab').getByRole('link', { name: MARK }).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
  },
  AXE_MS_MAX,
);
