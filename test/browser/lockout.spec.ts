import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOperator, OPERATOR_PASSWORD } from '../support/operator-session.js';
import { screenshot, startDashboard, type Dashboard } from './browser.js';

// This spec needs a separate gateway, because the lockout also affects the browser's IP address.
let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());

test('after five wrong passwords even the right one is rejected, with the time to wait', async () => {
  const { email } = await createOperator(dashboard.gateway, 'viewer');
  const page = await dashboard.open({ expects: [/^(401|429) POST \/dashboard\/session$/] });
  const password = page.getByLabel('Password', { exact: true });
  const button = page.getByRole('button', { name: 'Sign in' });
  await page.getByLabel('Email', { exact: true }).fill(email);
  for (let guess = 0; guess < 5; guess++) {
    await password.fill('Wrong-horse-battery-9');
    const response = page.waitForResponse('**/dashboard/session');
    await button.click();
    expect((await response).status()).toBe(401);
    await page.getByText('Incorrect email or password').waitFor();
  }
  await password.fill(OPERATOR_PASSWORD);
  await button.click();
  await page.getByText('Too many attempts').waitFor();
  expect(await page.getByRole('alert').textContent()).toMatch(/Try again in 1[45] minutes\./);
  await screenshot(page, 'locked-out');
});
