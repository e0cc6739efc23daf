import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { until } from '../support/until.js';
import type { Key } from '../support/gateway.js';
import type { OperatorSession } from '../support/operator-session.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

const STEP_MS_MAX = 30_000;
const TWO_LINES_PX = 50;
/** A row with the time, and with the details link below it, has this height. */
const PHONE_ROW_PX = 80;

let dashboard: Dashboard;
let admin: OperatorSession;
let key: Key;
beforeAll(async () => {
  dashboard = await startDashboard();
  admin = await dashboard.operator('admin');
  for (const role of ['owner', 'viewer'] as const) await dashboard.operator(role);
});
afterAll(() => dashboard?.stop());
beforeEach(async () => {
  key = await dashboard.gateway.createKey({ name: 'billing' });
  await dashboard.gateway.app.get(DataSource).query('truncate audit_logs; delete from model_policies');
});

const open = (path = '/audit', opening = {}) => dashboard.signedIn('viewer', { path, ...opening });
const addressOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const field = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const column = (page: Page, index: number) => page.locator(`tbody tr td:nth-child(${index})`).allInnerTexts();
/** Waits until the rows show these actions, in this order. */
async function has(page: Page, ...actions: string[]): Promise<void> {
  await until(async () => (await column(page, 2)).join() === actions.join(), STEP_MS_MAX);
}
async function choose(page: Page, name: string, option: string): Promise<void> {
  await field(page, name).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
/** Creates four entries: two about a key (operator, admin key), then two about a model. */
async function change(): Promise<void> {
  await admin.call('PATCH', `/admin/api-keys/${key.id}`, { rpm_limit: 600, name: 'billing 2', monthly_limit: 5000 });
  await dashboard.gateway.admin('POST', `/admin/api-keys/${key.id}/suspend`);
  await admin.call('POST', '/admin/model-allowlist', { model: 'gpt-4o', enabled: false, note: 'too dear' });
  await admin.call('DELETE', '/admin/model-allowlist/gpt-4o');
}
const CHANGES = ['Model policy removed', 'Model blocked', 'Key suspended', 'Key changed'];

describe('audit log', () => {
  test('an entry shows action, actor, target, and old and new values in words', async () => {
    await change();
    const page = await dashboard.signedIn('owner', { path: '/audit' });
    await has(page, ...CHANGES);
    await until(async () => (await column(page, 3)).join() === 'admin,admin,Admin key,admin', STEP_MS_MAX);
    await until(async () => (await column(page, 4)).join() === 'gpt-4o,gpt-4o,billing 2,billing 2', STEP_MS_MAX);
    const [removed, blocked, suspended, changed] = await column(page, 5);
    expect(changed!.split('\n')).toEqual(
      expect.arrayContaining([
        'Name: billing → billing 2',
        'Requests per minute: 1,000,000 → 600',
        'Requests per month: unlimited → 5,000',
      ]),
    );
    expect(suspended).toBe('Status: active → suspended');
    expect(blocked!.split('\n')).toEqual(expect.arrayContaining(['Policy: none → blocked', 'Note: none → too dear']));
    expect(removed!.split('\n')).toEqual(expect.arrayContaining(['Policy: blocked', 'Note: too dear']));
    await screenshot(page, 'audit');
    await page.getByRole('link', { name: 'billing 2' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'billing 2' }).waitFor();
  });

  test('only owners see the names of operators, viewers see shortened IDs', async () => {
    await change();
    const page = await open();
    await has(page, ...CHANGES);
    expect((await column(page, 3))[0]).toBe(`Operator ${admin.operator.id.slice(0, 8)}`);
    const mine = await dashboard.as(admin, { path: '/audit' });
    await has(mine, ...CHANGES);
    expect((await column(mine, 3))[0]).toBe('You');
  });

  test('actions of the command line and of the gateway have different actors', async () => {
    await dashboard.gateway.admin('POST', `/admin/api-keys/${key.id}/suspend`);
    await dashboard.gateway.admin('POST', `/admin/api-keys/${key.id}/unsuspend`);
    const asSystem = `update audit_logs set actor_type = 'system', metadata = metadata || $1 where action = $2`;
    const database = dashboard.gateway.app.get(DataSource);
    await database.query(asSystem, [{ via: 'cli' }, 'api_key.suspended']);
    await database.query(asSystem, [{}, 'api_key.unsuspended']);
    const page = await open();
    await has(page, 'Key unsuspended', 'Key suspended');
    expect(await column(page, 3)).toEqual(['Gateway', 'Command line']);
  });

  test('all columns fit on a desktop screen with long names', async () => {
    const database = dashboard.gateway.app.get(DataSource);
    await change();
    await database.query('update operators set name = $1 where id = $2', ['n'.repeat(65), admin.operator.id]);
    await database.query('update api_keys set name = $1 where id = $2', ['k'.repeat(255), key.id]);
    const page = await dashboard.signedIn('owner', { path: '/audit' });
    await has(page, ...CHANGES);
    await until(async () => (await column(page, 3))[0] === 'n'.repeat(65), STEP_MS_MAX);
    await database.query('update operators set name = $1 where id = $2', ['admin', admin.operator.id]);
    const table = page.getByRole('region', { name: 'Audit log' });
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect((await page.getByTitle('k'.repeat(255)).first().boundingBox())!.height).toBeLessThan(TWO_LINES_PX);
    await screenshot(page, 'audit-long');
  });

  test('filters are kept in the URL across reload and back', async () => {
    await change();
    const page = await open();
    await has(page, ...CHANGES);
    await choose(page, 'Actor', 'Operators');
    await has(page, CHANGES[0]!, CHANGES[1]!, CHANGES[3]!);
    await page.getByLabel('Target').fill(key.id.toUpperCase());
    await page.keyboard.press('Enter');
    await has(page, 'Key changed');
    await choose(page, 'Action', 'Key changed');
    await choose(page, 'Time', 'Last hour');
    await page.waitForURL(/since=/);
    expect(addressOf(page)).toEqual({
      actor_type: 'operator',
      target_id: key.id.toUpperCase(),
      action: 'api_key.updated',
      since: expect.stringMatching(/Z$/),
    });
    await page.reload();
    await has(page, 'Key changed');
    expect(await page.getByLabel('Target').inputValue()).toBe(key.id.toUpperCase());
    for (let n = 0; n < 3; n++) await page.goBack();
    await has(page, CHANGES[0]!, CHANGES[1]!, CHANGES[3]!);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await has(page, ...CHANGES);
    expect(addressOf(page)).toEqual({});
  });

  test('the action filter offers 41 options', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No entries yet' }).waitFor();
    await field(page, 'Action').click();
    expect(await page.getByRole('option').count()).toBe(41);
  });

  test('filters without matches show a message and can be cleared', async () => {
    await change();
    const page = await open('/audit?target_id=nobody');
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await has(page, ...CHANGES);
  });

  test('the second page repeats no entry although new entries arrived', async () => {
    for (let n = 0; n < 27; n++) {
      await dashboard.gateway.admin('POST', `/admin/api-keys/${key.id}/suspend`);
      await dashboard.gateway.admin('POST', `/admin/api-keys/${key.id}/unsuspend`);
    }
    const page = await open();
    await until(async () => (await column(page, 2)).length === 50, STEP_MS_MAX);
    await change();
    await page.getByRole('button', { name: 'next page' }).click();
    await has(page, 'Key unsuspended', 'Key suspended', 'Key unsuspended', 'Key suspended');
  });

  test('the list can be exported as CSV', async () => {
    await dashboard.gateway.admin('POST', `/admin/api-keys/${key.id}/suspend`);
    const page = await open();
    await has(page, 'Key suspended');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const [header, line] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(header).toBe('\ufeffTime,Action,Actor,Target,Changes,Request ID');
    expect(line).toMatch(
      /^\d{4}-.*Z,api_key\.suspended,Admin key,[0-9a-f-]{36},Status: active → suspended,[0-9a-f-]{36}$/,
    );
  });
});

test('an entry opens in a drawer with all details, and the back button closes it', async () => {
  await change();
  const page = await open();
  await has(page, ...CHANGES);
  await page.getByRole('button', { name: /^Details of Key changed/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Key changed' });
  await drawer.waitFor();
  const rows = (await drawer.getByRole('row').allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
  expect(rows).toEqual(
    expect.arrayContaining([
      'Action api_key.updated',
      `Actor ID ${admin.operator.id}`,
      `Target ID ${key.id}`,
      'IP address 127.0.0.1',
      expect.stringMatching(/^Request ID [0-9a-f-]{36}$/),
      'Requests per minute 1,000,000 600',
    ]),
  );
  await page.reload();
  await drawer.waitFor();
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });
});

test(
  'the audit log is accessible with and without an open entry, and fits on a phone screen',
  async () => {
    await change();
    const phone = await open('/audit', { viewport: PHONE });
    await has(phone, ...CHANGES);
    expect(await isWiderThanScreen(phone)).toBe(false);
    // Hidden columns must not increase the height of the rows.
    const heights = await phone.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(Math.max(...heights)).toBeLessThan(PHONE_ROW_PX);
    await screenshot(phone, 'audit-phone');
    const page = await open();
    await has(page, ...CHANGES);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Details of Key changed/ }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'audit-drawer');
  },
  AXE_MS_MAX,
);
