import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Config } from '../../src/platform/config/config.js';
import { expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, type Dashboard } from './browser.js';
import { TwoUpstreams } from './two-upstreams.js';

const CHAT = '/v1/chat/completions';

let upstreams: TwoUpstreams;
let dashboard: Dashboard;
beforeAll(async () => {
  upstreams = await TwoUpstreams.start();
  ({ dashboard } = upstreams);
});
beforeEach(() => upstreams.reset());
afterAll(() => upstreams?.stop());

const concern = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').filter({ hasText: title });
const hrefs = async (page: Page, title: string) => {
  await concern(page, title).waitFor();
  return concern(page, title)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
};
async function exported(page: Page): Promise<string[]> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  return (await readFile(await (await download).path(), 'utf8')).replace('\ufeff', '').split('\r\n');
}

test('a request shows its upstream, and each attempt with its outcome', async () => {
  upstreams.openai.on('POST', CHAT, () => ({ status: 429, body: { error: { message: 'slow down' } } }));
  upstreams.azure.on('POST', CHAT, () => ({ status: 500, body: { error: { message: 'broken' } } }));
  const { headers } = await dashboard.gateway.chat(await dashboard.gateway.createKey());
  const path = `/requests?request_id=${headers.get('x-request-id')}`;
  const page = await dashboard.signedIn('viewer', { path, viewport: PHONE });
  const again = page.getByRole('button', { name: 'Search again' });
  const attempts = page.getByRole('region', { name: 'Attempts' });
  // Records are written within about a second.
  await page.addLocatorHandler(again, () => again.click());
  await attempts.waitFor();
  await page.removeLocatorHandler(again);
  const rows = await attempts.getByRole('row').allInnerTexts();
  expect(rows.slice(1).map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual([
    expect.stringMatching(/^openai gpt-4o-mini 429 \d+ ms$/),
    expect.stringMatching(/^azure gpt-4o-mini 500 \d+ ms$/),
  ]);
  expect(await page.getByRole('link', { name: 'azure' }).getAttribute('href')).toBe('/dashboard/upstreams/azure');
  expect(await isWiderThanScreen(page)).toBe(false);
  await expectAccessible(page);
  await screenshot(page, 'request-attempts');
  await page.goto(`${dashboard.gateway.url}/dashboard/requests`);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Upstream' }).fill('openai');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No matching requests' }).waitFor();
  await page.getByRole('combobox', { name: 'Upstream' }).fill('azure');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /^Details of request/ })
    .first()
    .waitFor();
});

test('an attempt without a response shows the reason', async () => {
  const page = await dashboard.signedIn('viewer', { path: '/usage' });
  await dashboard.gateway.chat(await dashboard.gateway.createKey());
  const attempt = { upstream: 'azure', model: null, status: null, ms: 5000 };
  const attempts = [
    { ...attempt, error: 'connect' },
    { ...attempt, error: 'of-a-newer-gateway' },
  ];
  await page.route('**/admin/requests?*', async (route) => {
    const response = await route.fetch();
    const { requests, ...list } = (await response.json()) as { requests: object[] };
    await route.fulfill({ response, json: { ...list, requests: requests.map((log) => ({ ...log, attempts })) } });
  });
  await page.goto(`${dashboard.gateway.url}/dashboard/requests`);
  await page
    .getByRole('button', { name: /^Details of request/ })
    .first()
    .click();
  await page.getByRole('row', { name: 'azure none could not connect 5.0 s' }).waitFor();
  await page.getByRole('row', { name: 'azure none of-a-newer-gateway 5.0 s' }).waitFor();
  await screenshot(page, 'request-attempts-drawer');
});

test('the model list shows the upstreams of each model', async () => {
  const page = await dashboard.signedIn('viewer', { path: '/models' });
  const upstreamsOf = (model: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `Actions for ${model}`, exact: true }) })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  await page.getByRole('columnheader', { name: 'Upstreams' }).waitFor();
  expect(await upstreamsOf('o1')).toEqual(['/dashboard/upstreams/openai']);
  expect(await upstreamsOf('gpt-4o-mini')).toEqual(['/dashboard/upstreams/openai', '/dashboard/upstreams/azure']);
  await expectAccessible(page);
  await screenshot(page, 'models-upstreams');
  const [header, line] = await exported(page);
  expect(header).toContain(',Provider,Upstreams,Category,');
  expect(line).toContain(',azure,');
});

test('the overview lists upstreams that need attention', async () => {
  await dashboard.gateway.admin('POST', '/admin/upstreams/azure/drain');
  dashboard.gateway.app.get(Config).upstreams!.reloads.fail();
  const page = await dashboard.signedIn('viewer');
  expect(await hrefs(page, '1 upstream draining')).toEqual(['/dashboard/upstreams', '/dashboard/upstreams/azure']);
  expect(await hrefs(page, 'The new upstreams file is invalid')).toEqual(['/dashboard/upstreams']);
  const { reloads } = dashboard.gateway.app.get(Config).upstreams!;
  reloads.apply(reloads.file);
  await page.route('**/admin/upstreams?*', async (route) => {
    const response = await route.fetch();
    const { upstreams: rows, ...list } = (await response.json()) as { upstreams: object[] };
    const statuses = ['unreachable', 'refused', 'limited', 'ready'];
    const json = { ...list, upstreams: statuses.map((status) => ({ ...rows[0], name: `is-${status}`, status })) };
    await route.fulfill({ response, json });
  });
  await page.reload();
  expect(await hrefs(page, 'Now1 upstream with a rejected credential')).toContain('/dashboard/upstreams/is-refused');
  expect(await hrefs(page, 'Now1 upstream unreachable')).toContain('/dashboard/upstreams/is-unreachable');
  expect(await hrefs(page, 'Soon1 upstream limited')).toContain('/dashboard/upstreams/is-limited');
  expect(await concern(page, 'is-ready').count()).toBe(0);
  await screenshot(page, 'overview-upstreams');
});

test('the overview does not name the setting of a single account while no upstream can serve', async () => {
  const page = await dashboard.signedIn('viewer', { path: '/usage' });
  const responses = [
    { status: 'degraded', database: 'ready', upstream: 'refused', draining: false },
    { status: 'degraded', database: 'ready', upstream: 'away', draining: false },
  ];
  await page.route('**/health/ready', (route) => route.fulfill({ status: 200, json: responses.shift() }));
  await page.goto(`${dashboard.gateway.url}/dashboard/`);
  await concern(page, 'Every upstream is unreachable or rejects its credential').waitFor();
  await concern(page, 'Requests to upstreams fail with 502. Fix the credentials.').waitFor();
  await page.reload();
  await concern(page, 'No upstream can be reached. Requests to upstreams fail with 502.').waitFor();
});
