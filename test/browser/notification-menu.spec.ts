import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());

const database = () => dashboard.gateway.app.get(DataSource);
/** Notifications are seconds apart, because those of the same millisecond would have no order. */
let rung = 0;
const ring = (type: string, data: object) =>
  database().query(
    `insert into notifications (id, type, created_at, data)
     values (gen_random_uuid(), $1, clock_timestamp() - interval '10 minutes' + make_interval(secs => $3), $2)`,
    [type, data, ++rung],
  );
afterEach(() => database().query('delete from notifications'));

const EXPIRED = { key_id: '0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90', key_name: 'reporting', status: 'active' };

test('the notification menu shows that there are no unread notifications', async () => {
  const page = await dashboard.signedIn('viewer', { path: '/nowhere' });
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await page.getByText('No unread notifications').waitFor();
});

test('the menu shows the unread count and the newest notifications with links to their objects', async () => {
  const { id } = await dashboard.gateway.createKey({ name: 'nightly' });
  for (let month = 1; month <= 9; month++) {
    const data = { limit: 1000, used: 850, percent: 85, month: `2026-0${month}` };
    await ring('key_quota_warning', { key_id: id, key_name: 'nightly', status: 'active', ...data });
  }
  await ring('key_expired', { ...EXPIRED, expires_at: '2026-07-05T00:00:00.000Z' });
  const page = await dashboard.signedIn('viewer', { path: '/nowhere' });
  await page.getByRole('button', { name: 'Notifications, 10 unread' }).click();
  const entries = page.getByRole('menuitem').filter({ hasText: 'Key' });
  await entries.first().waitFor();
  expect(await entries.count()).toBe(8);
  expect(await entries.first().textContent()).toContain('reporting');
  await page.getByText('and 2 more').waitFor();
  await expectAccessible(page);
  await screenshot(page, 'bell');
  await entries.last().click();
  await page.getByRole('heading', { level: 1, name: 'nightly' }).waitFor();
  await page.getByRole('button', { name: 'Notifications, 9 unread' }).waitFor();
});

test('a viewer can mark all notifications as read without affecting other operators', async () => {
  await ring('key_expired', EXPIRED);
  await ring('webhook_disabled', { webhook_id: EXPIRED.key_id, url: 'https://example.com/hook', reason: 'failing' });
  const page = await dashboard.signedIn('viewer', { path: '/nowhere' });
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
  await page.getByRole('menuitem', { name: 'Mark all as read' }).click();
  await page.getByText('No unread notifications').waitFor();
  const other = await dashboard.signedIn('owner', { path: '/nowhere' });
  await other.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor();
});

test('the menu can be used with the keyboard and fits on a phone screen', async () => {
  await ring('key_expired', EXPIRED);
  const page = await dashboard.signedIn('viewer', { path: '/nowhere', viewport: PHONE });
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  await screenshot(page, 'bell-phone');
  expect(await isWiderThanScreen(page)).toBe(false);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
});
