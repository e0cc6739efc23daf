import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { until } from '../support/until.js';
import { OperatorSession } from '../support/operator-session.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

/** The timeout of the daily job is generous, because other work can share the machine. */
const WRITTEN_MS_MAX = 30_000;
const KEY = { key_id: '0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90', key_name: 'reporting', status: 'active' };
const USED = { ...KEY, month: '2026-07' };
const UNPRICED = 'acme-custom-1';
const WEBHOOK_ID = '7b6f1c1e-5a0d-4a57-8d8e-93a4f6f2c1b7';

const query = (sql: string, parameters: unknown[] = []) => dashboard.gateway.app.get(DataSource).query(sql, parameters);
/** Inserts notifications, the newest first. */
async function ring(...notifications: [type: string, data: object][]): Promise<void> {
  for (const [n, [type, data]] of notifications.entries())
    await query(
      `insert into notifications (id, type, data, created_at)
       values (gen_random_uuid(), $1, $2, now() - $3 * interval '1 minute')`,
      [type, JSON.stringify(data), n],
    );
}
const expired = (name: string): [string, object] => [
  'key_expired',
  { ...KEY, key_name: name, expires_at: '2026-07-05T10:00:00.000Z' },
];
const rows = (page: Page) => page.getByRole('region', { name: 'Notifications' }).getByRole('row');
const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name });
const unreadOf = async (session: OperatorSession) =>
  (await session.call('GET', '/admin/notifications?unread=true')).body['total'];

beforeEach(async () => {
  await query('delete from notifications');
});

describe('notifications', () => {
  test('each notification is a sentence with a link to its object', async () => {
    await ring(
      ['key_expiring_soon', { ...KEY, expires_at: '2026-07-05T10:00:00.000Z' }],
      ['key_quota_warning', { ...USED, limit: 10_000, used: 8_349, percent: 83.49 }],
      ['key_quota_exceeded', { ...USED, limit: 10_000, used: 10_012, percent: 100.12 }],
      ['key_token_quota_warning', { ...USED, limit: 5_000_000, used: 4_999_999, percent: 99.99 }],
      ['key_token_quota_exceeded', { ...USED, limit: 5_000_000, used: 5_000_000, percent: 100 }],
      ['webhook_disabled', { webhook_id: WEBHOOK_ID, url: 'https://hooks.example.com/a', reason: 'failing' }],
      expired('reporting'),
    );
    const page = await dashboard.signedIn('viewer', { path: '/notifications' });
    await rowOf(page, 'expires soon').waitFor();
    await screenshot(page, 'notifications-words');
    const links = await page.getByRole('region').getByRole('link').all();
    expect(
      await Promise.all(links.map(async (link) => [await link.innerText(), await link.getAttribute('href')])),
    ).toEqual(
      [
        'Key “reporting” expires soon',
        'Key “reporting” has used 83% of its monthly requests',
        'Key “reporting” has used up its monthly requests',
        'Key “reporting” has used 99% of its monthly tokens',
        'Key “reporting” has used up its monthly tokens',
        'The webhook at hooks.example.com was disabled',
        'Key “reporting” has expired',
      ].map((words) => [
        words,
        words.includes('webhook') ? `/dashboard/webhooks/${WEBHOOK_ID}` : `/dashboard/keys/${KEY.key_id}`,
      ]),
    );
    await rowOf(page, '83%').getByText('8,349 of 10,000 requests in July 2026.').waitFor();
    // Times are local: Berlin is two hours ahead of UTC in July.
    await rowOf(page, 'expires soon').getByText('Jul 5, 2026, 12:00').waitFor();
  });

  test('the first request to a model without a price creates a notification that leads to the prices', async () => {
    await dashboard.gateway.admin('POST', '/admin/cache/purge');
    const key = await dashboard.gateway.createKey({ name: 'first use' });
    expect((await dashboard.gateway.chat(key, { model: UNPRICED })).status).toBe(200);
    const found = async () => (await dashboard.gateway.admin('GET', '/admin/notifications')).body['total'] === 1;
    await until(found, WRITTEN_MS_MAX);
    const page = await dashboard.signedIn('viewer', { path: '/notifications' });
    const row = rowOf(page, `Model “${UNPRICED}” has no price`);
    await row.getByText('Requests to it at the upstream “default” have no known cost. Set a price.').waitFor();
    await row.getByRole('link').click();
    await page.getByRole('region', { name: 'Models without a price' }).getByText(UNPRICED).waitFor();
  });

  test('the page shows a notification that the daily job created', async () => {
    await dashboard.gateway.createKey({ name: 'found by the job', expires_at: '2020-01-01' });
    await dashboard.gateway.admin('POST', '/admin/jobs/daily/run');
    const found = async () => (await dashboard.gateway.admin('GET', '/admin/notifications')).body['total'] === 1;
    await until(found, WRITTEN_MS_MAX);
    const page = await dashboard.signedIn('viewer', { path: '/notifications' });
    await rowOf(page, 'Key “found by the job” has expired').waitFor();
  });

  test('a viewer can mark a notification as read without affecting other operators', async () => {
    const session = await OperatorSession.of(dashboard.gateway, 'viewer');
    const other = await OperatorSession.of(dashboard.gateway, 'viewer');
    await ring(expired('first'), expired('second'));
    const page = await dashboard.as(session, { path: '/notifications' });
    await page.getByRole('button', { name: 'Mark as read: Key “first” has expired' }).click();
    await rowOf(page, 'first').getByRole('button').waitFor({ state: 'detached' });
    expect(await rowOf(page, 'second').getByRole('button').count()).toBe(1);
    expect([await unreadOf(session), await unreadOf(other)]).toEqual([1, 2]);
  });

  test('opening the object of a notification marks the notification as read', async () => {
    const session = await OperatorSession.of(dashboard.gateway, 'viewer');
    const { id } = await dashboard.gateway.createKey({ name: 'opened' });
    await ring(['key_expired', { key_id: id, key_name: 'opened', expires_at: '2026-07-05T00:00:00.000Z' }]);
    const page = await dashboard.as(session, { path: '/notifications' });
    const marked = page.waitForResponse((response) => response.url().endsWith('/read'));
    await page.getByRole('link', { name: 'Key “opened” has expired' }).click();
    await marked;
    await page.getByRole('heading', { level: 1, name: 'opened' }).waitFor();
    expect(await unreadOf(session)).toBe(0);
  });

  test('unread notifications have their own URL and can be marked as read together', async () => {
    const session = await OperatorSession.of(dashboard.gateway, 'viewer');
    await ring(expired('one'), expired('two'), expired('three'));
    const page = await dashboard.as(session, { path: '/notifications' });
    await page.getByRole('button', { name: 'Mark as read: Key “two” has expired' }).click();
    await page.getByText('Unread (2)').click();
    await page.getByText('2 in total').waitFor();
    expect(new URL(page.url()).search).toBe('?show=unread');
    expect(await rowOf(page, 'two').count()).toBe(0);
    await page.reload();
    await page.getByText('2 in total').waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('No unread notifications').waitFor();
    expect(await unreadOf(session)).toBe(0);
    expect(await page.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0);
  });

  test('notifications are paginated', async () => {
    await ring(...Array.from({ length: 51 }, (_, n) => expired(`key ${n}`)));
    const page = await dashboard.signedIn('viewer', { path: '/notifications?page=2' });
    await rowOf(page, 'key 50').waitFor();
    expect(await rows(page).count()).toBe(2);
  });
});

test(
  'the notifications page is accessible and fits on a phone screen',
  async () => {
    const page = await dashboard.signedIn('viewer', { path: '/notifications', viewport: PHONE });
    await page.getByText('No notifications').waitFor();
    await expectAccessible(page);
    await ring(expired('a key with a long name that goes on and on'), [
      'key_quota_warning',
      { ...USED, limit: 10, used: 8, percent: 80 },
    ]);
    await page.reload();
    await rowOf(page, '80%').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'notifications-phone');
  },
  AXE_MS_MAX,
);
