import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { insertRows } from '../support/cost-rows.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { dayBefore } from './usage-traffic.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const DAY_MS = 86_400_000;

const ids = new Map<string, string>();
async function makeKeys(...names: string[]): Promise<void> {
  for (const name of names) ids.set(name, (await dashboard.gateway.createKey({ name })).id);
}
const linkTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: linkTo(page, name) });
const namesIn = (page: Page) => page.getByRole('region', { name: 'API keys' }).getByRole('link').allInnerTexts();
const suspend = (name: string) => dashboard.gateway.admin('POST', `/admin/api-keys/${ids.get(name)}/suspend`);
const statusOf = async (name: string) =>
  (await dashboard.gateway.admin('GET', `/admin/api-keys/${ids.get(name)}`)).body['status'];

describe('key list', () => {
  test('an empty list links to the creation of a key', async () => {
    const page = await dashboard.signedIn('admin', { path: '/keys' });
    await page.getByText('No keys yet').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Create key' }).last().click();
    await page.waitForURL('**/keys/new');
  });

  test('search, filter and order are kept in the URL across reload and back', async () => {
    await makeKeys('alpha one', 'alpha two', 'beta');
    await suspend('alpha two');
    await dashboard.gateway.createKey({ name: 'alpha gone', expires_at: '2020-01-01' });
    const page = await dashboard.signedIn('viewer', { path: '/keys' });
    await page.getByLabel('Search').fill('alpha');
    await linkTo(page, 'beta').waitFor({ state: 'detached' });
    // The URL can lag behind the list, and the next filter extends the current URL.
    await page.waitForURL('**/keys?name=alpha');
    await page
      .getByRole('combobox', { name: 'Status' })
      .or(page.getByRole('textbox', { name: 'Status' }))
      .click();
    await page.getByRole('option', { name: 'Active' }).click();
    await linkTo(page, 'alpha two').waitFor({ state: 'detached' });
    expect(await namesIn(page)).toEqual(['alpha one']);
    expect(new URL(page.url()).search).toBe('?name=alpha&status=active');

    await page.reload();
    await linkTo(page, 'alpha one').waitFor();
    expect(await namesIn(page)).toEqual(['alpha one']);
    expect(await page.getByLabel('Search').inputValue()).toBe('alpha');
    await page.goBack();
    await linkTo(page, 'alpha two').waitFor();
    const sorted = (order: string) =>
      page.waitForResponse((response) => response.url().includes(`sort_by=name&sort_dir=${order}`));
    await Promise.all([sorted('desc'), page.getByRole('button', { name: 'Name' }).click()]);
    await Promise.all([sorted('asc'), page.getByRole('button', { name: 'Name' }).click()]);
    await page.getByRole('row').nth(1).getByRole('link', { name: 'alpha gone' }).waitFor();
    expect(await namesIn(page)).toEqual(['alpha gone', 'alpha one', 'alpha two']);
    await rowOf(page, 'alpha gone').getByText('expired').waitFor();

    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await linkTo(page, 'beta').waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('');
  });

  test('relative times are rounded by duration, not by calendar units', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    for (const [name, days] of [
      ['soon over a', 38],
      ['soon over b', 1.3],
      ['soon over c', 370],
    ] as const)
      await dashboard.gateway.createKey({ name, expires_at: inDays(days) });
    const page = await dashboard.signedIn('viewer', { path: '/keys?name=soon+over&sort_by=name&sort_dir=asc' });
    await linkTo(page, 'soon over a').waitFor();
    expect(await page.locator('tbody tr td:last-child').allInnerTexts()).toEqual([
      'in 1 month',
      'in 1 day',
      'in 1 year',
    ]);
  });

  test('the actions fit on a desktop screen with long names, large limits and unpriced costs', async () => {
    const name = 'w'.repeat(255);
    const most = { rpm_limit: 2 ** 31 - 1, rpd_limit: 2 ** 31 - 1, monthly_limit: 2 ** 31 - 1 };
    const { id } = await dashboard.gateway.createKey({
      ...most,
      name,
      monthly_token_limit: Number.MAX_SAFE_INTEGER,
      expires_at: new Date(Date.now() + 340 * DAY_MS),
    });
    ids.set(name, id);
    await suspend(name);
    await dashboard.gateway.app.get(DataSource).query(
      `update api_keys set created_at = now() - interval '55 minutes', updated_at = now() - interval '55 minutes',
       last_used_at = now() - interval '55 minutes' where id = $1`,
      [id],
    );
    await insertRows(dashboard.gateway.app.get(DataSource), [
      {
        day: dayBefore(0),
        keyId: id,
        model: 'gpt-4o',
        endpoint: '/v1/responses',
        provider: 'default',
        units: 0,
        requests: 99_999,
        unpriced: 12_345,
        estimated: 0,
        nanos: 1_234_567_890_000_000n,
        backfilled: false,
      },
    ]);
    const page = await dashboard.signedIn('admin', { path: `/keys?name=${'w'.repeat(20)}` });
    await page.getByText('≥ $1,234,567.89').waitFor();
    const table = page.getByRole('region', { name: 'API keys' });
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect((await page.getByTitle(name).boundingBox())!.height).toBeLessThan(50);
    await screenshot(page, 'keys-long');
  });

  test('filters without matches show a message and can be cleared', async () => {
    await makeKeys('to be found');
    const page = await dashboard.signedIn('viewer', { path: '/keys?name=no-such-name' });
    await page.getByText('No matching keys').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await linkTo(page, 'to be found').waitFor();
  });

  test('a key can be suspended, unsuspended and revoked from its menu', async () => {
    await makeKeys('from the menu');
    const page = await dashboard.signedIn('admin', { path: '/keys?name=from+the+menu' });
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for from the menu' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Suspend');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await rowOf(page, 'from the menu').getByText('suspended').waitFor();
    await choose('Unsuspend');
    await page.getByRole('dialog').getByRole('button', { name: 'Unsuspend' }).click();
    await rowOf(page, 'from the menu').getByText('active').waitFor();
    await choose('Revoke');
    const dialog = page.getByRole('dialog');
    const revoke = dialog.getByRole('button', { name: 'Revoke' });
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('from the menu');
    await revoke.click();
    await rowOf(page, 'from the menu').getByText('revoked').waitFor();
    expect(await statusOf('from the menu')).toBe('revoked');
    expect(await page.getByRole('button', { name: 'Actions for from the menu' }).count()).toBe(0);
  });

  test(
    'a bulk action lists its keys first, then reports failures and keeps failed keys selected',
    async () => {
      await makeKeys('bulk a', 'bulk b', 'bulk c');
      const page = await dashboard.signedIn('admin', { path: '/keys?name=bulk' });
      await rowOf(page, 'bulk a').getByRole('checkbox').check();
      await rowOf(page, 'bulk b').getByRole('checkbox').check();
      await suspend('bulk b');
      await page
        .getByRole('region', { name: 'Selected keys' })
        .getByRole('button', { name: 'Suspend', exact: true })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Suspend 2 keys?' });
      await dialog.waitFor();
      expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringContaining('bulk b'),
        expect.stringContaining('bulk a'),
      ]);
      await dialog.getByRole('button', { name: 'Suspend 2 keys' }).click();
      const result = page.getByRole('dialog', { name: 'Some keys failed' });
      await result.getByText('1 suspended, 1 failed').waitFor();
      await result.getByRole('row', { name: 'bulk b API key not found or not active' }).waitFor();
      await expectAccessible(page);
      await result.getByRole('button', { name: 'Close' }).last().click();
      expect(await statusOf('bulk a')).toBe('suspended');
      expect(await statusOf('bulk c')).toBe('active');
      expect(await rowOf(page, 'bulk b').getByRole('checkbox').isChecked()).toBe(true);
      expect(await rowOf(page, 'bulk a').getByRole('checkbox').isChecked()).toBe(false);
    },
    AXE_MS_MAX,
  );

  test('revoking several keys requires typing their number', async () => {
    await makeKeys('doomed a', 'doomed b');
    const page = await dashboard.signedIn('admin', { path: '/keys?name=doomed' });
    await linkTo(page, 'doomed a').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('region', { name: 'Selected keys' }).getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke 2 keys?' });
    await dialog.getByRole('textbox').fill('revoke 2 keys');
    await dialog.getByRole('button', { name: 'Revoke 2 keys' }).click();
    await page.getByText('2 keys revoked.').waitFor();
    expect([await statusOf('doomed a'), await statusOf('doomed b')]).toEqual(['revoked', 'revoked']);
  });

  test('a viewer sees the keys but cannot change them', async () => {
    await makeKeys('looked at');
    const page = await dashboard.signedIn('viewer', { path: '/keys?name=looked' });
    await linkTo(page, 'looked at').waitFor();
    const main = page.getByRole('main');
    expect(await main.getByRole('checkbox').count()).toBe(0);
    expect(await main.getByRole('link', { name: 'Create key' }).count()).toBe(0);
    expect(await main.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  });

  test(
    'the key list is accessible and fits on a phone screen',
    async () => {
      await makeKeys('seen on a phone', 'suspended on a phone');
      await suspend('suspended on a phone');
      const page = await dashboard.signedIn('admin', { path: '/keys', viewport: PHONE });
      await linkTo(page, 'seen on a phone').waitFor();
      expect(await isWiderThanScreen(page)).toBe(false);
      await expectAccessible(page);
      await screenshot(page, 'keys-phone');
      const wide = await dashboard.signedIn('admin', { path: '/keys' });
      await linkTo(wide, 'seen on a phone').waitFor();
      await screenshot(wide, 'keys');
      await wide.getByRole('button', { name: 'Actions for seen on a phone' }).click();
      await wide.getByRole('menuitem', { name: 'Revoke' }).waitFor();
      await expectAccessible(wide);
    },
    AXE_MS_MAX,
  );
});
