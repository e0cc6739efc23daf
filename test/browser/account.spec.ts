import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { OPERATOR_PASSWORD, OperatorSession, signIn } from '../support/operator-session.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0';

const ofRole = (role: 'viewer' | 'admin' | 'owner') => OperatorSession.of(dashboard.gateway, role);
/** Opens another session of the same operator. */
const elsewhere = (email: string, userAgent: string) =>
  signIn(dashboard.gateway, email, OPERATOR_PASSWORD, { 'user-agent': userAgent });
const rows = (page: Page) => page.getByRole('region', { name: /sessions/i }).getByRole('row');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
/** Finds a field by its label, with or without the asterisk of required fields. */
const field = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}( \\*)?$`));

async function change(page: Page, current: string, next: string, repeated = next): Promise<void> {
  await field(page, 'Current password').fill(current);
  await field(page, 'New password').fill(next);
  await field(page, 'Confirm new password').fill(repeated);
  await button(page, 'Change password').click();
}

describe('password change', () => {
  test('a viewer can change their own password, which ends their other sessions', async () => {
    const session = await ofRole('viewer');
    const { email } = session.operator;
    const other = await OperatorSession.open(dashboard.gateway, email);
    const page = await dashboard.as(session, { path: '/account' });
    await page.getByText('2 in total').waitFor();
    await change(page, OPERATOR_PASSWORD, 'a whole new password');
    await page.getByText('Password changed. All other sessions have ended.').waitFor();
    await page.getByText('1 in total').waitFor();
    expect(await field(page, 'Current password').inputValue()).toBe('');
    expect((await signIn(dashboard.gateway, email, 'a whole new password')).status).toBe(200);
    expect((await signIn(dashboard.gateway, email, OPERATOR_PASSWORD)).status).toBe(401);
    expect((await other.call('GET', '/admin/sessions')).status).toBe(401);
    expect((await session.call('GET', '/admin/sessions')).status).toBe(200);
  });

  test('a password change can keep the other sessions', async () => {
    const session = await ofRole('viewer');
    const other = await OperatorSession.open(dashboard.gateway, session.operator.email);
    const page = await dashboard.as(session, { path: '/account' });
    await page.getByRole('checkbox', { name: 'End all other sessions' }).click();
    await change(page, OPERATOR_PASSWORD, 'a whole new password');
    await page.getByText('Password changed. Your other sessions stay signed in.').waitFor();
    expect((await other.call('GET', '/admin/sessions')).status).toBe(200);
  });

  test('a wrong current password is reported at its field and does not sign out', async () => {
    const session = await ofRole('viewer');
    const expects = [/^401 POST \/dashboard\/password$/];
    const page = await dashboard.as(session, { path: '/account', expects });
    await change(page, 'this is not it at all', 'a whole new password');
    await page.getByText('The current password is incorrect.').waitFor();
    expect(await field(page, 'Current password').getAttribute('aria-invalid')).toBe('true');
    expect(await field(page, 'New password').inputValue()).toBe('a whole new password');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await signIn(dashboard.gateway, session.operator.email, OPERATOR_PASSWORD)).status).toBe(200);
  });

  test('a short or mistyped new password is rejected in the form', async () => {
    const page = await dashboard.as(await ofRole('viewer'), { path: '/account' });
    await change(page, OPERATOR_PASSWORD, 'short', 'shart');
    await page.getByText('The password must have 12 to 200 characters.').waitFor();
    await page.getByText('The passwords do not match.').waitFor();
  });

  test('after five wrong passwords the page shows how long to wait', async () => {
    const session = await ofRole('viewer');
    const wrong = { current_password: 'wrong wrong wrong', new_password: 'a whole new password' };
    for (let n = 0; n < 5; n++) await session.call('POST', '/dashboard/password', wrong);
    const expects = [/^429 POST \/dashboard\/password$/];
    const page = await dashboard.as(session, { path: '/account', expects });
    await change(page, OPERATOR_PASSWORD, 'a whole new password');
    await page.getByText(/Too many incorrect passwords. Try again in 1[45] minutes/).waitFor();
  });

  test('a password change can be sent after signing in again', async () => {
    const session = await ofRole('viewer');
    const expects = [/^401 (GET|POST) \/(admin|dashboard)\//];
    const page = await dashboard.as(session, { path: '/account', expects });
    await field(page, 'Current password').waitFor();
    await session.call('DELETE', '/dashboard/session');
    await change(page, OPERATOR_PASSWORD, 'a whole new password');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(OPERATOR_PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await button(page, 'Change password').click();
    await page.getByText('Password changed.').waitFor();
  });
});

describe('session list', () => {
  test('sessions show device and address, and another session can be ended', async () => {
    const session = await ofRole('viewer');
    const { email } = session.operator;
    await elsewhere(email, FIREFOX);
    await elsewhere(email, IPHONE);
    await elsewhere(email, EDGE);
    const page = await dashboard.as(session, { path: '/account' });
    for (const device of ['Firefox 140 on Linux', 'Safari 18 on iPhone', 'Edge 140 on Windows'])
      await rows(page).filter({ hasText: device }).getByText('127.0.0.1').waitFor();
    expect(await rows(page).filter({ hasText: 'this session' }).count()).toBe(1);
    expect(await page.getByRole('switch').count()).toBe(0);
    await button(page, 'End session: Safari 18 on iPhone, 127.0.0.1').click();
    await page.getByRole('dialog').getByText('Safari 18 on iPhone').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await rows(page).filter({ hasText: 'Safari 18 on iPhone' }).waitFor({ state: 'detached' });
    expect((await session.call('GET', '/admin/sessions')).body['total']).toBe(3);
    await button(page, 'End all other sessions').click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('2 sessions ended.').waitFor();
    await page.getByText('1 in total').waitFor();
    expect((await session.call('GET', '/admin/sessions')).body['total']).toBe(1);
  });

  test('ending the current session signs out only that session', async () => {
    const session = await ofRole('viewer');
    const other = await OperatorSession.open(dashboard.gateway, session.operator.email);
    const page = await dashboard.as(session, { path: '/account', expects: [/^401 /] });
    await rows(page).filter({ hasText: 'this session' }).getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect((await session.call('GET', '/admin/sessions')).status).toBe(401);
    expect((await other.call('GET', '/admin/sessions')).status).toBe(200);
  });

  test('an owner can also list and end the sessions of all operators', async () => {
    const session = await ofRole('owner');
    const viewer = await ofRole('viewer');
    const page = await dashboard.as(session, { path: '/account' });
    await page.getByText('1 in total').waitFor();
    await page.getByRole('switch', { name: 'All operators' }).click();
    const row = rows(page).filter({ hasText: viewer.operator.email });
    await row.waitFor();
    expect(new URL(page.url()).search).toBe('?who=all');
    await screenshot(page, 'account-all');
    await row.getByRole('button').click();
    await page.getByRole('dialog').getByText(viewer.operator.email).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await viewer.call('GET', '/admin/sessions')).status).toBe(401);
  });

  test('an admin sees only their own sessions, regardless of the URL', async () => {
    const session = await ofRole('admin');
    const page = await dashboard.as(session, { path: '/account?who=all' });
    await page.getByText('1 in total').waitFor();
    await page.getByRole('heading', { name: 'Your sessions' }).waitFor();
  });
});

test(
  'the account page is accessible and fits on a phone screen',
  async () => {
    const session = await ofRole('owner');
    const page = await dashboard.as(session, { path: '/account', viewport: PHONE });
    await page.getByText(session.operator.email).waitFor();
    await page.getByText('1 in total').waitFor();
    await button(page, 'Change password').click();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'account-phone');
    await page.getByRole('switch', { name: 'All operators' }).click();
    await page.getByRole('columnheader', { name: 'Operator' }).waitFor();
    await rows(page).filter({ hasText: 'this session' }).getByRole('button').click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
  },
  AXE_MS_MAX,
);
