import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { poll } from '../support/poll.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());
beforeEach(async () => {
  const { body } = await admin<{ limits: { id: number }[] }>('GET', '/limits');
  for (const { id } of body.limits) await admin('DELETE', `/limits/${id}`);
});

const admin = <T = Record<string, unknown>>(method: string, path: string, body?: object) =>
  dashboard.gateway.admin<T>(method, `/admin${path}`, body);
const main = (page: Page) => page.getByRole('main');
const limits = (page: Page) => page.getByRole('region', { name: 'Limits' });
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });
const rowOf = (page: Page, name: string) =>
  limits(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) });
const meter = (page: Page, name: string) => limits(page).getByRole('meter', { name, exact: true });
const namesOn = (page: Page) =>
  limits(page)
    .locator('tbody tr')
    .getByRole('meter')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));

/** Creates a limit of the account. Existing figures are in nano-dollars or units. */
async function make(
  name: string,
  fields: object = {},
  figures: { readonly used?: number; readonly held?: number } = {},
): Promise<number> {
  const body = { name, scope: 'account', measure: 'requests', period: 'month', amount: 100, ...fields };
  const { id } = (await admin<{ id: number }>('POST', '/limits', body)).body;
  const { used = 0, held = 0 } = figures;
  await dashboard.gateway.app
    .get(DataSource)
    .query('update limit_counters set used = $2, held = $3 where limit_id = $1', [id, used, held]);
  return id;
}
async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe('budgets', () => {
  test('an empty page explains limits and links to the form', async () => {
    const page = await dashboard.signedIn('admin', { path: '/budgets' });
    await page.getByText('No limits yet').waitFor();
    await main(page).getByRole('link', { name: 'Create limit' }).last().click();
    await page.waitForURL('**/budgets/new');
  });

  test('each limit shows what is used, reserved and remains, with its target', async () => {
    const team = (await admin<{ id: string }>('POST', '/teams', { name: 'Research' })).body;
    const fields = { scope: 'team', team_id: team.id, measure: 'cost', amount: '500', models: ['claude-*'] };
    await make('Team budget', fields, { used: 312_000_000_000, held: 4_500_000_000 });
    const page = await dashboard.signedIn('viewer', { path: '/budgets' });
    const row = rowOf(page, 'Team budget');
    await row.getByRole('link', { name: 'Team Research' }).waitFor();
    await row.getByText('$312.00').waitFor();
    await row.getByText('$4.50 reserved, $183.50 remaining').waitFor();
    await row.getByText('Models: claude-*').waitFor();
    expect(await meter(page, 'Team budget').getAttribute('aria-valuetext')).toBe(
      '$312.00 used, $4.50 reserved, $183.50 remaining of $500.00',
    );
    expect(await meter(page, 'Team budget').getAttribute('aria-valuenow')).toBe('62.4');
  });

  test('limits are in the order in which they run out, and another order is kept in the URL', async () => {
    await make('half', {}, { used: 50 });
    await make('almost', {}, { used: 95 });
    await make('little', {}, { used: 1 });
    const page = await dashboard.signedIn('viewer', { path: '/budgets' });
    await meter(page, 'almost').waitFor();
    expect(await namesOn(page)).toEqual(['almost', 'half', 'little']);
    await choose(page, 'Order', 'Newest first');
    await poll(() => namesOn(page)).toEqual(['little', 'almost', 'half']);
    expect(new URL(page.url()).search).toBe('?sort=created');
    await page.reload();
    await poll(() => namesOn(page)).toEqual(['little', 'almost', 'half']);
  });

  test('limits can be filtered by scope, measure and mode, and by the key to which they apply', async () => {
    const key = await dashboard.gateway.createKey({ name: 'limited key' });
    const other = await dashboard.gateway.createKey({ name: 'other key' });
    await make('of the account', { mode: 'observe' });
    await make('of the key', { scope: 'key', key_id: key.id, measure: 'tokens' });
    await make('of the other key', { scope: 'key', key_id: other.id });
    const page = await dashboard.signedIn('viewer', { path: '/budgets' });
    await meter(page, 'of the account').waitFor();
    await choose(page, 'Scope', 'Key');
    await poll(async () => (await namesOn(page)).toSorted()).toEqual(['of the key', 'of the other key']);
    await choose(page, 'Measure', 'Tokens');
    await poll(() => namesOn(page)).toEqual(['of the key']);
    await button(page, 'Clear').click();
    await choose(page, 'Mode', 'Observe');
    await poll(() => namesOn(page)).toEqual(['of the account']);
    await rowOf(page, 'of the account').getByText('observe only').waitFor();
    await button(page, 'Clear').click();
    await page.getByRole('combobox', { name: 'Key', exact: true }).fill('limited');
    await page.getByRole('option', { name: /^limited key/ }).click();
    await poll(async () => (await namesOn(page)).toSorted()).toEqual(['of the account', 'of the key']);
    await button(page, 'Clear').click();
    await choose(page, 'Scope', 'Tag');
    await page.getByText('No matching limits').waitFor();
    await button(page, 'Clear filters').click();
    await meter(page, 'of the account').waitFor();
  });

  test('a limit can be paused, resumed and deleted from its menu', async () => {
    const id = await make('from the menu');
    const page = await dashboard.signedIn('admin', { path: '/budgets' });
    const act = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for from the menu' }).click();
      await page.getByRole('menuitem', { name: action }).click();
      await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
    };
    await act('Pause');
    await rowOf(page, 'from the menu').getByText('paused').waitFor();
    expect((await admin('GET', `/limits/${id}`)).body['enabled']).toBe(false);
    await act('Resume');
    await rowOf(page, 'from the menu').getByText('paused').waitFor({ state: 'detached' });
    await act('Delete');
    await page.getByText('No limits yet').waitFor();
    expect((await admin('GET', `/limits/${id}`)).status).toBe(404);
  });

  test('the CSV file has all limits that match the filters', async () => {
    await make('in the file', { measure: 'tokens' });
    await make('not in the file');
    const page = await dashboard.signedIn('viewer', { path: '/budgets?measure=tokens' });
    await meter(page, 'in the file').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      main(page).getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toContain('in the file');
    expect(text).not.toContain('not in the file');
  });

  test('a viewer sees the limits but cannot change them', async () => {
    const id = await make('looked at');
    const page = await dashboard.signedIn('viewer', { path: '/budgets' });
    await rowOf(page, 'looked at').waitFor();
    expect(await main(page).getByRole('link', { name: 'Create limit' }).count()).toBe(0);
    expect(
      await main(page)
        .getByRole('button', { name: /^Actions for/ })
        .count(),
    ).toBe(0);
    await rowOf(page, 'looked at').getByRole('link', { name: 'looked at' }).click();
    await page.waitForURL(`**/budgets/${id}`);
    await page.getByRole('heading', { level: 1, name: 'looked at' }).waitFor();
    for (const name of ['Edit', 'Top up', 'Reset', 'Pause', 'Delete']) expect(await button(page, name).count()).toBe(0);
    await page.goto(`${dashboard.gateway.url}/dashboard/budgets/new`);
    await page.getByText('Only admins and owners can create limits').waitFor();
  });

  test('the key page shows every limit that applies to the key', async () => {
    const team = (await admin<{ id: string }>('POST', '/teams', { name: 'Of the key' })).body;
    const key = await dashboard.gateway.createKey({ name: 'in a team', team_id: team.id, tags: ['nightly'] });
    await make('account limit');
    await make('team limit', { scope: 'team', team_id: team.id });
    await make('tag limit', { scope: 'tag', tag: 'nightly' });
    await make('key limit', { scope: 'key', key_id: key.id });
    await make('limit of another tag', { scope: 'tag', tag: 'daily' });
    const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}` });
    const shown = page.getByRole('region', { name: 'Limits that apply' });
    await shown.getByRole('meter', { name: 'key limit' }).waitFor();
    expect(await shown.getByRole('meter').count()).toBe(4);
    await shown.getByRole('link', { name: 'Add limit' }).click();
    await page.waitForURL('**/budgets/new?**');
    await poll(() => page.getByRole('combobox', { name: 'Key' }).inputValue()).toEqual(
      expect.stringContaining('in a team'),
    );
  });
});

test(
  'the budgets page is accessible and fits on a phone screen',
  async () => {
    const empty = await dashboard.signedIn('admin', { path: '/budgets' });
    await empty.getByText('No limits yet').waitFor();
    await expectAccessible(empty);
    await make('a limit with a long name that goes on and on', { measure: 'cost', amount: '9000000' }, { used: 1 });
    await make('reached', {}, { used: 100 });
    await make('near', { mode: 'observe' }, { used: 85, held: 10 });
    await make('paused one', { enabled: false });
    const page = await dashboard.signedIn('admin', { path: '/budgets', viewport: PHONE });
    await meter(page, 'near').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'budgets-phone');
    const wide = await dashboard.signedIn('admin', { path: '/budgets' });
    await meter(wide, 'near').waitFor();
    expect(await limits(wide).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await screenshot(wide, 'budgets');
  },
  AXE_MS_MAX,
);
