import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.js';
import { isSigned, Receiver } from '../support/webhook-receiver.js';
import type { WebhookRow } from '../support/webhook-gateway.js';
import { OPERATOR_PASSWORD, OperatorSession } from '../support/operator-session.js';
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

/** Timeout of a delivery. It is generous because other work can share the machine. */
const SENT_MS_MAX = 30_000;

const admin = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  dashboard.gateway.admin<T>(method, `/admin/webhooks${path}`, body);
const made = async (fields: Record<string, unknown> = {}): Promise<WebhookRow> =>
  (await admin<WebhookRow>('POST', '', { url: `${receiver.url}/hook`, events: ['*'], ...fields })).body;
const webhook = async (id: string): Promise<WebhookRow> => (await admin<WebhookRow>('GET', `/${id}`)).body;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const urlOn = (page: Page) => page.getByRole('textbox', { name: 'URL' });
const host = () => `127.0.0.1:${receiver.port}`;

beforeEach(async () => {
  const { webhooks } = (await admin<{ webhooks: WebhookRow[] }>('GET', '')).body;
  for (const { id } of webhooks) await admin('DELETE', `/${id}`);
});

describe('webhook creation', () => {
  test('a webhook gets only the selected events, signed with a secret that is shown once', async () => {
    const page = await dashboard.signedIn('admin', { path: '/webhooks' });
    await page.getByText('No webhooks').waitFor();
    await button(page, 'Create webhook').click();
    await urlOn(page).fill(` ${receiver.url}/made `);
    await page.getByRole('radio', { name: 'Selected events' }).click();
    await page.getByRole('checkbox', { name: 'Key created' }).click();
    await page.getByRole('checkbox', { name: 'Key revoked' }).click();
    await button(page, 'Create').dblclick();
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    await screenshot(page, 'webhook-secret');
    expect(await button(page, 'Done').isDisabled()).toBe(true);
    await button(page, 'Copy secret').click();
    await button(page, 'Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await button(page, 'Done').click();
    await page.getByRole('link', { name: `${receiver.url}/made` }).waitFor();
    await page.getByText('1 in total').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.content()).not.toContain(secret);

    const { id } = await dashboard.gateway.createKey({ name: 'reported' });
    await dashboard.gateway.admin('POST', `/admin/api-keys/${id}/suspend`);
    await dashboard.gateway.admin('POST', `/admin/api-keys/${id}/revoke`);
    await until(() => receiver.at('/made').length === 2, SENT_MS_MAX);
    expect(
      receiver
        .at('/made')
        .map(({ body }) => body.type)
        .sort(),
    ).toEqual(['key_provisioned', 'key_revoked']);
    expect(receiver.at('/made').every((message) => isSigned(message, secret))).toBe(true);
  });

  test('a webhook can get only the first use of models without a price', async () => {
    const page = await dashboard.signedIn('admin', { path: '/webhooks?new=1' });
    await urlOn(page).fill(`${receiver.url}/unpriced`);
    await page.getByRole('radio', { name: 'Selected events' }).click();
    await page.getByText('A model without a price was used. Sent once per model and upstream.').waitFor();
    await page.getByRole('checkbox', { name: 'Model without a price' }).click();
    await button(page, 'Create').click();
    await button(page, 'Copy secret').click();
    await button(page, 'Done').click();
    await page
      .getByRole('row')
      .filter({ hasText: `${receiver.url}/unpriced` })
      .getByText('Model without a price')
      .waitFor();

    await dashboard.gateway.admin('POST', '/admin/cache/purge');
    const key = await dashboard.gateway.createKey({ name: 'first use' });
    await dashboard.gateway.chat(key, { model: 'acme-custom-1' });
    await until(() => receiver.at('/unpriced').length === 1, SENT_MS_MAX);
    expect(receiver.at('/unpriced')[0]!.body).toMatchObject({
      type: 'model_unpriced',
      data: { model: 'acme-custom-1', provider: 'default' },
    });
  });

  test('invalid values are reported at their fields, and the input is kept', async () => {
    const expects = [/^400 POST \/admin\/webhooks$/];
    const page = await dashboard.signedIn('admin', { path: '/webhooks?new=1', expects });
    await button(page, 'Create').click();
    await page.getByText('Enter the URL of your receiver.').waitFor();
    await urlOn(page).fill('example.com/hook');
    await page.getByRole('radio', { name: 'Selected events' }).click();
    await button(page, 'Create').click();
    await page.getByText('Enter a complete URL').waitFor();
    await page.getByText('Choose at least one event.').waitFor();
    await page.getByRole('radio', { name: 'All events' }).click();
    await urlOn(page).fill('https://name:password@example.com/hook');
    await button(page, 'Create').click();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    expect(await urlOn(page).inputValue()).toBe('https://name:password@example.com/hook');
    expect((await admin('GET', '')).body['total']).toBe(0);
  });

  test('the form has its own URL, and the back button closes it', async () => {
    const page = await dashboard.signedIn('admin', { path: '/webhooks' });
    await button(page, 'Create webhook').click();
    await urlOn(page).waitFor();
    expect(new URL(page.url()).search).toBe('?new=1');
    await page.goBack();
    await urlOn(page).waitFor({ state: 'detached' });
  });

  test('a new webhook can be saved after signing in again', async () => {
    const session = await OperatorSession.of(dashboard.gateway, 'admin');
    const expects = [/^401 (GET|POST) \/(admin|dashboard)\//];
    const page = await dashboard.as(session, { path: '/webhooks?new=1', expects });
    await urlOn(page).fill(`${receiver.url}/after`);
    await session.call('DELETE', '/dashboard/session');
    await button(page, 'Create').click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(OPERATOR_PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await urlOn(page).inputValue()).toBe(`${receiver.url}/after`);
    await button(page, 'Create').click();
    await page.getByRole('textbox', { name: 'Secret' }).waitFor();
  });
});

describe('webhook settings', () => {
  test('saving sends only changed settings and keeps concurrent changes', async () => {
    const { id } = await made({ events: ['key_revoked'] });
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}?tab=settings` });
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Key expired' }).click();
    await admin('PATCH', `/${id}`, { url: `${receiver.url}/moved` });
    await button(page, 'Save').click();
    await page.getByText('Webhook saved.').waitFor();
    const { url, events } = await webhook(id);
    expect({ url, events: [...events].sort() }).toEqual({
      url: `${receiver.url}/moved`,
      events: ['key_expired', 'key_revoked'],
    });
    await page.getByRole('heading', { level: 1, name: `${host()}/moved` }).waitFor();
    expect(await urlOn(page).inputValue()).toBe(`${receiver.url}/moved`);
    expect(await button(page, 'Save').isDisabled()).toBe(true);
  });

  test('leaving unsaved settings needs a confirmation', async () => {
    const { id, url } = await made();
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}?tab=settings` });
    await urlOn(page).fill(`${url}/other`);
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    expect(await urlOn(page).inputValue()).toBe(`${url}/other`);
    await button(page, 'Undo changes').click();
    expect(await urlOn(page).inputValue()).toBe(url);
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  });

  test('a webhook can be disabled after a confirmation and enabled again', async () => {
    const { id } = await made();
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}` });
    await button(page, 'Disable').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Webhook disabled.').waitFor();
    expect((await webhook(id)).enabled).toBe(false);
    await button(page, 'Enable').click();
    await page.getByText('Webhook enabled.').waitFor();
    expect((await webhook(id)).enabled).toBe(true);
  });

  test('deleting a webhook requires typing its host', async () => {
    const { id } = await made();
    const page = await dashboard.signedIn('admin', { path: `/webhooks/${id}?tab=settings` });
    await urlOn(page).fill('https://example.com/unsaved');
    await button(page, 'Delete').click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('textbox').fill(host());
    await confirm.click();
    await page.waitForURL('**/dashboard/webhooks');
    await page.getByText('No webhooks').waitFor();
    expect((await admin('GET', `/${id}`)).status).toBe(404);
  });

  test('an unknown webhook ID shows a message', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const page = await dashboard.signedIn('viewer', { path: `/webhooks/${id}`, expects: [/^404 GET/] });
    await page.getByText('Webhook not found').waitFor();
  });
});

describe('webhooks for viewers', () => {
  test('a viewer sees webhooks and the verification guide but cannot change anything', async () => {
    const { id } = await made({ events: ['key_revoked'], enabled: false });
    const page = await dashboard.signedIn('viewer', { path: '/webhooks?new=1' });
    await page.getByRole('row').filter({ hasText: 'Key revoked' }).getByText('Disabled').waitFor();
    expect(await button(page, 'Create webhook').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('link', { name: `${receiver.url}/…` }).click();
    await page.waitForURL(`**/webhooks/${id}`);
    await page.getByRole('heading', { level: 1, name: `${host()}/…` }).waitFor();
    for (const name of ['Send test event', 'Enable', 'Delete', 'Save'])
      expect(await button(page, name).count()).toBe(0);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('Key revoked').waitFor();
    await page.getByRole('tab', { name: 'Verification' }).click();
    await page.getByText('npm install standardwebhooks').waitFor();
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('from standardwebhooks.webhooks import Webhook').waitFor();
  });
});

test(
  'the webhook pages and the form are accessible and fit on a phone screen',
  async () => {
    const list = await dashboard.signedIn('admin', { path: '/webhooks' });
    await list.getByText('No webhooks').waitFor();
    await expectAccessible(list);
    const { id } = await made({ events: ['key_revoked'] });
    const page = await dashboard.signedIn('admin', { path: '/webhooks', viewport: PHONE });
    await page.getByRole('link', { name: `${receiver.url}/hook` }).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await button(page, 'Create webhook').click();
    await page.getByRole('radio', { name: 'Selected events' }).click();
    await button(page, 'Create').click();
    await expectAccessible(page);
    for (const tab of ['settings', 'verify']) {
      await page.goto(`${dashboard.gateway.url}/dashboard/webhooks/${id}?tab=${tab}`);
      await page.getByRole('heading', { level: 1, name: `${host()}/hook` }).waitFor();
      expect(await isWiderThanScreen(page)).toBe(false);
      await expectAccessible(page);
      await screenshot(page, `webhook-${tab}-phone`);
    }
  },
  AXE_MS_MAX,
);
