import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Config } from '../../src/platform/config/config.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
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

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const fact = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const statusOf = async (name: string) =>
  (await dashboard.gateway.admin<{ status: string }>('GET', `/admin/upstreams/${name}`)).body.status;
const openDetails = (role: 'viewer' | 'admin', opening = {}) =>
  dashboard.signedIn(role, { path: '/upstreams/azure', ...opening });
/** Returns the cells of a row by column header. Lines of a cell are separated by `|`. */
async function cellsOf(page: Page, name: string): Promise<Record<string, string>> {
  await rowOf(page, name).waitFor();
  const headers = await page.getByRole('columnheader').allInnerTexts();
  const cells = await rowOf(page, name).getByRole('cell').allInnerTexts();
  return Object.fromEntries(headers.map((header, index) => [header, cells[index]!.trim().replaceAll(/\n+/g, '|')]));
}

describe('upstream list', () => {
  test('the list shows the status, settings and figures of each upstream, and is kept up to date', async () => {
    const key = await dashboard.gateway.createKey();
    await dashboard.gateway.chat(key);
    const page = await dashboard.signedIn('viewer', { path: '/' });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Upstreams' }).click();
    await page.getByRole('heading', { level: 1, name: 'Upstreams' }).waitFor();
    expect(await cellsOf(page, 'openai')).toEqual({
      Name: 'openai',
      Status: 'ready',
      APIs: 'OpenAI, Anthropic',
      Models: '2',
      Share: '100%',
      Latency: expect.stringMatching(/ m?s$/),
      Running: expect.stringMatching(/^0\|\d connections?$/),
      Requests: '1|0 failovers',
      'Cache hits': expect.stringMatching(/^(–|[\d.]+%)$/),
      'Region, tags': '–',
    });
    expect(await cellsOf(page, 'azure')).toMatchObject({
      Status: 'ready',
      APIs: 'OpenAI',
      Models: '2',
      Requests: '0|0 failovers',
      'Region, tags': 'swedencentral, production, eu',
    });
    await page.getByText(/^The upstreams file was last loaded on .* Each process has its own figures\./).waitFor();
    upstreams.openai.on('POST', CHAT, () => ({ status: 429, headers: { 'retry-after': '60' }, body: {} }));
    await dashboard.gateway.chat(key);
    await rowOf(page, 'openai').getByText('limited').waitFor();
    await rowOf(page, 'openai').getByText('1 failover', { exact: true }).waitFor();
    expect(await cellsOf(page, 'openai')).toMatchObject({ Share: '0%', Requests: '2|1 failover' });
    await screenshot(page, 'upstreams');
  });

  test('each status has a badge with text, and an explanation', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/usage' });
    const statuses = ['ready', 'limited', 'refused', 'failing', 'unreachable', 'draining'];
    await page.route('**/admin/upstreams?*', async (route) => {
      const response = await route.fetch();
      const { upstreams: rows, ...list } = (await response.json()) as { upstreams: object[] };
      const json = { ...list, upstreams: statuses.map((status) => ({ ...rows[0], name: `is-${status}`, status })) };
      await route.fulfill({ response, json });
    });
    await page.goto(`${dashboard.gateway.url}/dashboard/upstreams`);
    for (const status of statuses) await rowOf(page, `is-${status}`).getByText(status, { exact: true }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'upstreams-statuses');
    await rowOf(page, 'is-refused').getByText('refused', { exact: true }).hover();
    await page.getByRole('tooltip', { name: /^The provider rejects the account or a model/ }).waitFor();
  });

  test('an invalid file is reported until it is fixed', async () => {
    const { reloads } = dashboard.gateway.app.get(Config).upstreams!;
    reloads.fail();
    const page = await dashboard.signedIn('viewer', { path: '/upstreams' });
    const notice = page.getByRole('alert').filter({ hasText: 'The new upstreams file is invalid' });
    await notice.getByText(/^The gateway continues with the content from .*, but it cannot start/).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'upstreams-reload-failed');
    reloads.apply(reloads.file);
    await notice.waitFor({ state: 'detached' });
    await page.getByText('The upstreams file was last loaded on').waitFor();
  });

  test('the list can be exported as CSV', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/upstreams' });
    await rowOf(page, 'azure').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const [header, , line] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(header).toBe(
      '\ufeffName,Status,APIs,Models,Running,Connections,Waiting,Share,Latency,Requests,Failovers,Fallbacks for the context length,Fallbacks for the content filter,Cache hits,Cached tokens,Input tokens,Saved by the cache,"Region, tags",Base URL,Draining since',
    );
    expect(line).toMatch(
      /^azure,ready,openai,2,0,\d+,0,1,\d*,\d+,0,0,0,[\d.]*,\d+,\d+,[\d.]+,"swedencentral, production, eu",http:\S+,$/,
    );
  });

  test('a list that cannot be loaded shows its error', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/usage', expects: [/^403 GET \/admin\/upstreams$/] });
    const error = { code: 'forbidden', message: 'Not for you', type: 'authentication_error', param: null };
    await page.route('**/admin/upstreams?*', (route) => route.fulfill({ status: 403, json: { error } }));
    await page.goto(`${dashboard.gateway.url}/dashboard/upstreams`);
    await page.getByRole('alert').filter({ hasText: 'Not for you' }).waitFor();
  });
});

describe('upstream page', () => {
  test('the page shows the settings, figures and aliases of the upstream', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/upstreams' });
    await page.getByRole('link', { name: 'azure', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'azure' }).waitFor();
    for (const [name, value] of [
      ['Base URL', upstreams.azure.url],
      ['Region', 'swedencentral'],
      ['Tags', 'production, eu'],
      ['Draining since', 'not draining'],
      ['Share', '100%'],
    ] as const)
      expect(await fact(page, name).getByRole('cell').innerText()).toBe(value);
    const aliases = page.getByRole('table', { name: 'Aliases' }).getByRole('row').nth(1);
    expect(await aliases.getByRole('cell').allInnerTexts()).toEqual(['fast', 'gpt-4o-mini']);
    expect(await aliases.getByRole('link').getAttribute('href')).toBe('/dashboard/models?search=gpt-4o-mini');
  });

  test('a drain needs a confirmation that explains it, and lasts until the upstream is resumed', async () => {
    const page = await openDetails('admin');
    await button(page, 'Drain').click();
    const dialog = page.getByRole('dialog', { name: 'Drain this upstream?' });
    await dialog.getByText('Running requests finish').waitFor();
    await screenshot(page, 'upstream-drain');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await statusOf('azure')).toBe('ready');

    await button(page, 'Drain').click();
    await dialog.getByRole('button', { name: 'Drain' }).click();
    await page.getByText('azure is draining.').waitFor();
    await page.getByText('draining', { exact: true }).waitFor();
    expect(await statusOf('azure')).toBe('draining');
    expect(await fact(page, 'Draining since').getByRole('cell').innerText()).toMatch(/^\w{3} \d+, \d{4}/);

    await button(page, 'Resume').click();
    await page.getByText('azure receives new requests again.').waitFor();
    await button(page, 'Drain').waitFor();
    expect(await statusOf('azure')).toBe('ready');
  });

  test('the audit log names drains, and links to the upstream', async () => {
    const { gateway } = dashboard;
    await gateway.admin('POST', '/admin/upstreams/azure/drain');
    const page = await openDetails('viewer');
    await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click();
    await page.waitForURL('**/audit?target_id=azure');
    await page.getByText('Upstream drained').first().waitFor();
    expect(await page.getByRole('link', { name: 'azure', exact: true }).first().getAttribute('href')).toBe(
      '/dashboard/upstreams/azure',
    );
  });

  test('a test shows its result, whether or not it succeeds', async () => {
    const page = await openDetails('admin');
    await button(page, 'Test').click();
    const result = page.getByRole('status').filter({ hasText: 'The test' });
    await result.getByText('The upstream returned its model list.').waitFor();
    await result.getByText(/^status 200 · \d+ ms · 1 model on the first page of the list$/).waitFor();
    upstreams.azure.on('GET', '/v1/models', () => ({ status: 401, body: {} }));
    await button(page, 'Test').click();
    await result.getByText('The test failed').waitFor();
    await result.getByText('The provider rejects the credential (401).').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'upstream-test-failed');
  });

  test('an upstream that is not in the file shows a message', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/upstreams/gone', expects: [/^404 GET/] });
    await page.getByText('Upstream not found').waitFor();
  });

  test('a viewer sees no actions', async () => {
    const page = await openDetails('viewer');
    await page.getByRole('heading', { level: 1, name: 'azure' }).waitFor();
    for (const name of ['Test', 'Drain', 'Resume']) expect(await button(page, name).count()).toBe(0);
  });
});

test(
  'the upstream pages are accessible and fit on a phone screen',
  async () => {
    await dashboard.gateway.admin('POST', '/admin/upstreams/azure/drain');
    const list = await dashboard.signedIn('admin', { path: '/upstreams', viewport: PHONE });
    await rowOf(list, 'azure').getByText('draining').waitFor();
    expect(await isWiderThanScreen(list)).toBe(false);
    await expectAccessible(list);
    await screenshot(list, 'upstreams-phone');
    const page = await openDetails('admin', { viewport: PHONE });
    await button(page, 'Test').click();
    await page.getByText('The test succeeded').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'upstream-phone');
    const dark = await openDetails('admin', { scheme: 'dark' });
    await button(dark, 'Resume').waitFor();
    await screenshot(dark, 'upstream-dark');
  },
  AXE_MS_MAX,
);

test('with a single account, the page explains how to configure several', async () => {
  const single = await startDashboard();
  try {
    const page = await single.signedIn('viewer', { path: '/upstreams' });
    await page.getByRole('heading', { name: 'This gateway uses one account' }).waitFor();
    await page.getByText('docs/upstreams.md').waitFor();
    expect(await page.getByText('last loaded').count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, 'upstreams-single');
    await page.goto(`${single.gateway.url}/dashboard/models?search=o1`);
    await page.getByRole('columnheader', { name: 'Provider' }).waitFor();
    await page.getByRole('button', { name: 'Actions for o1', exact: true }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Upstreams' }).count()).toBe(0);
  } finally {
    await single.stop();
  }
});
