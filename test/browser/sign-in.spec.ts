import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createOperator, OPERATOR_PASSWORD } from '../support/operator-session.js';
import { expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());

async function signIn(page: Page, email: string, password = OPERATOR_PASSWORD): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const REJECTED = [/^401 POST \/dashboard\/session$/];

describe('sign-in page', () => {
  test('an operator can sign in with only the keyboard', async () => {
    const { email } = await createOperator(dashboard.gateway, 'viewer');
    const page = await dashboard.open();
    await expect(page.getByRole('heading', { level: 1 }).textContent()).resolves.toBe('Sign in');
    expect(await page.title()).toBe('Sign in · Gateway');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(OPERATOR_PASSWORD);
    await page.keyboard.press('Enter');
    await menuOf(page).waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'gw_admin_session', httpOnly: true, secure: true, sameSite: 'Lax' });
  });

  test('a wrong password shows an error, keeps the email and focuses the password', async () => {
    const { email } = await createOperator(dashboard.gateway, 'viewer');
    const page = await dashboard.open({ expects: REJECTED });
    await signIn(page, email, 'Wrong-horse-battery-9');
    await page.getByRole('alert').getByText('Incorrect email or password').waitFor();
    await screenshot(page, 'sign-in-rejected');
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(email);
    await page.keyboard.type(OPERATOR_PASSWORD);
    await page.keyboard.press('Enter');
    await menuOf(page).waitFor();
  });

  test('sign-in continues to the requested page with its filters', async () => {
    const { email } = await createOperator(dashboard.gateway, 'viewer');
    const page = await dashboard.open({ path: '/keys?status=active' });
    await signIn(page, email);
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    expect(page.url()).toBe(`${dashboard.gateway.url}/dashboard/keys?status=active`);
  });

  test('the sign-in page is accessible in both themes and fits on a phone screen', async () => {
    const page = await dashboard.open({ viewport: PHONE, expects: REJECTED });
    await page.getByLabel('Email', { exact: true }).waitFor();
    await expectAccessible(page);
    await signIn(page, 'nobody@example.com');
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    expect(await isWiderThanScreen(page)).toBe(false);
    await screenshot(page, 'sign-in-phone');
  });

  test('an unreachable gateway is reported, and the page can be retried', async () => {
    const page = await dashboard.open({ expects: [/^503 GET \/dashboard\/session$/] });
    await page.getByLabel('Email', { exact: true }).waitFor();
    let unavailable = true;
    await page.route('**/dashboard/session', (route) =>
      unavailable ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await page.reload();
    await page.getByRole('alert').waitFor();
    unavailable = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Email', { exact: true }).waitFor();
  });
});

test('signing out shows the sign-in page at the overview’s URL and removes the cookie', async () => {
  const { email } = await createOperator(dashboard.gateway, 'viewer');
  const page = await dashboard.open({ path: '/keys' });
  await signIn(page, email);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Email', { exact: true }).waitFor();
  await page.waitForURL(/\/dashboard\/?$/);
  expect(await page.context().cookies()).toEqual([]);
  await page.goBack();
  await page.getByLabel('Email', { exact: true }).waitFor();
});
