import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import type { Key } from '../support/gateway.js';
import { screenshot, startDashboard, type Dashboard } from './browser.js';

const MODEL = 'gpt-4o-mini';
const CUSTOM = 'acme-custom-1';

let dashboard: Dashboard;
let key: Key;
beforeAll(async () => {
  dashboard = await startDashboard();
  key = await dashboard.gateway.createKey();
});
afterAll(() => dashboard?.stop());
beforeEach(async () => {
  dashboard.gateway.upstream.reset();
  await dashboard.gateway.app.get(DataSource).query('truncate model_probes; delete from model_policies');
  await dashboard.gateway.admin('POST', '/admin/cache/purge');
});

const open = (search: string, opening = {}) =>
  dashboard.signedIn('admin', { path: `/models?search=${encodeURIComponent(search)}`, ...opening });
const statusOf = async (model: string) => (await dashboard.gateway.chat(key, { model })).status;
const policyOf = async (model: string) =>
  (await dashboard.gateway.admin('GET', `/admin/model-allowlist/${encodeURIComponent(model)}`)).body;
const menuOf = (page: Page, model: string) => page.getByRole('button', { name: `Actions for ${model}`, exact: true });
const rowOf = (page: Page, model: string) => page.getByRole('row').filter({ has: menuOf(page, model) });
async function act(page: Page, model: string, action: string) {
  await menuOf(page, model).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
  return page.getByRole('dialog');
}
const upstreamResponds = (method: string, path: string, status: number, body: object = {}) =>
  dashboard.gateway.upstream.on(method, path, (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });

describe('model policy', () => {
  test('a policy can block a model, allow it and be removed', async () => {
    const page = await open(MODEL);
    const block = await act(page, MODEL, 'Block');
    await block.getByText('403 model_not_available').waitFor();
    await block.getByLabel('Note').fill('Too dear for tests');
    expect(await statusOf(MODEL)).toBe(200);
    await block.getByRole('button', { name: 'Block' }).click();
    await rowOf(page, MODEL).getByText('blocked').waitFor();
    await rowOf(page, MODEL).getByText('Too dear for tests').waitFor();
    expect(await statusOf(MODEL)).toBe(403);

    const allow = await act(page, MODEL, 'Allow');
    expect(await allow.getByLabel('Note').inputValue()).toBe('Too dear for tests');
    await allow.getByLabel('Note').fill('');
    await allow.getByRole('button', { name: 'Allow' }).click();
    await rowOf(page, MODEL).getByText('allowed').waitFor();
    expect(await policyOf(MODEL)).toMatchObject({ enabled: true, note: null });
    expect(await statusOf(MODEL)).toBe(200);

    const remove = await act(page, MODEL, 'Remove policy');
    await remove.getByText(/Registry and catalog status apply again, as for any other model\.$/).waitFor();
    await remove.getByRole('button', { name: 'Remove' }).click();
    await page.getByText(`${MODEL} no longer has a policy.`).waitFor();
    await rowOf(page, MODEL).getByText('none').waitFor();
    expect(await policyOf(MODEL)).toMatchObject({ error: { code: 'not_found' } });
  });

  test('a changed note does not change the policy', async () => {
    await dashboard.gateway.admin('POST', '/admin/model-allowlist', { model: MODEL, enabled: false, note: 'old' });
    const page = await open(MODEL);
    const dialog = await act(page, MODEL, 'Edit note');
    await dialog.getByText('The model stays blocked.').waitFor();
    await dialog.getByLabel('Note').fill('new');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, MODEL).getByText('new').waitFor();
    expect(await policyOf(MODEL)).toMatchObject({ enabled: false, note: 'new' });
  });

  test('a policy that cannot be saved shows the error and keeps the input', async () => {
    const page = await open(MODEL, { expects: [/^503 POST \/admin\/model-allowlist$/] });
    const dialog = await act(page, MODEL, 'Block');
    await dialog.getByLabel('Note').fill('a long reason');
    const envelope = { error: { code: 'service_unavailable', message: 'Try again.', request_id: 'x', param: null } };
    await page.route('**/admin/model-allowlist', (route) => route.fulfill({ status: 503, json: envelope }));
    await dialog.getByRole('button', { name: 'Block' }).click();
    await dialog.getByRole('alert').getByText('Try again.').waitFor();
    await page.unroute('**/admin/model-allowlist');
    expect(await dialog.getByLabel('Note').inputValue()).toBe('a long reason');
    await dialog.getByRole('button', { name: 'Block' }).click();
    await rowOf(page, MODEL).getByText('a long reason').waitFor();
  });

  test('an unlisted model with slashes in its ID can be blocked', async () => {
    const page = await dashboard.signedIn('admin', { path: '/models' });
    await page.getByRole('button', { name: 'Block model by ID' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block model by ID' });
    expect(await dialog.getByRole('button', { name: 'Block', exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('Model ID').fill(' acme/future:1 ');
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await rowOf(page, 'acme/future:1').getByText('policy only').waitFor();
    expect(await policyOf('acme/future:1')).toMatchObject({ enabled: false, note: null });
    const remove = await act(page, 'acme/future:1', 'Remove policy');
    await remove.getByText('The model disappears from this list').waitFor();
    await remove.getByRole('button', { name: 'Remove' }).click();
    await menuOf(page, 'acme/future:1').waitFor({ state: 'detached' });
  });
});

describe('model probe', () => {
  test('a probe makes a model callable or unavailable, depending on the provider’s response', async () => {
    const page = await open(CUSTOM);
    await rowOf(page, CUSTOM).getByText('unclassified').waitFor();
    const dialog = await act(page, CUSTOM, 'Probe');
    await dialog.getByRole('button', { name: 'Probe' }).click();
    await dialog.getByRole('status').getByText('The probe was conclusive.').waitFor();
    await dialog.getByRole('status').getByText('callable').waitFor();
    upstreamResponds('POST', '/v1/chat/completions', 404);
    await dialog.getByRole('button', { name: 'Probe again' }).click();
    await dialog.getByRole('status').getByText('listed, unavailable').waitFor();
    await screenshot(page, 'models-probe');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await rowOf(page, CUSTOM).getByText('listed, unavailable').waitFor();
    expect(await statusOf(CUSTOM)).toBe(403);
  });

  test('an inconclusive probe does not change the availability', async () => {
    upstreamResponds('POST', '/v1/chat/completions', 500);
    const page = await open(CUSTOM);
    const dialog = await act(page, CUSTOM, 'Probe');
    await dialog.getByRole('button', { name: 'Probe' }).click();
    await dialog.getByText('The probe was inconclusive').waitFor();
    await dialog.getByRole('status').getByText('unclassified').waitFor();
    await dialog.getByText('Last conclusive probe: never').waitFor();
  });
});

describe('catalog refresh', () => {
  test('a refresh adds the provider’s new models', async () => {
    const page = await open('brand-new');
    await page.getByRole('heading', { name: 'No matching models' }).waitFor();
    upstreamResponds('GET', '/v1/models', 200, {
      object: 'list',
      data: [{ id: 'brand-new', object: 'model', created: 1, owned_by: 'acme' }],
    });
    await page.getByRole('button', { name: 'Refresh catalog' }).click();
    await page.getByText('Model catalog refreshed.').waitFor();
    await menuOf(page, 'brand-new').waitFor();
  });

  test('a failed refresh shows a warning until a refresh succeeds', async () => {
    upstreamResponds('GET', '/v1/models', 500);
    const page = await open(MODEL);
    await page.getByRole('button', { name: 'Refresh catalog' }).click();
    const warning = page.getByRole('alert').filter({ hasText: 'The model catalog could not be refreshed' });
    await warning.waitFor();
    await menuOf(page, MODEL).waitFor();
    dashboard.gateway.upstream.reset();
    await page.getByRole('button', { name: 'Refresh catalog' }).click();
    await warning.waitFor({ state: 'detached' });
  });
});
