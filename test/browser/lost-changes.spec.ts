import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());
beforeEach(() => query('delete from lost_changes'));

const query = (sql: string, parameters: unknown[] = []) => dashboard.gateway.app.get(DataSource).query(sql, parameters);
/** Inserts a lost change of a price, or of a policy that the gateway remembers. */
const lose = (action: 'price.created' | 'model_policy.set', target: string) =>
  query(
    `insert into lost_changes (id, at, action, actor_type, target_type, target_id, remembered)
     values (gen_random_uuid(), now(), $1, 'admin_key', split_part($1, '.', 1), $2, $3)`,
    [action, target, action === 'price.created' ? null : JSON.stringify({ enabled: false })],
  );
const rows = (page: Page) => page.getByRole('region', { name: 'Lost changes' }).getByRole('row');
const decisions = async () =>
  (
    await dashboard.gateway.admin<{ changes: { target_id: string; decision: string | null }[] }>(
      'GET',
      '/admin/lost-changes',
    )
  ).body.changes
    .map(({ target_id, decision }) => `${target_id} ${decision}`)
    .sort();

describe('lost changes', () => {
  test('an admin discards one change after a confirmation, and then all others', async () => {
    for (const target of ['one', 'two', 'three']) await lose('price.created', target);
    const page = await dashboard.signedIn('admin', { path: '/lost-changes' });
    const row = rows(page).filter({ hasText: 'two' });
    await row.getByText('Not remembered').waitFor();
    expect(await row.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
    await row.getByRole('button', { name: /^Discard/ }).click();
    await page.getByRole('dialog').getByText('The state of the database applies').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await decisions()).toEqual(['one null', 'three null', 'two discarded']);
    await page.getByRole('button', { name: 'Discard all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No lost changes without a decision').waitFor();
    expect(await decisions()).toEqual(['one discarded', 'three discarded', 'two discarded']);
    await page.getByText('All', { exact: true }).click();
    await rows(page).getByText('discarded by You').first().waitFor();
  });

  test('an admin applies a remembered change', async () => {
    await lose('model_policy.set', 'gpt-4o');
    const page = await dashboard.signedIn('admin', { path: '/lost-changes' });
    const row = rows(page).filter({ hasText: 'gpt-4o' });
    await row.getByText('Remembered: blocked').waitFor();
    await row.getByRole('button', { name: /^Apply/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await decisions()).toEqual(['gpt-4o applied']);
    expect(await query('select enabled from model_policies where model = $1', ['gpt-4o'])).toEqual([
      { enabled: false },
    ]);
  });

  test('a viewer sees the changes and cannot decide, and finds the page from the audit log', async () => {
    await lose('price.created', 'one');
    const page = await dashboard.signedIn('viewer', { path: '/audit' });
    await page.getByRole('link', { name: 'Lost changes' }).click();
    await rows(page).getByText('one', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Discard|Apply/ }).count()).toBe(0);
  });
});

test(
  'the page is accessible and fits on a phone screen',
  async () => {
    await lose('price.created', 'one');
    const page = await dashboard.signedIn('admin', { path: '/lost-changes', viewport: PHONE });
    await rows(page).getByText('one', { exact: true }).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Discard all' }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'lost-changes-phone');
  },
  AXE_MS_MAX,
);
