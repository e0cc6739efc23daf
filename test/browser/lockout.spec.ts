import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOperator, OPERATOR_PASSWORD } from '../support/operator-session.js';
import { screenshot, startDashboard, type Dashboard } from './browser.js';

// A gateway of its own: the browser's address is locked out with the e-mail.
let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());

test('after five failures the page says that sign-in is locked, and for how long, the right password or not', async () => {
  const { email } = await createOperator(dashboard.gateway, 'viewer');
  const page = await dashboard.open({ expects: [/^(401|429) POST \/dashboard\/session$/] });
  const password = page.getByLabel('Password', { exact: true });
  const button = page.getByRole('button', { name: 'Sign in' });
  await page.getByLabel('Email', { exact: true }).fill(email);
  for (let guess = 0; guess < 5; guess++) {
    await password.fill('Wrong-horse-battery-9');
    const answer = page.waitForResponse('**/dashboard/session');
    await button.click();
    expect((await answer).status()).toBe(401);
    await page.getByText('Incorrect email or password').waitFor();
  }
  await password.fill(OPERATOR_PASSWORD);
  await button.click();
  await page.getByText('Too many attempts').waitFor();
  expect(await page.getByRole('alert').textContent()).toMatch(/Try again in 1[45] minutes\./);
  await screenshot(page, 'locked-out');
});
