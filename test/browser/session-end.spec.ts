import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { OPERATOR_PASSWORD, OperatorSession } from '../support/operator-session.js';
import { expectAccessible } from './axe.js';
import { screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());

/** Error responses on a page whose session has ended. */
const expects = [/^401 (GET|POST|PATCH|DELETE) \/(admin|dashboard)\//];
const newAdmin = () => OperatorSession.of(dashboard.gateway, 'admin');
/** Ends the session outside the browser, so that no tab is notified. */
const end = (session: OperatorSession) => session.call('DELETE', '/dashboard/session');
const dialogOn = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
const nameOn = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
const accountOn = (page: Page) => page.getByRole('button', { name: /^Account of/ });

async function signInAgain(page: Page): Promise<void> {
  await dialogOn(page).getByLabel('Password', { exact: true }).fill(OPERATOR_PASSWORD);
  await dialogOn(page).getByRole('button', { name: 'Sign in' }).click();
  await dialogOn(page).waitFor({ state: 'hidden' });
}

describe('session that ends during an edit', () => {
  test('after signing in again, the input is still there and can be sent', async () => {
    const session = await newAdmin();
    const page = await dashboard.as(session, { path: '/keys/new', expects });
    const name = nameOn(page);
    await name.fill('typed before the end');
    await end(session);
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialogOn(page).waitFor();
    await screenshot(page, 'session-ended');
    await expectAccessible(page);
    await signInAgain(page);
    expect(await name.inputValue()).toBe('typed before the end');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { level: 1, name: /typed before the end/ }).waitFor();
  });

  test('only the same operator can sign in again: the email is fixed and the password focused', async () => {
    const session = await newAdmin();
    const page = await dashboard.as(session, { path: '/keys', expects });
    await accountOn(page).waitFor();
    await end(session);
    await page.getByLabel('Search').fill('x');
    await dialogOn(page).waitFor();
    const email = dialogOn(page).getByLabel('Email', { exact: true });
    expect([await email.inputValue(), await email.isEditable()]).toEqual([session.operator.email, false]);
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password');
    await page.keyboard.press('Escape');
    expect(await dialogOn(page).isVisible()).toBe(true);
  });

  test('the edit can be discarded, and any operator can sign in', async () => {
    const session = await newAdmin();
    const page = await dashboard.as(session, { path: '/keys', expects });
    await accountOn(page).waitFor();
    await end(session);
    await page.getByLabel('Search').fill('x');
    await dialogOn(page).getByRole('button', { name: 'Discard and sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByLabel('Email', { exact: true }).isEditable()).toBe(true);
    expect(await accountOn(page).count()).toBe(0);
  });
});

describe('several tabs', () => {
  test('signing out in one tab signs out the other tabs', async () => {
    const page = await dashboard.as(await newAdmin(), { path: '/keys' });
    const other = await dashboard.tabBeside(page, { path: '/keys/new' });
    await nameOn(other).waitFor();
    await accountOn(page).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await nameOn(other).count()).toBe(0);
  });

  test('signing in again in one tab is enough for all tabs', async () => {
    const session = await newAdmin();
    const page = await dashboard.as(session, { path: '/keys', expects });
    const other = await dashboard.tabBeside(page, { path: '/keys', expects });
    await accountOn(page).waitFor();
    await accountOn(other).waitFor();
    await end(session);
    for (const tab of [page, other]) {
      await tab.getByLabel('Search').fill('x');
      await dialogOn(tab).waitFor();
    }
    await signInAgain(page);
    await dialogOn(other).waitFor({ state: 'hidden' });
    await other.goto(`${dashboard.gateway.url}/dashboard/keys/new`);
    await nameOn(other).fill('from the other tab');
    await other.getByRole('button', { name: 'Create key' }).click();
    await other.getByRole('heading', { level: 1, name: /from the other tab/ }).waitFor();
  });

  test('after another operator signs in, the other tabs show that operator and discard their input', async () => {
    const [first, second] = [await newAdmin(), await OperatorSession.of(dashboard.gateway, 'viewer')];
    const page = await dashboard.as(first, { path: '/keys/new' });
    await nameOn(page).fill('of the first');
    const other = await dashboard.tabBeside(page, { path: '/keys' });
    await accountOn(other).waitFor();
    // This is how a tab signs in after its session ended, before the first tab notices.
    await other.evaluate(
      async ({ email, password, operatorId }) => {
        const headers = { 'content-type': 'application/json' };
        await fetch('/dashboard/session', { method: 'POST', headers, body: JSON.stringify({ email, password }) });
        new BroadcastChannel('gateway-session').postMessage({ operatorId });
      },
      { email: second.operator.email, password: OPERATOR_PASSWORD, operatorId: second.operator.id },
    );
    await page.getByRole('button', { name: 'Account of viewer' }).waitFor();
    expect(await nameOn(page).count()).toBe(0);
  });
});

test('a lowered role takes effect without signing in again', async () => {
  const session = await newAdmin();
  const page = await dashboard.as(session, { path: '/keys/new', expects: [/^403 POST \/admin\//] });
  await nameOn(page).fill('too late');
  await dashboard.gateway.admin('PATCH', `/admin/operators/${session.operator.id}`, { role: 'viewer' });
  await page.getByRole('button', { name: 'Create key' }).click();
  await accountOn(page).click();
  await page.getByText('admin · viewer').waitFor();
});
