import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import type { Key } from '../support/gateway.js';
import { LimitCalls } from '../support/limit-calls.js';
import { until } from '../support/until.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { dayBefore, sampled, used } from './usage-traffic.js';

const DAY_MS = 86_400_000;
const FIRST_PAGE_BYTES_MAX = 350 * 1024;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const ALL_WELL = { database: 'ready', upstream: 'ready', draining: false };
const concerns = (page: Page) => page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
const about = async (page: Page, title: RegExp) => {
  const concern = concerns(page).filter({ hasText: title });
  await concern.waitFor();
  return concern;
};
const tileOn = (page: Page, label: string) =>
  page.getByRole('heading', { level: 3, name: label, exact: true }).locator('..');

/** Runs the daily job and waits for its end. */
async function runDaily({ gateway }: Dashboard): Promise<void> {
  const { body } = await gateway.admin<{ run_id: string }>('POST', '/admin/jobs/daily/run');
  for (let running = true; running;) {
    const { jobs } = (await gateway.admin<{ jobs: { run_id: string; outcome: string }[] }>('GET', '/admin/jobs')).body;
    running = jobs.find(({ run_id }) => run_id === body.run_id)?.outcome === 'running';
  }
}

describe('overview of a new gateway', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard?.stop());

  test('an admin sees a link to create the first key, and that nothing needs attention', async () => {
    const page = await dashboard.signedIn('admin');
    await page.getByRole('heading', { name: 'Create your first key' }).waitFor();
    await page.getByText(`${dashboard.gateway.url}/v1`).waitFor();
    // Only the daily job checks every key.
    await page
      .getByText(/^Nothing at the moment\. The gateway is ready, .* last checked the keys on \w{3} \d+, \d{4}, .*M\.$/)
      .waitFor();
    await expectAccessible(page);
    await screenshot(page, 'overview-new');
    await page.getByRole('link', { name: 'Create key' }).click();
    await page.waitForURL(/\/keys\/new$/);
  });

  test('a viewer is asked to contact an admin', async () => {
    const page = await dashboard.signedIn('viewer');
    await page.getByText('ask an admin for a key').waitFor();
    expect(await page.getByRole('link', { name: 'Create key' }).count()).toBe(0);
  });
});

describe('overview of a gateway with traffic', () => {
  let dashboard: Dashboard;
  let shop: Key;
  beforeAll(async () => {
    dashboard = await startDashboard();
    const { gateway } = dashboard;
    shop = await gateway.createKey({ name: 'shop' });
    const batch = await gateway.createKey({ name: 'batch' });
    await used(dashboard, shop, { requests: 60, errors: 6, daysAgo: 3 });
    await used(dashboard, batch, { requests: 40, model: 'gpt-4.1', daysAgo: 2 });
    await used(dashboard, shop, { requests: 50, daysAgo: 35 });
    for (let n = 0; n < 4; n++) await gateway.chat(shop);
    await sampled(dashboard, 4);
  });
  afterAll(() => dashboard?.stop());

  test('the overview compares the last 30 days with the previous 30 days', async () => {
    const page = await dashboard.signedIn('viewer');
    await page.getByText('108% more than in the previous 30 days').waitFor();
    expect(await tileOn(page, 'Requests').textContent()).toContain('104');
    expect(await tileOn(page, 'Errors').textContent()).toContain('5.77% of requests');
    await page.getByRole('img', { name: /^Requests, from .* 104 in total\.$/ }).waitFor();
    await page.getByRole('img', { name: /^Latency \(p95\), from .* Latency \(p95\): .* m?s to .* m?s\.$/ }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'overview');
  });

  test('every figure links to its details in the same period', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/?days=7' });
    const targets: readonly (readonly [string, string])[] = [
      ['Requests', '/dashboard/usage?days=7'],
      ['Tokens', '/dashboard/usage?days=7&metric=tokens'],
      ['Latency (p95)', '/dashboard/statistics?days=7&sort_by=p95_latency_ms'],
      ['shop', `/dashboard/keys/${shop.id}`],
      ['gpt-4.1', '/dashboard/statistics?days=7&tab=keys&model=gpt-4.1'],
      ['All models', '/dashboard/usage?days=7&by=model'],
    ];
    const main = page.getByRole('main');
    for (const [name, href] of targets)
      expect([name, await main.getByRole('link', { name, exact: true }).getAttribute('href')]).toEqual([name, href]);
    const errors = await main.getByRole('link', { name: 'Errors', exact: true }).getAttribute('href');
    expect(errors).toMatch(/^\/dashboard\/requests\?status=error&since=/);
    const endpoint = await main.getByRole('link', { name: '/v1/chat/completions' }).getAttribute('href');
    expect(endpoint).toMatch(/^\/dashboard\/requests\?endpoint=%2Fv1%2Fchat%2Fcompletions&since=/);
  });

  test('a single request is labeled “1 request”', async () => {
    const once = await dashboard.gateway.createKey({ name: 'once' });
    await used(dashboard, once, { requests: 1, daysAgo: 200 });
    const day = dayBefore(200);
    const page = await dashboard.signedIn('viewer', { path: `/?from=${day}&to=${day}` });
    await page.getByText('1 request · 15 tokens', { exact: true }).first().waitFor();
  });

  test('a period without requests shows an example request', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/?from=2021-01-01&to=2021-01-31' });
    await page.getByText(`curl ${dashboard.gateway.url}/v1/models`).waitFor();
    await expectAccessible(page);
  });

  test(`scripts and styles have less than ${FIRST_PAGE_BYTES_MAX / 1024} KiB compressed, without the chart library`, async () => {
    const page = await dashboard.open();
    await page.getByLabel('Email', { exact: true }).waitFor();
    const files = new Map<string, Promise<Buffer>>();
    page.on('response', (response) => {
      if (/\.(js|css)$/.test(response.url())) files.set(response.url(), response.body());
    });
    const { token } = await dashboard.operator('viewer');
    await page.context().addCookies([{ name: 'gw_admin_session', value: token, url: dashboard.gateway.url }]);
    await page.reload();
    await page.getByText('Top keys').waitFor();
    const sizes = await Promise.all([...files.values()].map(async (body) => gzipSync(await body).byteLength));
    expect(sizes.length).toBeGreaterThan(3);
    expect([...files.keys()].filter((url) => url.includes('chart-plot'))).toEqual([]);
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(FIRST_PAGE_BYTES_MAX);
  });

  test('the overview is accessible and fits on a phone screen', async () => {
    const page = await dashboard.signedIn('viewer', { viewport: PHONE });
    await page.getByRole('link', { name: '/v1/chat/completions' }).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'overview-phone');
  });
});

describe('attention list', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard?.stop());

  const database = () => dashboard.gateway.app.get(DataSource);
  test('keys that expire, have expired or reached a monthly limit are listed until they are fixed', async () => {
    const { gateway } = dashboard;
    const old = await gateway.createKey({ name: 'old', expires_at: inDays(-1) });
    await gateway.createKey({ name: 'soon', expires_at: inDays(3) });
    await gateway.createKey({ name: 'later', expires_at: inDays(30) });
    const full = await gateway.createKey({ name: 'full', monthly_limit: 2 });
    for (let n = 0; n < 2; n++) await gateway.chat(full);
    await runDaily(dashboard);
    const page = await dashboard.signedIn('viewer');
    const expired = await about(page, /^Now1 key expired/);
    expect(
      await expired.getByRole('link').evaluateAll((links: HTMLAnchorElement[]) => links.map(({ href }) => href)),
    ).toEqual([`${gateway.url}/dashboard/keys?status=expired`, `${gateway.url}/dashboard/keys/${old.id}`]);
    expect(await (await about(page, /1 key about to expire/)).textContent()).toContain('soon');
    expect(await (await about(page, /1 key at the monthly limit/)).textContent()).toContain('full');
    expect(await concerns(page).filter({ hasText: 'later' }).count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, 'overview-attention');

    await gateway.admin('PATCH', `/admin/api-keys/${old.id}`, { expires_at: inDays(90) });
    await gateway.admin('PATCH', `/admin/api-keys/${full.id}`, { monthly_limit: 500 });
    await page.reload();
    await about(page, /1 key about to expire/);
    await concerns(page)
      .filter({ hasText: /expired|monthly limit/ })
      .waitFor({ state: 'detached' });
  });

  test('a disabled webhook is listed', async () => {
    const { body } = await dashboard.gateway.admin<{ id: string }>('POST', '/admin/webhooks', {
      url: 'https://hooks.example.com/here',
      events: ['*'],
    });
    await database().query(`update webhooks set enabled = false, disabled_reason = 'failing'`);
    const page = await dashboard.signedIn('viewer');
    const concern = await about(page, /1 webhook disabled/);
    await concern.getByRole('link', { name: 'https://hooks.example.com/…' }).click();
    await page.waitForURL(new RegExp(`/webhooks/${body.id}$`));
  });

  test('a failed or overdue daily job is listed', async () => {
    await runDaily(dashboard);
    await database().query(`update job_runs set outcome = 'failed'`);
    const page = await dashboard.signedIn('viewer');
    await about(page, /The last daily job failed/);
    await database().query(`update job_runs set outcome = 'succeeded', started_at = started_at - interval '26 hours'`);
    await page.reload();
    await (await about(page, /The daily job is overdue/)).getByRole('link').click();
    await page.waitForURL(/\/jobs$/);
  });

  test('unavailable models are listed', async () => {
    await database().query(`insert into model_probes values ('gpt-4.1', 'listed_unavailable', now())`);
    await dashboard.gateway.admin('POST', '/admin/cache/purge');
    const page = await dashboard.signedIn('viewer');
    const concern = await about(page, /1 model unavailable/);
    expect(await concern.getByRole('link').getAttribute('href')).toBe(
      '/dashboard/models?availability=listed_unavailable',
    );
  });

  test('limits that are reached, or soon will be, are listed', async () => {
    const { id } = await dashboard.gateway.createKey({ name: 'limited' });
    const limits = new LimitCalls(dashboard.gateway, { scope: 'key', key_id: id, period: 'total' });
    await limits.use(id, 3, 100);
    const reached = await limits.create({ name: 'Trial', amount: 100 });
    await limits.create({ name: 'Pilot', amount: 150 });
    await limits.create({ name: 'Watched', amount: 100, mode: 'observe' });
    const page = await dashboard.signedIn('viewer');
    const concern = await about(page, /^Now1 limit reached/);
    expect(await concern.getByRole('link', { name: 'Trial' }).getAttribute('href')).toBe(
      `/dashboard/budgets/${reached.id}`,
    );
    await (await about(page, /^Soon1 limit about to be reached/)).getByRole('link', { name: 'Pilot' }).waitFor();
    expect(await concerns(page).filter({ hasText: 'Watched' }).count()).toBe(0);
  });

  test('a degraded or unready gateway is listed with its reason', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/usage', expects: [/^503 GET \/health\/ready$/] });
    const responses = [
      { status: 200, json: { status: 'degraded', database: 'ready', upstream: 'away', draining: false } },
      { status: 200, json: { status: 'degraded', ...ALL_WELL, database: 'away' } },
      { status: 200, json: { status: 'degraded', ...ALL_WELL, upstream: 'refused' } },
      { status: 503, json: { status: 'not_ready', database: 'away', upstream: 'ready', draining: true } },
    ];
    await page.route('**/health/ready', (route) => route.fulfill(responses.shift()));
    await page.goto(`${dashboard.gateway.url}/dashboard/`);
    expect(await (await about(page, /The gateway is degraded/)).textContent()).toContain(
      'The upstream cannot be reached',
    );
    for (const words of [
      'The database cannot be reached. Keys used in the 10 minutes before the outage are still served',
      'The upstream rejects the API key of the account. Requests to the upstream fail with 502. Fix GW_UPSTREAM_API_KEY',
    ]) {
      await page.reload();
      await about(page, new RegExp(words));
    }
    await page.reload();
    expect(await (await about(page, /The gateway is not ready/)).textContent()).toContain(
      'the gateway is shutting down',
    );
  });

  test('a part that cannot be loaded shows its error, and the rest is shown', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/usage', expects: [/^403 GET \/admin\/jobs$/] });
    const error = {
      code: 'forbidden',
      message: 'Not for you',
      type: 'authentication_error',
      param: null,
      request_id: 'r-1',
    };
    await page.route('**/admin/jobs?*', (route) => route.fulfill({ status: 403, json: { error } }));
    await page.goto(`${dashboard.gateway.url}/dashboard/`);
    await page.getByRole('alert').filter({ hasText: 'Not for you' }).waitFor();
    await about(page, /1 key about to expire/);
  });
});

test('the attention list shows the current state of keys, even if the notifications were read', async () => {
  const dashboard = await startDashboard();
  try {
    const { gateway } = dashboard;
    const filling = await gateway.createKey({ name: 'filling', monthly_limit: 5 });
    const warned = await gateway.createKey({ name: 'warned', monthly_limit: 5 });
    for (const key of [filling, warned]) for (let n = 0; n < 4; n++) await gateway.chat(key);
    await runDaily(dashboard);
    await (await dashboard.operator('viewer')).call('POST', '/admin/notifications/read-all');
    const page = await dashboard.signedIn('viewer');
    expect(await (await about(page, /2 keys above 80%/)).textContent()).toContain('filling');

    await gateway.chat(filling);
    await page.reload();
    expect(await (await about(page, /1 key at the monthly limit/)).textContent()).toContain('filling');
    expect(await (await about(page, /1 key above 80%/)).textContent()).toContain('warned');

    await gateway.admin('POST', `/admin/api-keys/${filling.id}/reset-quota`, { window: 'month' });
    await page.reload();
    await about(page, /1 key above 80%/);
    expect(await concerns(page).filter({ hasText: 'filling' }).count()).toBe(0);
  } finally {
    await dashboard.stop();
  }
});

test(
  'rejected requests count as errors, with their reasons and links to the requests',
  async () => {
    const dashboard = await startDashboard();
    try {
      const { gateway } = dashboard;
      const key = await gateway.createKey({ name: 'shop' });
      for (let n = 0; n < 6; n++) await gateway.chat(key, { model: 'no-such-model' });
      await gateway.chat(`sk-gw-${'0'.repeat(48)}`);
      const counted = async () =>
        (await gateway.admin<{ rejected_requests: number }>('GET', '/admin/usage')).body.rejected_requests === 7;
      await until(counted);
      const page = await dashboard.signedIn('viewer');
      await page.getByText('7 rejected before admission').waitFor();
      expect(await tileOn(page, 'Errors').textContent()).toContain('100.0% of requests');
      await page.getByRole('listitem').filter({ hasText: 'invalid_api_key' }).getByText('1 request').waitFor();
      await expectAccessible(page);
      await screenshot(page, 'overview-rejected');
      await page.getByRole('link', { name: 'model_not_available' }).click();
      await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
      await until(async () => (await page.getByRole('button', { name: /^Details of request/ }).count()) === 6);
    } finally {
      await dashboard.stop();
    }
  },
  AXE_MS_MAX,
);
