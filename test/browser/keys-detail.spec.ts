import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { OPERATOR_PASSWORD, OperatorSession } from '../support/operator-session.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

/** Axe blocks this process, which also runs the gateway, so quota requests can time out. */
const TOO_BUSY = /^503 GET \/admin\/api-keys\/[^/]+\/quota$/;

const make = (name: string, fields: Record<string, unknown> = {}) => dashboard.gateway.createKey({ name, ...fields });
const read = async (id: string) => (await dashboard.gateway.admin('GET', `/admin/api-keys/${id}`)).body;
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const editing = (page: Page) => page.getByRole('region', { name: 'Edit key' });

describe('key page', () => {
  test('the page shows current usage, settings and audit entries of the key', async () => {
    const key = await make('Counted', { rpd_limit: 4, allowed_models: ['gpt-4o-mini'] });
    await dashboard.gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { rpd_limit: 8 });
    await dashboard.gateway.chat(key);
    const page = await dashboard.signedIn('viewer', { path: `/keys/${key.id}` });
    await page.getByRole('progressbar', { name: /^Requests today: 12\.5%/ }).waitFor();
    expect(await page.getByRole('row', { name: 'Models gpt-4o-mini' }).count()).toBe(1);
    await page.getByText('Requests per day: 4 → 8').waitFor();
    const audit = page.getByRole('region', { name: 'Key audit log' });
    expect(await audit.getByRole('columnheader').allInnerTexts()).toEqual([
      'Time',
      'Action',
      'Actor',
      'Changes',
      'IP address',
    ]);
    await page.getByRole('link', { name: 'Recent requests' }).click();
    await page.waitForURL(`**/requests?key_id=${key.id}`);
  });

  test('current usage is refreshed while the page is open and can be reset', async () => {
    const key = await make('Live', { rpd_limit: 10 });
    const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}` });
    const unused = page.getByRole('progressbar', { name: 'Requests today: 0.00% used' });
    await unused.waitFor({ state: 'attached' });
    await dashboard.gateway.chat(key);
    await page.getByRole('progressbar', { name: /^Requests today: 10/ }).waitFor();
    await button(page, 'Reset quota').click();
    const dialog = page.getByRole('dialog', { name: 'Reset quota?' });
    await dialog.getByLabel('Today').check();
    await dialog.getByRole('button', { name: 'Reset' }).click();
    await unused.waitFor({ state: 'attached' });
    await page.getByText('Request count (day): 1 → 0').waitFor();
  });

  test('an edit sends only the changed fields', async () => {
    const key = await make('Edited', { expires_at: '2031-01-01T00:00:42Z', monthly_limit: 5 });
    const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}` });
    await button(page, 'Edit').click();
    await editing(page).getByLabel('Requests per month (UTC)').fill('');
    const patch = page.waitForRequest((request) => request.method() === 'PATCH');
    await button(page, 'Save 1 change').click();
    expect((await patch).postDataJSON()).toEqual({ monthly_limit: null });
    await page.getByRole('row', { name: 'Requests per month unlimited' }).waitFor();
    expect(await read(key.id)).toMatchObject({ monthly_limit: null, expires_at: '2031-01-01T00:00:42.000Z' });
  });

  test('changed token counting is described in words, also in the audit entry', async () => {
    const key = await make('Counts more');
    const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}` });
    await page.getByRole('row', { name: 'Counted tokens Input and output', exact: true }).waitFor();
    await button(page, 'Edit').click();
    await editing(page).getByRole('combobox', { name: 'Counted tokens', exact: true }).click();
    await page.getByRole('option', { name: 'All tokens, with cache reads and writes', exact: true }).click();
    const patch = page.waitForRequest((request) => request.method() === 'PATCH');
    await button(page, 'Save 1 change').click();
    expect((await patch).postDataJSON()).toEqual({ token_counting: 'all' });
    await page
      .getByRole('row', { name: 'Counted tokens All tokens, with cache reads and writes', exact: true })
      .waitFor();
    await page.getByText('Counted tokens: Input and output → All tokens, with cache reads and writes').waitFor();
  });

  test('an invalid value is reported at its field, and the form stays open', async () => {
    const key = await make('Wrongly edited');
    const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}`, expects: [/^400 PATCH /] });
    await button(page, 'Edit').click();
    const day = editing(page).getByLabel('Requests per day (UTC)');
    await day.fill('3000000000');
    await button(page, 'Save 1 change').click();
    await editing(page)
      .getByText(/2147483647/)
      .waitFor();
    expect(await day.getAttribute('aria-invalid')).toBe('true');
    await day.fill('30');
    await button(page, 'Save 1 change').click();
    await editing(page).waitFor({ state: 'detached' });
    expect((await read(key.id))['rpd_limit']).toBe(30);
  });

  test('a concurrent change to the same field is shown before it is overwritten', async () => {
    const key = await make('Contended', { rpd_limit: 100 });
    const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}` });
    await button(page, 'Edit').click();
    await editing(page).getByLabel('Requests per day (UTC)').fill('300');
    await dashboard.gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { rpd_limit: 200, rpm_limit: 9 });
    await button(page, 'Save 1 change').click();
    await page.getByRole('row', { name: 'Requests per day 200 300' }).waitFor();
    expect((await read(key.id))['rpd_limit']).toBe(200);
    await button(page, 'Keep my values').click();
    await button(page, 'Save 1 change').click();
    await editing(page).waitFor({ state: 'detached' });
    expect(await read(key.id)).toMatchObject({ rpd_limit: 300, rpm_limit: 9 });
  });

  test('an edit survives the end of the session', async () => {
    const key = await make('Long edit');
    const session = await OperatorSession.of(dashboard.gateway, 'admin');
    const page = await dashboard.as(session, { path: `/keys/${key.id}`, expects: [/^401 /] });
    await button(page, 'Edit').click();
    await editing(page).getByLabel('Name').fill('Long edit, done');
    await session.call('DELETE', '/dashboard/session');
    await button(page, 'Save 1 change').click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').first().fill(OPERATOR_PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await editing(page).getByLabel('Name').inputValue()).toBe('Long edit, done');
    await button(page, 'Save 1 change').click();
    await page.getByRole('heading', { level: 1, name: 'Long edit, done' }).waitFor();
  });

  test('leaving an unsaved edit needs a confirmation', async () => {
    const key = await make('Left alone');
    const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}` });
    await button(page, 'Edit').click();
    await editing(page).getByLabel('Name').fill('Half typed');
    await page.getByRole('navigation').getByRole('link', { name: 'Models' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await editing(page).getByLabel('Name').inputValue()).toBe('Half typed');
    await page.getByRole('navigation').getByRole('link', { name: 'Models' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/dashboard/models');
  });

  test('the available actions depend on the key’s status', async () => {
    const key = await make('Through its life');
    const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}` });
    await button(page, 'Suspend').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await button(page, 'Unsuspend').waitFor();
    expect((await dashboard.gateway.chat(key)).body).toMatchObject({ error: { code: 'api_key_suspended' } });
    await button(page, 'Unsuspend').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unsuspend' }).click();
    await button(page, 'Suspend').waitFor();
    await button(page, 'Revoke').click();
    await page.getByRole('dialog').getByRole('textbox').fill('Through its life');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/^Revoked: /).waitFor();
    for (const gone of ['Suspend', 'Unsuspend', 'Rotate', 'Revoke', 'Reset quota'])
      expect(await button(page, gone).count()).toBe(0);
    expect(await button(page, 'Edit').isEnabled()).toBe(true);
  });

  test('rotation invalidates the old raw key and shows the new one until it is copied', async () => {
    const key = await make('Turned');
    const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}` });
    await button(page, 'Rotate').click();
    const ask = page.getByRole('dialog', { name: 'Rotate this key?' });
    await ask.getByText('Turned').waitFor();
    await ask.getByText('The old raw key stops working immediately').waitFor();
    await ask.getByRole('button', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog', { name: 'New raw key for “Turned”' });
    const raw = await dialog.getByLabel('API key').inputValue();
    expect((await dashboard.gateway.chat(raw)).status).toBe(200);
    expect((await dashboard.gateway.chat(key)).status).toBe(401);
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(raw);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await page.content()).includes(raw)).toBe(false);
  });

  test('an unknown key ID shows a message with a link to all keys', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const page = await dashboard.signedIn('viewer', { path: `/keys/${unknown}`, expects: [/^404 GET /] });
    await page.getByText('No key has this ID').waitFor();
    await page.getByRole('link', { name: 'go to all keys' }).click();
    await page.waitForURL('**/dashboard/keys');
  });

  test('a viewer cannot change the key', async () => {
    const key = await make('Only looked at');
    const page = await dashboard.signedIn('viewer', { path: `/keys/${key.id}` });
    await page.getByText('Current usage').waitFor();
    for (const action of ['Edit', 'Suspend', 'Rotate', 'Revoke', 'Reset quota'])
      expect(await button(page, action).count()).toBe(0);
  });

  test(
    'the page with the open edit form is accessible and fits on a phone screen',
    async () => {
      const key = await make('On a phone', { monthly_limit: 20, monthly_token_limit: 90_000 });
      for (let calls = 0; calls < 3; calls++) await dashboard.gateway.chat(key);
      const opening = { path: `/keys/${key.id}?days=90`, viewport: PHONE, expects: [/^400 PATCH /, TOO_BUSY] };
      const page = await dashboard.signedIn('admin', opening);
      await page.getByRole('img', { name: /^Requests by day/ }).waitFor();
      await page.getByText('Key created', { exact: true }).waitFor();
      expect(await isWiderThanScreen(page)).toBe(false);
      await screenshot(page, 'key-phone');
      await button(page, 'Edit').click();
      await editing(page).getByLabel('Requests per day (UTC)').fill('0');
      await button(page, 'Save 1 change').click();
      await editing(page)
        .getByText(/2147483647/)
        .waitFor();
      expect(await isWiderThanScreen(page)).toBe(false);
      await expectAccessible(page);
    },
    AXE_MS_MAX,
  );

  test(
    'the dialogs of the page are accessible',
    async () => {
      const key = await make('Asked about');
      const page = await dashboard.signedIn('admin', { path: `/keys/${key.id}`, expects: [TOO_BUSY] });
      await button(page, 'Reset quota').click();
      await page.getByRole('dialog').getByLabel('Today').waitFor();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await button(page, 'Rotate').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('dialog').getByLabel('API key').waitFor();
      await expectAccessible(page);
    },
    AXE_MS_MAX,
  );
});
