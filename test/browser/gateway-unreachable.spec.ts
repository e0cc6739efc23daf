import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Key } from '../support/gateway.js';
import { expectAccessible } from './axe.js';
import { screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
let key: Key;
beforeAll(async () => {
  dashboard = await startDashboard({ GW_LOG_SAMPLE_RATE: '1' });
  key = await dashboard.gateway.createKey({ name: 'shown' });
  await dashboard.gateway.chat(key);
});
afterAll(() => dashboard?.stop());

const notCurrent = (page: Page) => page.getByRole('alert').filter({ hasText: 'Out of date' });
/** Aborts matching requests from now on. `PageTrouble` ignores aborted requests, but not failed ones. */
const abortRequests = (page: Page, what: string) => page.route(what, (route) => route.abort('aborted'));

describe('data that cannot be refreshed', () => {
  test('old rows stay under a notice with their age, until the gateway is reachable again', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/audit' });
    await page.getByRole('row', { name: /Key created/ }).waitFor();
    expect(await notCurrent(page).count()).toBe(0);
    await abortRequests(page, '**/admin/audit-logs?*');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await notCurrent(page).waitFor();
    expect(await notCurrent(page).innerText()).toMatch(
      /^Out of date: the gateway cannot be reached\. Last updated \w{3} \d+, \d{4}, \d+:\d{2}:\d{2}\s[AP]M\. Try again$/,
    );
    expect(await page.getByRole('row', { name: /Key created/ }).count()).toBe(1);
    await expectAccessible(page);
    await screenshot(page, 'audit-not-current');
    await page.unroute('**/admin/audit-logs?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await notCurrent(page).waitFor({ state: 'detached' });
  });

  test('the notice also appears above an empty list', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/audit?action=webhook.created' });
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
    await abortRequests(page, '**/admin/audit-logs?*');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await notCurrent(page).waitFor();
  });

  test('the notice quotes the gateway’s error message', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/audit', expects: [/^403 GET \/admin\/audit-logs$/] });
    await page.getByRole('row', { name: /Key created/ }).waitFor();
    const error = { code: 'forbidden', message: 'Not for you.', type: 'authentication_error', param: null };
    await page.route('**/admin/audit-logs?*', (route) => route.fulfill({ status: 403, json: { error } }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await notCurrent(page).filter({ hasText: 'the gateway responded “Not for you”.' }).waitFor();
  });

  test('the notice also appears at the quota of a key', async () => {
    const page = await dashboard.signedIn('viewer', { path: `/keys/${key.id}` });
    const quota = page.getByRole('region', { name: 'Quota' });
    await quota.getByText('Requests this minute').waitFor();
    await abortRequests(page, '**/admin/api-keys/*/quota');
    await quota.getByRole('alert').filter({ hasText: 'Out of date' }).waitFor();
    await quota.getByText('Requests this minute').waitFor();
  });
});

test('a page whose code cannot be loaded leaves the menu usable', async () => {
  const page = await dashboard.signedIn('viewer', { path: '/audit' });
  await page.getByRole('row', { name: /Key created/ }).waitFor();
  await abortRequests(page, '**/assets/**');
  const menu = page.getByRole('navigation', { name: 'Pages' });
  await menu.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('heading', { level: 1, name: 'This page could not be displayed' }).waitFor();
  await page.unroute('**/assets/**');
  await screenshot(page, 'page-not-loaded');
  await menu.getByRole('link', { name: 'Audit log' }).click({ timeout: 5000 });
  await page.getByRole('row', { name: /Key created/ }).waitFor();
});
