import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { poll } from '../support/poll.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

const DAY_MS = 86_400_000;

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());

const admin = <T = Record<string, unknown>>(method: string, path: string, body?: object) =>
  dashboard.gateway.admin<T>(method, `/admin${path}`, body);
const query = (sql: string, parameters: unknown[]) => dashboard.gateway.app.get(DataSource).query(sql, parameters);
const read = async (id: number) => (await admin('GET', `/limits/${id}`)).body;
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const editing = (page: Page) => page.getByRole('region', { name: 'Edit limit' });
const usage = (page: Page) => page.getByRole('region', { name: 'Current usage' });

/** Creates a monthly limit of the account with this usage. */
async function make(fields: object = {}, used = 0, held = 0): Promise<number> {
  const body = { scope: 'account', measure: 'cost', period: 'month', amount: '500', name: 'Monthly budget', ...fields };
  const { id } = (await admin<{ id: number }>('POST', '/limits', body)).body;
  await query('update limit_counters set used = $2, held = $3 where limit_id = $1', [id, used, held]);
  return id;
}
const open = (id: number, role: 'admin' | 'viewer' = 'admin', path = '') =>
  dashboard.signedIn(role, { path: `/budgets/${id}${path}` });

describe('limit page', () => {
  test('the page shows figures, settings and the link of each alert', async () => {
    const id = await make({ time_zone: 'Europe/Berlin', models: ['claude-*'], reserve: 'full' }, 260_000_000_000);
    const page = await open(id, 'viewer');
    await usage(page).getByText('$260.00').waitFor();
    await page.getByRole('row', { name: 'Time zone Europe/Berlin' }).waitFor();
    await page.getByRole('row', { name: 'Models claude-*' }).waitFor();
    await page.getByRole('row', { name: 'Reserve Largest possible usage' }).waitFor();
    await page.getByRole('row', { name: 'Alerts at 50%, 80%, 100%' }).waitFor();
    const alerts = page.getByRole('region', { name: 'Alerts' });
    await alerts.getByText('50% reached').waitFor();
    await alerts.getByText('$260.00 of $500.00').waitFor();
  });

  test('an edit sends only the changed fields and keeps concurrent changes', async () => {
    const id = await make();
    const page = await open(id);
    await button(page, 'Edit').click();
    expect(new URL(page.url()).search).toBe('?edit=1');
    await admin('PATCH', `/limits/${id}`, { mode: 'observe' });
    await editing(page).getByLabel('Amount (dollars)').fill('750.25');
    await editing(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Limit “Monthly budget” saved.').waitFor();
    expect(await read(id)).toMatchObject({ amount: '750.25', mode: 'observe' });
    await editing(page).waitFor({ state: 'detached' });
    await usage(page).getByText('of $750.25').waitFor();
  });

  test('fields that cannot change are not in the form', async () => {
    const page = await open(await make(), 'admin', '?edit=1');
    await editing(page).getByLabel('Name').waitFor();
    for (const name of ['Scope', 'Measure', 'Period', 'Time zone'])
      expect(await editing(page).getByRole('combobox', { name }).count()).toBe(0);
  });

  test('a limit for some models counts all models only if an operator chooses that', async () => {
    const id = await make({ models: ['claude-*'] });
    const page = await open(id, 'admin', '?edit=1');
    const models = editing(page).getByRole('combobox', { name: 'Models that count' });
    await models.press('Backspace');
    await editing(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a model or a pattern, or choose all models.').waitFor();
    expect(await read(id)).toMatchObject({ models: ['claude-*'] });
    await editing(page).getByRole('radio', { name: 'All models' }).check();
    await editing(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Limit “Monthly budget” saved.').waitFor();
    expect(await read(id)).toMatchObject({ models: null });
  });

  test('leaving an unsaved edit needs a confirmation', async () => {
    const page = await open(await make(), 'admin', '?edit=1');
    await editing(page).getByLabel('Name').fill('Not saved');
    const toKeys = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Keys' });
    await toKeys.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    expect(await editing(page).getByLabel('Name').inputValue()).toBe('Not saved');
    await toKeys.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/dashboard/keys');
  });

  test('a reset shows the amounts that it discards', async () => {
    const id = await make({ alert_thresholds: [] }, 120_000_000_000, 3_000_000_000);
    const page = await open(id);
    await button(page, 'Reset').click();
    const dialog = page.getByRole('dialog', { name: 'Reset this limit?' });
    await dialog.getByText('discards the used amount of $120.00, and $3.00 reserved by running requests').waitFor();
    await dialog.getByRole('button', { name: 'Reset' }).click();
    await usage(page).getByText('$0.00', { exact: true }).waitFor();
    expect(await read(id)).toMatchObject({ used: '0', reserved: '0' });
  });

  test('a top-up raises the amount, is listed, and can be deleted', async () => {
    const id = await make();
    const page = await open(id);
    await button(page, 'Top up').click();
    const dialog = page.getByRole('dialog', { name: 'Top up “Monthly budget”' });
    await dialog.getByRole('button', { name: 'Top up' }).click();
    await dialog.getByText('Enter an amount.').waitFor();
    await dialog.getByLabel('Amount (dollars)').fill('25.50');
    await dialog.getByLabel('Note').fill('Approved by finance');
    await dialog.getByRole('button', { name: 'Top up' }).click();
    await usage(page).getByText('of $525.50').waitFor();
    await usage(page).getByText('The amount is $500.00, and $25.50 from top-ups.').waitFor();
    const topUps = page.getByRole('region', { name: 'Top-ups' });
    await topUps.getByRole('row').filter({ hasText: 'Approved by finance' }).getByText('active').waitFor();
    const [given] = (await admin<{ top_ups: object[] }>('GET', `/limits/${id}/top-ups`)).body.top_ups;
    expect(given).toMatchObject({ amount: '25.5', expires_at: (await read(id))['resets_at'] });
    await topUps.getByRole('button', { name: 'Delete the top-up of $25.50' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No top-ups').waitFor();
    await usage(page).getByText('of $500.00').waitFor();
  });

  test('a top-up can expire at a time or never', async () => {
    const id = await make({ measure: 'requests', amount: 10 });
    const page = await open(id);
    const expiries = async () =>
      (await admin<{ top_ups: { expires_at: string | null }[] }>('GET', `/limits/${id}/top-ups`)).body.top_ups.map(
        ({ expires_at }) => expires_at,
      );
    const topUp = async (expiry: string, at?: string) => {
      await button(page, 'Top up').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Amount (requests)').fill('5');
      await dialog.getByRole('radio', { name: expiry }).check();
      if (at !== undefined) await dialog.getByLabel('Expires at (local time)').fill(at);
      await dialog.getByRole('button', { name: 'Top up' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await topUp('Never');
    await topUp('At a time', '2031-07-01T12:00');
    expect(await expiries()).toEqual(['2031-07-01T10:00:00.000Z', null]);
  });

  test('a limit on concurrent requests cannot be reset', async () => {
    const page = await open(await make({ measure: 'concurrent_requests', period: null, amount: 5 }));
    await button(page, 'Top up').waitFor();
    expect(await button(page, 'Reset').count()).toBe(0);
  });

  test('an unknown limit ID shows a message', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/budgets/999999', expects: [/^404 GET/] });
    await page.getByRole('heading', { level: 1, name: 'Limit not found' }).waitFor();
  });

  test('a limit that has not started or has ended is marked', async () => {
    const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const later = await open(await make({ starts_at: at(40) }), 'viewer');
    await later.getByText(/^starts on /).waitFor();
    const over = await open(await make({ starts_at: at(-40), ends_at: at(-1) }), 'viewer');
    await over.getByText('ended', { exact: true }).waitFor();
  });
});

describe('limits on other pages', () => {
  test('a reached threshold creates a notification that links to the limit', async () => {
    await query('delete from notifications', []);
    const id = await make({ name: 'Watched' }, 450_000_000_000);
    const page = await dashboard.signedIn('viewer', { path: '/notifications' });
    await page.getByRole('link', { name: 'Limit “Watched” has reached 80%' }).waitFor();
    await page.getByText('$450.00 of $500.00 per month.').first().waitFor();
    await query('update limit_counters set used = $2 where limit_id = $1', [id, 500_000_000_000]);
    await page.reload();
    await page
      .getByText(/Requests beyond it are rejected until .+, unless you raise the limit or top it up\./)
      .waitFor();
    await page.getByRole('link', { name: 'Limit “Watched” is reached' }).click();
    await page.waitForURL(`**/budgets/${id}`);
  });

  test('a forecast names the date, and a limit without a name is named by its target and measure', async () => {
    await query('delete from notifications', []);
    const data = {
      limit_id: 7,
      limit_name: null,
      scope: 'team',
      team_id: randomUUID(),
      key_id: null,
      tag: null,
      measure: 'tokens',
      period: 'month',
      mode: 'enforce',
      threshold: null,
      used: '4200000',
      amount: '5000000',
      resets_at: '2031-08-01T00:00:00.000Z',
      reached_at: '2031-07-14T10:00:00.000Z',
    };
    await query(
      `insert into notifications (id, type, data, created_at) values (gen_random_uuid(), 'limit_forecast', $1, now())`,
      [JSON.stringify(data)],
    );
    const page = await dashboard.signedIn('viewer', { path: '/notifications' });
    const link = page.getByRole('link', { name: 'Limit “Team: tokens per month” will be reached on Jul 14, 2031' });
    expect(await link.getAttribute('href')).toBe('/dashboard/budgets/7');
    await page.getByText('4,200,000 of 5,000,000 tokens per month.').waitFor();
  });

  test('the audit log shows changes of limits and teams in words', async () => {
    const id = await make({ name: 'Audited' });
    await admin('PATCH', `/limits/${id}`, { amount: '600' });
    const page = await dashboard.signedIn('viewer', { path: `/audit?target_id=${id}` });
    const row = page.getByRole('row').filter({ hasText: 'Limit changed' });
    await row.getByText('Amount: 500 → 600').waitFor();
    await row.getByRole('link', { name: `Limit ${id}` }).click();
    await page.waitForURL(`**/budgets/${id}`);
  });

  test('a webhook can be limited to alerts of limits', async () => {
    const page = await dashboard.signedIn('admin', { path: '/webhooks?new=1' });
    await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/limits');
    await page.getByRole('radio', { name: 'Selected events' }).click();
    await page.getByRole('checkbox', { name: 'Limit threshold reached' }).check();
    await page.getByRole('checkbox', { name: 'Limit will be reached' }).check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await poll(
      async () => (await admin<{ webhooks: { events: string[] }[] }>('GET', '/webhooks')).body.webhooks,
    ).toEqual([expect.objectContaining({ events: ['limit_threshold_reached', 'limit_forecast'] })]);
  });
});

test(
  'the limit page and its dialogs are accessible and fit on a phone screen',
  async () => {
    const id = await make({ name: 'w'.repeat(200) }, 450_000_000_000, 20_000_000_000);
    const page = await dashboard.signedIn('admin', { path: `/budgets/${id}`, viewport: PHONE });
    await page.getByText('80% reached').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'limit-phone');
    await button(page, 'Top up').click();
    await page.getByRole('dialog').getByRole('radio', { name: 'At a time' }).check();
    await expectAccessible(page);
    await screenshot(page, 'top-up-phone');
    await page.goto(`${dashboard.gateway.url}/dashboard/budgets/${id}?edit=1`);
    await editing(page).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    const wide = await dashboard.signedIn('admin', { path: `/budgets/${id}` });
    await wide.getByText('80% reached').waitFor();
    await screenshot(wide, 'limit');
  },
  AXE_MS_MAX,
);
