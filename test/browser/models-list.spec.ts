import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { poll } from '../support/poll.js';
import { until } from '../support/until.js';
import { MODELS } from '../support/scripted-upstream-responses.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

const STEP_MS_MAX = 30_000;

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
  await dashboard.gateway.admin('POST', '/admin/cache/purge');
  const policy = { model: 'o1', enabled: false, note: 'Too dear for tests' };
  await dashboard.gateway.admin('POST', '/admin/model-allowlist', policy);
  await dashboard.gateway.admin('POST', '/admin/model-allowlist', { model: 'acme/not-listed', enabled: true });
});
afterAll(() => dashboard?.stop());

const open = (path = '/models', opening = {}) => dashboard.signedIn('viewer', { path, ...opening });
const addressOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const addressIs = (page: Page, asked: Record<string, string>) =>
  page.waitForURL(({ searchParams }) => isDeepStrictEqual(Object.fromEntries(searchParams), asked));
const modelsIn = (page: Page) => page.locator('tbody tr td:first-child').allInnerTexts();
const field = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const menuOf = (page: Page, model: string) => page.getByRole('button', { name: `Actions for ${model}`, exact: true });
/** Waits until the rows show these models, in this order. */
async function has(page: Page, ...models: string[]): Promise<void> {
  await until(async () => (await modelsIn(page)).join() === models.join(), STEP_MS_MAX);
}
async function choose(page: Page, name: string, option: string): Promise<void> {
  await field(page, name).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
/** Returns the cells of a row by column header. */
async function cellsOf(page: Page, model: string): Promise<Record<string, string>> {
  const row = page.getByRole('row').filter({ has: menuOf(page, model) });
  await row.waitFor();
  const headers = await page.getByRole('columnheader').allInnerTexts();
  const cells = await row.getByRole('cell').allInnerTexts();
  return Object.fromEntries(headers.map((header, index) => [header, cells[index]!.trim()]));
}

describe('model list', () => {
  test('the list combines the model catalog with the model policy', async () => {
    const page = await open();
    await has(page, ...[...MODELS.map(({ id }) => id), 'acme/not-listed'].sort());
    expect(await cellsOf(page, 'o1')).toMatchObject({
      Availability: 'callable',
      Provider: 'openai',
      Category: 'Chat',
      Routes: '3',
      Policy: expect.stringMatching(/^blocked\s+Admin key, .*\s+Too dear for tests$/),
    });
    expect(await cellsOf(page, 'acme/not-listed')).toMatchObject({
      Availability: 'policy only',
      Provider: 'acme',
      Category: '–',
      Routes: '–',
      Policy: expect.stringMatching(/^allowed\s+Admin key, /),
    });
    expect(await cellsOf(page, 'acme-custom-1')).toMatchObject({ Availability: 'unclassified', Policy: 'none' });
    const capabilities = page
      .getByRole('row')
      .filter({ has: menuOf(page, 'o1') })
      .getByRole('img')
      .first();
    expect(await capabilities.getAttribute('aria-label')).toBe('vision, tools, JSON, reasoning');
  });

  test('filters are kept in the URL across reload and back', async () => {
    const page = await open();
    await page.getByLabel('Search').fill('O');
    await addressIs(page, { search: 'O' });
    await choose(page, 'Category', 'Chat');
    await choose(page, 'Availability', 'callable');
    await choose(page, 'Policy', 'Blocked');
    const asked = { search: 'O', category: 'chat', availability: 'callable', enabled: 'false' };
    await addressIs(page, asked);
    await has(page, 'o1');

    await page.reload();
    await has(page, 'o1');
    expect(await page.getByLabel('Search').inputValue()).toBe('O');
    expect(addressOf(page)).toEqual(asked);
    await page.goBack();
    await addressIs(page, { search: 'O', category: 'chat', availability: 'callable' });
    await until(async () => (await modelsIn(page)).length > 1, STEP_MS_MAX);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await until(async () => (await modelsIn(page)).length === MODELS.length + 1, STEP_MS_MAX);
    expect(await page.getByLabel('Search').inputValue()).toBe('');
  });

  test('a search without matches can be cleared, and an admin can block the searched ID', async () => {
    const page = await dashboard.signedIn('admin', { path: '/models?search=acme/future' });
    await page.getByRole('heading', { name: 'No matching models' }).waitFor();
    await page.getByRole('button', { name: 'Block “acme/future” by ID' }).click();
    expect(await page.getByRole('dialog').getByLabel('Model ID').inputValue()).toBe('acme/future');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await menuOf(page, 'o1').waitFor();
  });

  test('a legend explains availability and capabilities', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Show legend' }).click();
    await page.getByText('Requests are rejected until a probe succeeds, even if the policy allows').waitFor();
    await page.getByText('controls a computer').waitFor();
  });

  test('a model links to its statistics, requests and audit entries', async () => {
    const page = await open('/models?search=meta-llama');
    for (const [name, path, query] of [
      ['Statistics', '/statistics', { tab: 'keys', model: 'meta-llama/llama-3.3-70b-instruct' }],
      ['Requests', '/requests', { model: 'meta-llama/llama-3.3-70b-instruct' }],
      ['Audit log', '/audit', { target_id: 'meta-llama/llama-3.3-70b-instruct' }],
    ] as const) {
      await menuOf(page, 'meta-llama/llama-3.3-70b-instruct').click();
      await page.getByRole('menuitem', { name }).click();
      await page.waitForURL(`**${path}?*`);
      expect(addressOf(page)).toEqual(query);
      await page.goBack();
    }
  });

  test('the list can be exported as CSV', async () => {
    const page = await open('/models?search=o1');
    await has(page, 'o1');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const [header, line] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(header).toBe(
      '\ufeffModel,Availability,Policy,Provider,Category,Capabilities,Routes,Cost (30 d),Requests without a price,Policy updated,Policy updated by,Note',
    );
    expect(line).toMatch(
      /^o1,callable,blocked,openai,chat,reasoning vision tool_use json_mode,\/v1\/chat\/completions \/v1\/completions \/v1\/responses,,,\d{4}-.*Z,admin_key,Too dear for tests$/,
    );
  });

  test('a viewer cannot change the model policy', async () => {
    const page = await open();
    await menuOf(page, 'o1').click();
    await poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Statistics', 'Requests', 'Audit log']);
    for (const name of ['Refresh catalog', 'Block model by ID'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
  });
});

test(
  'the model list is accessible with its legend and menus, and fits on a phone screen',
  async () => {
    const page = await open('/models?category=chat', { viewport: PHONE });
    await menuOf(page, 'o1').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await screenshot(page, 'models-phone');
    const wide = await dashboard.signedIn('admin', { path: '/models?search=o1' });
    await menuOf(wide, 'o1').waitFor();
    await wide.getByRole('button', { name: 'Show legend' }).click();
    await expectAccessible(wide);
    await menuOf(wide, 'o1').click();
    await wide.getByRole('menuitem', { name: 'Edit note' }).waitFor();
    await expectAccessible(wide);
    await wide.getByRole('menuitem', { name: 'Edit note' }).click();
    await wide.getByRole('dialog').getByLabel('Note').waitFor();
    await expectAccessible(wide);
    await screenshot(wide, 'models-note');
  },
  AXE_MS_MAX,
);
