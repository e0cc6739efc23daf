import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { Receiver, status } from '../support/webhook-receiver.js';
import type { DeliveryPage, WebhookRow } from '../support/webhook-gateway.js';
import { expectAccessible } from './axe.js';
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

/** Axe reads every node of a page, twice. */
const AXE_MS_MAX = 120_000;

const admin = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  dashboard.gateway.admin<T>(method, `/admin/webhooks${path}`, body);
const query = (sql: string, parameters: unknown[]) => dashboard.gateway.app.get(DataSource).query(sql, parameters);
/** One that wants nothing that the tests do, at a path of its own. */
async function made(path: string, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { url: receiver.url + path, events: ['key_rotated'], ...fields };
  return (await admin<WebhookRow>('POST', '', body)).body.id;
}
const deliveries = async (id: string) => (await admin<DeliveryPage>('GET', `/${id}/deliveries`)).body.deliveries;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const rows = (page: Page) => page.getByRole('region', { name: 'Deliveries' }).getByRole('row');
const badge = (page: Page, text: string) => rows(page).getByText(text, { exact: true });

/** As the queue leaves it once nothing is tried any more. */
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

describe('a test event', () => {
  test('appears among the deliveries and becomes delivered before one’s eyes', async () => {
    const id = await made('/good');
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}?tab=settings&status=failed` });
    await button(page, 'Send test event').click();
    await badge(page, 'delivered').waitFor();
    await page.getByText('Delivered: the receiver responded with 204.').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(receiver.at('/good').map(({ body }) => body.type)).toEqual(['webhook_test']);
  });

  test('that fails is told with the answer, and can be sent again once the receiver is mended', async () => {
    receiver.on('/mended', status(500, 'the receiver has no room'));
    const id = await made('/mended');
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}` });
    await button(page, 'Send test event').click();
    await page.getByText('Attempt failed: the receiver responded with 500.').waitFor();
    await badge(page, 'pending').waitFor();
    await rows(page).getByText('the receiver has no room').waitFor();
    await button(page, /^Details of Test/).click();
    const [delivery] = await deliveries(id);
    await page.getByRole('dialog').getByText(delivery!.event_id).waitFor();
    await page.keyboard.press('Escape');
    receiver.on('/mended', status(204));
    await button(page, /^Retry: Test/).click();
    await badge(page, 'delivered').waitFor();
    expect(await button(page, /^Retry/).count()).toBe(0);
  });

  test('at an address where nobody listens says why', async () => {
    const gone = await Receiver.start();
    const { url } = gone;
    await gone.stop();
    const { id } = (await admin<WebhookRow>('POST', '', { url, events: ['key_rotated'] })).body;
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}` });
    await button(page, 'Send test event').click();
    await page.getByText('Attempt failed: no response: the connection was refused.').waitFor();
  });
});

describe('deliveries that have failed', () => {
  test('are counted at their filter, which is in the address, and go page by page', async () => {
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

  test('are sent again one by one', async () => {
    const id = await made('/again');
    await insertFailed(id, 1);
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}?status=failed` });
    await button(page, /^Retry: Key revoked/).click();
    await page.getByText('No failed deliveries').waitFor();
    await page.getByRole('radiogroup').getByText('All', { exact: true }).click();
    await badge(page, 'delivered').waitFor();
    expect(receiver.at('/again')).toHaveLength(1);
  });

  test('for three days switch the webhook off: the page says so and how to go on', async () => {
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
  'can be read by everybody, on a phone too',
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
