import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { Receiver, status } from '../support/webhook-receiver.js';
import type { DeliveryPage, WebhookRow } from '../support/webhook-gateway.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
let receiver: Receiver;
beforeAll(async () => {
  [dashboard, receiver] = await Promise.all([startDashboard({ GW_WEBHOOK_ALLOW_PRIVATE: 'true' }), Receiver.start()]);
});
afterAll(async () => {
  await dashboard.stop();
  await receiver.stop();
});

const admin = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  dashboard.gateway.admin<T>(method, `/admin/webhooks${path}`, body);
const query = (sql: string, parameters: unknown[]) => dashboard.gateway.app.get(DataSource).query(sql, parameters);
/** Creates a webhook that gets no event of these tests, at a separate path of the receiver. */
async function made(path: string, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { url: receiver.url + path, events: ['key_rotated'], ...fields };
  return (await admin<WebhookRow>('POST', '', body)).body.id;
}
const deliveries = async (id: string) => (await admin<DeliveryPage>('GET', `/${id}/deliveries`)).body.deliveries;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const rows = (page: Page) => page.getByRole('region', { name: 'Deliveries' }).getByRole('row');
const badge = (page: Page, text: string) => rows(page).getByText(text, { exact: true });

/** Inserts failed deliveries as the delivery queue leaves them after the last attempt. */
async function insertFailed(webhookId: string, count: number): Promise<void> {
  await query(
    `with e as (
       insert into events (id, type, created_at, data)
       select gen_random_uuid(), 'key_revoked', now() - n * interval '1 minute', '{}' from generate_series(1, $2::int) n
       returning id, created_at)
     insert into webhook_deliveries
       (id, webhook_id, event_id, status, by_hand, attempts, response_status, response_excerpt, next_attempt_at, created_at)
     select gen_random_uuid(), $1, id, 'failed', false, 12, 503, 'out of order', null, created_at from e`,
    [webhookId, count],
  );
}

describe('test events', () => {
  test('a test event appears in the deliveries and its status is updated', async () => {
    const id = await made('/good');
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}?tab=settings&status=failed` });
    await button(page, 'Send test event').click();
    await badge(page, 'delivered').waitFor();
    await page.getByText('Delivered: the receiver responded with 204.').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(receiver.at('/good').map(({ body }) => body.type)).toEqual(['webhook_test']);
  });

  test('a failed test event shows the receiver’s response and can be retried', async () => {
    receiver.on('/fixed', status(500, 'the receiver has no room'));
    const id = await made('/fixed');
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}` });
    await button(page, 'Send test event').click();
    await page.getByText('Attempt failed: the receiver responded with 500.').waitFor();
    await badge(page, 'pending').waitFor();
    await rows(page).getByText('the receiver has no room').waitFor();
    await button(page, /^Details of Test/).click();
    const [delivery] = await deliveries(id);
    await page.getByRole('dialog').getByText(delivery!.event_id).waitFor();
    await page.keyboard.press('Escape');
    receiver.on('/fixed', status(204));
    await button(page, /^Retry: Test/).click();
    await badge(page, 'delivered').waitFor();
    expect(await button(page, /^Retry/).count()).toBe(0);
  });

  test('a test event to a closed port shows that the connection was refused', async () => {
    const stopped = await Receiver.start();
    const { url } = stopped;
    await stopped.stop();
    const { id } = (await admin<WebhookRow>('POST', '', { url, events: ['key_rotated'] })).body;
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}` });
    await button(page, 'Send test event').click();
    await page.getByText('Attempt failed: no response: the connection was refused.').waitFor();
  });
});

describe('failed deliveries', () => {
  test('failed deliveries are counted, filtered in the URL and paginated', async () => {
    const id = await made('/many');
    await insertFailed(id, 51);
    const page = await dashboard.signedIn('viewer', { path: `/webhooks/${id}` });
    await page.getByText('Failed (51)').click();
    await page.getByText('51 in total').waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed');
    await page.getByRole('button', { name: '2', exact: true }).click();
    await page.waitForURL('**?status=failed&page=2');
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    await page.reload();
    await badge(page, 'failed').waitFor();
    expect(await rows(page).count()).toBe(2);
    await page.getByText('Delivered', { exact: true }).click();
    await page.getByText('No delivered deliveries').waitFor();
    expect(await button(page, /^Retry/).count()).toBe(0);
  });

  test('a viewer sees the status of a response without its text', async () => {
    const id = await made('/hidden');
    await insertFailed(id, 1);
    const page = await dashboard.signedIn('viewer', { path: `/webhooks/${id}` });
    await rows(page).getByText('503').waitFor();
    await button(page, /^Details of Key revoked/).click();
    await page.getByRole('dialog').getByText('Only admins can see this text').waitFor();
    expect(await page.getByText('out of order').count()).toBe(0);
  });

  test('a failed delivery can be retried', async () => {
    const id = await made('/again');
    await insertFailed(id, 1);
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}?status=failed` });
    await button(page, /^Retry: Key revoked/).click();
    await page.getByText('No failed deliveries').waitFor();
    await page.getByRole('radiogroup').getByText('All', { exact: true }).click();
    await badge(page, 'delivered').waitFor();
    expect(receiver.at('/again')).toHaveLength(1);
  });

  test('a webhook that was disabled after failures is marked and can be enabled', async () => {
    const id = await made('/off');
    await query(`update webhooks set enabled = false, disabled_reason = 'failing' where id = $1`, [id]);
    const page = await dashboard.signedIn('admin', { path: '/webhooks' });
    await page.getByText('Disabled: failing').waitFor();
    await page.getByRole('link', { name: `${receiver.url}/off` }).click();
    await page.getByText('The gateway disabled this webhook').waitFor();
    await button(page, 'Enable').click();
    await page.getByText('The gateway disabled this webhook').waitFor({ state: 'detached' });
    expect((await admin('GET', `/${id}`)).body).toMatchObject({ enabled: true, disabled_reason: null });
  });
});

test(
  'the deliveries page is accessible and fits on a phone screen',
  async () => {
    const id = await made('/read');
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}`, viewport: PHONE });
    await page.getByText('No deliveries yet').waitFor();
    await expectAccessible(page);
    await insertFailed(id, 2);
    await admin('POST', `/${id}/test`);
    await page.reload();
    await badge(page, 'failed').first().waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'deliveries-phone');
    await query(`update webhooks set enabled = false, disabled_reason = 'failing' where id = $1`, [id]);
    await page.reload();
    await page.getByText('The gateway disabled this webhook').waitFor();
    await button(page, /^Details of Key revoked/)
      .first()
      .click();
    await page.getByRole('dialog').getByText('out of order').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'delivery-details');
  },
  AXE_MS_MAX,
);
