import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Key } from '../support/gateway.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { used } from './usage-traffic.js';

let dashboard: Dashboard;
let key: Key;
beforeAll(async () => {
  dashboard = await startDashboard();
  key = await dashboard.gateway.createKey({ name: 'billing service' });
});
afterAll(() => dashboard?.stop());

const admin = <T = Record<string, unknown>>(method: string, path: string, body?: object) =>
  dashboard.gateway.admin<T>(method, `/admin${path}`, body);
const main = (page: Page) => page.getByRole('main');
const field = (page: Page, name: string) => main(page).getByRole('combobox', { name, exact: true });
const create = (page: Page) => main(page).getByRole('button', { name: 'Create limit' }).click();
const open = (query = '', expects: readonly RegExp[] = []) =>
  dashboard.signedIn('admin', { path: `/budgets/new${query}`, expects });
async function choose(page: Page, name: string, option: string): Promise<void> {
  await field(page, name).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
/** Waits for the page of the new limit, and returns the limit. */
async function created(page: Page): Promise<Record<string, unknown>> {
  await page.waitForURL(/\/budgets\/\d+$/);
  return (await admin('GET', `/limits/${new URL(page.url()).pathname.split('/').at(-1)}`)).body;
}

describe('the limit form', () => {
  test('a limit of a key is created with all its settings', async () => {
    const page = await open();
    await main(page).getByLabel('Name').fill('Nightly tokens');
    await choose(page, 'Scope', 'Key');
    await field(page, 'Key').fill('billing');
    await page.getByRole('option', { name: /^billing service/ }).click();
    await choose(page, 'Measure', 'Tokens');
    await choose(page, 'Period', 'per day');
    await field(page, 'Time zone').fill('Berlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await main(page).getByLabel('Amount (tokens)').fill('5000000');
    await main(page).getByLabel('Carry over at most (tokens)').fill('1000');
    await main(page).getByRole('radio', { name: 'Only some models' }).check();
    await field(page, 'Models that count').pressSequentially('claude-* ');
    await main(page).getByLabel('Weight of cached input').fill('0.1');
    await main(page).getByRole('radio', { name: 'Observe' }).check();
    await main(page).getByRole('radio', { name: 'Largest possible usage' }).check();
    await field(page, 'Alert thresholds (percent of the amount)').pressSequentially('90 ');
    await main(page).getByLabel('Ends at (local time)').fill('2031-07-01T12:00');
    await create(page);
    expect(await created(page)).toMatchObject({
      name: 'Nightly tokens',
      scope: 'key',
      key_id: key.id,
      measure: 'tokens',
      period: 'day',
      time_zone: 'Europe/Berlin',
      models: ['claude-*'],
      amount: 5_000_000,
      mode: 'observe',
      reserve: 'full',
      weights: { cached_input: 0.1, cache_write: 1 },
      carry_over: 1000,
      starts_at: null,
      ends_at: '2031-07-01T10:00:00.000Z',
      alert_thresholds: [50, 80, 90, 100],
    });
  });

  test('each choice of the reserve explains its risk', async () => {
    const page = await open();
    for (const explanation of [
      'Requests that run at the same time can exceed the limit if they use more.',
      'A request with a high maximum output can be rejected even if it would use less.',
      'All requests that are running at that moment can exceed the limit.',
    ])
      await main(page).getByText(explanation).waitFor();
    await choose(page, 'Measure', 'Requests');
    expect(await main(page).getByRole('radiogroup', { name: 'Reserve for running requests' }).count()).toBe(0);
  });

  test('fields that do not apply are hidden and not sent', async () => {
    const page = await open('?measure=tokens&period=day');
    await main(page).getByLabel('Weight of cached input').fill('0.5');
    await main(page).getByLabel('Carry over at most (tokens)').fill('5');
    await choose(page, 'Measure', 'Concurrent requests');
    for (const name of ['Period', 'Time zone']) expect(await field(page, name).count()).toBe(0);
    expect(
      await main(page)
        .getByLabel(/^(Weight|Carry over)/)
        .count(),
    ).toBe(0);
    await main(page).getByLabel('Amount (concurrent requests)').fill('4');
    await create(page);
    expect(await created(page)).toMatchObject({ amount: 4, period: null, weights: null, carry_over: null });
  });

  test('dollars are sent exactly as typed', async () => {
    const page = await open('?measure=cost&period=total');
    const amount = main(page).getByLabel('Amount (dollars)');
    await create(page);
    await page.getByText('Enter an amount.').waitFor();
    await amount.fill('-1');
    await create(page);
    await page.getByText('Enter dollars such as 500 or 0.25').waitFor();
    await amount.fill('999999999.999999');
    await create(page);
    expect(await created(page)).toMatchObject({ amount: '999999999.999999' });
  });

  test('the target is required, and the gateway’s message appears at its field', async () => {
    const page = await open('?scope=team', [/^400 POST \/admin\/limits$/]);
    await main(page).getByLabel('Amount (dollars)').fill('5');
    await create(page);
    await page.getByText('Choose the team.').waitFor();
    await choose(page, 'Scope', 'Account');
    await main(page).getByLabel('Starts at (local time)').fill('2031-07-02T12:00');
    const ends = main(page).getByLabel('Ends at (local time)');
    await ends.fill('2031-07-01T12:00');
    await create(page);
    await page.getByText("It must be a time after 'starts_at'.").waitFor();
    expect(await ends.getAttribute('aria-invalid')).toBe('true');
    await ends.fill('');
    await create(page);
    expect(await created(page)).toMatchObject({ scope: 'account', ends_at: null });
  });

  test('the gateway’s messages appear at all invalid fields, and in a list if a field is not in the form', async () => {
    const page = await open('?measure=requests&period=day', [/^400 POST \/admin\/limits$/]);
    const invalid = ['name', 'amount', 'other'].map((param) => ({ param, message: `Wrong ${param}` }));
    const error = { ...invalid[0], code: 'validation_error', type: 'invalid_request_error' };
    let details = invalid.slice(0, 2);
    await page.route('**/admin/limits', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { error: { ...error, details } } })
        : route.continue(),
    );
    await main(page).getByLabel('Name').fill('nightly');
    await main(page).getByLabel('Amount (requests)').fill('10');
    await create(page);
    await page.getByText('Wrong amount').waitFor();
    expect(await page.getByText('Wrong name').count()).toBe(1);
    expect(await page.getByRole('alert').filter({ hasText: 'Check' }).count()).toBe(0);
    details = invalid;
    await create(page);
    const alert = page.getByRole('alert').filter({ hasText: 'Check 3 fields' });
    await alert.waitFor();
    expect(await alert.getByRole('listitem').allTextContents()).toEqual(invalid.map(({ message }) => message));
  });

  test('a link from a team chooses the target, and unsaved input needs a confirmation', async () => {
    const team = (await admin<{ id: string }>('POST', '/teams', { name: 'Linked team' })).body;
    const page = await dashboard.signedIn('admin', { path: `/teams/${team.id}` });
    await main(page).getByRole('link', { name: 'Add limit' }).click();
    await main(page).getByLabel('Amount (dollars)').fill('5');
    const toKeys = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Keys' });
    await toKeys.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await create(page);
    expect(await created(page)).toMatchObject({ scope: 'team', team_id: team.id, amount: '5' });
    await toKeys.click();
    await page.waitForURL('**/dashboard/keys');
  });
});

describe('limit simulation', () => {
  beforeAll(async () => {
    await used(dashboard, key, { requests: 40, daysAgo: 3 });
    await used(dashboard, key, { requests: 10, daysAgo: 2 });
  });

  test('the simulation shows the figure at which the limit would start, and when it would have been reached', async () => {
    const page = await open(`?scope=key&key_id=${key.id}&measure=requests&period=rolling_7d`);
    await main(page).getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('Enter an amount.').waitFor();
    await main(page).getByLabel('Amount (requests)').fill('20');
    await main(page).getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('It would start at 50 requests used.').waitFor();
    await page.getByText(/^It would have been reached in \d of \d days with usage in the last 30 days\./).waitFor();
    await screenshot(page, 'limit-simulation');
    await main(page).getByLabel('Amount (requests)').fill('2000');
    await page.getByText('The form has changed since this simulation.').waitFor();
    await main(page).getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('It would not have been reached in the last 30 days.').waitFor();
    expect((await admin<{ total: number }>('GET', '/limits?measure=requests')).body.total).toBe(0);
  });

  test('the simulation reports that short periods cannot be simulated', async () => {
    const page = await open('?measure=requests&period=minute');
    await main(page).getByLabel('Amount (requests)').fill('10');
    await main(page).getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('Past usage is recorded by day.').waitFor();
  });

  test('an error of the gateway appears in the simulation', async () => {
    const page = await open('?measure=requests&period=day', [/^400 POST \/admin\/limits\/simulate$/]);
    await main(page).getByLabel('Amount (requests)').fill('10');
    await main(page).getByLabel('Starts at (local time)').fill('2031-07-02T12:00');
    await main(page).getByLabel('Ends at (local time)').fill('2031-07-01T12:00');
    await main(page).getByRole('button', { name: 'Simulate' }).click();
    await page.getByRole('alert').getByText("It must be a time after 'starts_at'").waitFor();
  });
});

test(
  'the limit form is accessible and fits on a phone screen',
  async () => {
    const page = await dashboard.signedIn('admin', { path: '/budgets/new?measure=tokens&scope=key', viewport: PHONE });
    await create(page);
    await page.getByText('Choose the key.').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'limit-form-phone');
    const wide = await open(`?measure=tokens&scope=key&period=day&key_id=${key.id}`);
    await main(wide).getByLabel('Amount (tokens)').fill('10');
    await field(wide, 'Time zone').click();
    await wide.getByRole('option', { name: 'Africa/Abidjan' }).waitFor();
    await expectAccessible(wide);
    await wide.keyboard.press('Escape');
    await screenshot(wide, 'limit-form');
  },
  AXE_MS_MAX,
);
