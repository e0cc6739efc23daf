import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import type { RequestRow } from '../../src/stats/pending-records.js';
import { until } from '../support/until.js';
import { requestRow, writeRows } from '../support/request-log-rows.js';
import type { Key } from '../support/gateway.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

const MINUTE_MS = 60_000;
const STEP_MS_MAX = 30_000;

let dashboard: Dashboard;
let source: DataSource;
let billing: Key;
let search: Key;
beforeAll(async () => {
  dashboard = await startDashboard({ GW_LOG_SAMPLE_RATE: '0' });
  source = dashboard.gateway.app.get(DataSource);
  billing = await dashboard.gateway.createKey({ name: 'billing' });
  search = await dashboard.gateway.createKey({ name: 'search' });
});
afterAll(() => dashboard?.stop());
beforeEach(() => source.query('with sampled as (delete from request_logs) delete from request_refusals'));

const row = (key: Key, minutesAgo: number, given: Partial<RequestRow> = {}) =>
  requestRow(key.id, Date.now() - minutesAgo * MINUTE_MS, given);
const write = (...rows: RequestRow[]) => writeRows(source, rows);
const writeFailed = (...rows: RequestRow[]) => writeRows(source, rows, 'request_refusals');
const embedding = { endpoint: '/v1/embeddings', model: 'text-embedding-3-small' };
const rejected = { status: 429, errorCode: 'rate_limit_exceeded', upstreamLatencyMs: null };

const open = (path = '/requests', opening = {}) => dashboard.signedIn('viewer', { path, ...opening });
const addressOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const idsIn = async (page: Page) => {
  const names = page.getByRole('button', { name: /^Details of request/ });
  return names.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')!.split(' ').at(-1)!));
};
const field = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
/** Whether the table scrolls horizontally. */
const isWiderThanTable = (page: Page) =>
  page.getByRole('region', { name: 'Requests' }).evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
/** Waits until the list shows these requests, in this order. */
async function has(page: Page, ...rows: RequestRow[]): Promise<void> {
  const wanted = rows.map(({ id }) => id).join();
  await until(async () => (await idsIn(page)).join() === wanted, STEP_MS_MAX);
}

describe('request list', () => {
  test('a row shows endpoint, model, status, key, latency and tokens', async () => {
    const one = row(billing, 1, { ...rejected, latencyMs: 1234, inputTokens: 0, outputTokens: 0 });
    const other = row(search, 2, { stream: true, latencyMs: 840, upstreamLatencyMs: 815, inputTokens: 4321 });
    await write(one, other);
    const page = await open();
    await has(page, one, other);
    const cells = async (index: number) =>
      (await page.locator('tbody tr').nth(index).getByRole('cell').allInnerTexts())
        .slice(1)
        .map((text) => text.replaceAll(/\n+/g, '|'));
    const [asked, model] = ['POST /v1/chat/completions', 'gpt-4o-mini'];
    expect(await cells(0)).toEqual([
      '429|rate_limit_exceeded',
      `${asked}|${model}`,
      'billing',
      '1.2 s',
      '0 in|0 out',
      '–',
    ]);
    expect(await cells(1)).toEqual([
      '200',
      `${asked}|${model}|streamed`,
      'search',
      '840 ms|provider 815 ms',
      '4,321 in|4 out',
      '–',
    ]);
    expect(await isWiderThanTable(page)).toBe(false);
    await screenshot(page, 'requests');
  });

  test('filters are kept in the URL across reload and back', async () => {
    const wanted = row(billing, 5, { ...embedding, ...rejected });
    const others = [
      row(billing, 6, embedding),
      row(billing, 7),
      row(search, 8, embedding),
      row(billing, 9000, embedding),
    ];
    await write(wanted, ...others);
    const page = await open();
    await has(page, wanted, ...others);
    await field(page, 'Key').click();
    await page.getByRole('option', { name: /^billing/ }).click();
    await has(page, wanted, others[0]!, others[1]!, others[3]!);
    await field(page, 'Model').fill(embedding.model);
    await page.keyboard.press('Enter');
    await has(page, wanted, others[0]!, others[3]!);
    await field(page, 'Time').click();
    await page.getByRole('option', { name: 'Last hour' }).click();
    await has(page, wanted, others[0]!);
    await field(page, 'Status').fill('429');
    await page.keyboard.press('Enter');
    await has(page, wanted);
    await field(page, 'Endpoint').fill(embedding.endpoint);
    await page.keyboard.press('Enter');
    await page.waitForURL(/endpoint=/);
    const asked = { key_id: billing.id, model: embedding.model, status: '429', endpoint: embedding.endpoint };
    expect(addressOf(page)).toMatchObject({ ...asked, since: expect.stringMatching(/Z$/) });

    await page.reload();
    await has(page, wanted);
    expect(await field(page, 'Status').inputValue()).toBe('429');
    expect(await page.getByLabel('From').inputValue()).not.toBe('');
    await page.goBack();
    await page.goBack();
    await has(page, wanted, others[0]!);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await has(page, wanted, ...others);
    expect(addressOf(page)).toEqual({});
  });

  test('times are entered in local time and sent in UTC', async () => {
    const [before, after] = [Date.parse('2026-07-01T09:59:00Z'), Date.parse('2026-07-01T10:01:00Z')];
    const rows = [requestRow(billing.id, after), requestRow(billing.id, before)] as const;
    await write(...rows);
    const page = await open();
    await has(page, ...rows);
    await page.getByLabel('From').fill('2026-07-01T12:00');
    await has(page, rows[0]);
    expect(addressOf(page)).toEqual({ since: '2026-07-01T10:00:00.000Z' });
    await page.reload();
    await has(page, rows[0]);
    expect(await page.getByLabel('From').inputValue()).toBe('2026-07-01T12:00');
  });

  test('filters without matches show a message and can be cleared', async () => {
    const one = row(billing, 1);
    await write(one);
    const page = await open('/requests?model=nobody-asks-for-this');
    await page.getByRole('heading', { name: 'No matching requests' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await has(page, one);
  });

  test('an invalid filter in the URL is reported', async () => {
    const page = await open('/requests?status=teapot', { expects: [/^400 GET \/admin\/requests$/] });
    await page.getByRole('alert').getByText('Check “status”').waitFor();
  });

  test('“Load more” continues the list and repeats no request although new requests arrived', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => row(billing, index + 1));
    await write(...rows);
    const page = await open();
    await has(page, ...rows.slice(0, 50));
    await write(...Array.from({ length: 5 }, () => row(search, 0)));
    await page.getByRole('button', { name: 'Load more' }).click();
    await has(page, ...rows);
    await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('link', { name: 'search' }).first().waitFor();
  });

  test('a live list shows new requests without a click until it is paused', async () => {
    const first = row(billing, 2);
    await write(first);
    const page = await open();
    await has(page, first);
    const live = page.getByRole('switch', { name: 'Live' });
    await live.click();
    const second = row(search, 1, rejected);
    await writeFailed(second);
    await has(page, second, first);
    await live.click();
    expect(await live.isChecked()).toBe(false);
  });

  test('failed requests outside the sample are listed and can be filtered by class, code, team and latency', async () => {
    const { gateway } = dashboard;
    const team = (await gateway.admin<{ id: string }>('POST', '/admin/teams', { name: 'checkout' })).body;
    const shop = await gateway.createKey({ name: 'shop', team_id: team.id });
    const [served, limited, slow] = [
      row(billing, 3),
      row(shop, 2, { ...rejected, latencyMs: 5 }),
      row(billing, 1, { status: 502, errorCode: 'upstream_error', latencyMs: 9000 }),
    ] as const;
    await write(served);
    await writeFailed(limited, slow);
    const page = await open();
    await has(page, slow, limited, served);
    await field(page, 'Status').fill('error');
    await page.keyboard.press('Enter');
    await has(page, slow, limited);
    await field(page, 'Error code').fill('rate_limit_exceeded');
    await page.keyboard.press('Enter');
    await has(page, limited);
    await page.getByRole('region', { name: 'Requests' }).getByRole('link', { name: 'checkout' }).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await field(page, 'Team').click();
    await page.getByRole('option', { name: 'checkout' }).click();
    await has(page, limited);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await field(page, 'Min. latency (ms)').fill('5000');
    await page.keyboard.press('Enter');
    await has(page, slow);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByLabel('Order').selectOption('Slowest first');
    await has(page, slow, served, limited);
    expect(addressOf(page)).toEqual({ sort: 'latency' });
    await page.getByRole('button', { name: `Details of request ${limited.id}` }).click();
    const drawer = page.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('7 days').waitFor();
    await drawer.getByRole('link', { name: 'Requests with this error code' }).click();
    await has(page, limited);
    expect(addressOf(page)).toEqual({ error_code: 'rate_limit_exceeded' });
  });

  test('the beginning of a request ID finds the request', async () => {
    const [one, other] = [row(billing, 1), row(billing, 60)];
    await write(one, other);
    const page = await open();
    await has(page, one, other);
    await field(page, 'Request ID begins with').fill(other.id.slice(0, 13));
    await page.keyboard.press('Enter');
    await has(page, other);
    expect(addressOf(page)).toEqual({ id: other.id.slice(0, 13) });
  });

  test('an invalid cost is reported, and the other filters stay', async () => {
    const page = await open('/requests?status=5xx', { expects: [/^400 GET \/admin\/requests$/] });
    await field(page, 'Min. cost ($)').fill('ten');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Check “cost_min”').waitFor();
    expect(addressOf(page)).toEqual({ status: '5xx', cost_min: 'ten' });
  });

  test('the CSV file has all matching requests, in milliseconds and UTC', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => row(billing, index + 2));
    const one = row(billing, 1, { latencyMs: 1234, model: '=cmd()' });
    await write(...rows, row(search, 1));
    await writeFailed(one);
    const page = await open(`/requests?key_id=${billing.id}`);
    await has(page, one, ...rows.slice(0, 49));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines).toHaveLength(63);
    const time = new Date(one.createdAtMs).toISOString();
    expect(lines[1]).toBe(
      `${one.id},${time},200,,,POST,/v1/chat/completions,'=cmd(),${billing.id},billing,,,,1234,7,false,3,4,reported,,USD,false`,
    );
  });

  test.each(['viewer', 'admin', 'owner'] as const)('the role %s sees the list', async (role) => {
    const one = row(billing, 1);
    await write(one);
    await has(await dashboard.signedIn(role, { path: '/requests' }), one);
  });
});

describe('request details', () => {
  test('request details open in a drawer that survives a reload and closes with the back button', async () => {
    const rows = [row(billing, 1), row(search, 2, rejected)] as const;
    await write(...rows);
    const page = await open();
    await page.getByRole('button', { name: `Details of request ${rows[1].id}` }).click();
    const drawer = page.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('The key had reached one of its own limits').waitFor();
    await page.reload();
    await drawer.getByText('The key had reached one of its own limits').waitFor();
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Details of request ${rows[0].id}` }).click();
    await drawer.getByText('12 ms until the end of the response').waitFor();
    expect(await drawer.getByText('Why it was rejected').count()).toBe(0);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(addressOf(page)).toEqual({});
    await page.getByRole('button', { name: `Details of request ${rows[0].id}` }).click();
    await drawer.getByRole('link', { name: 'Requests of this key' }).click();
    await has(page, rows[0]);
    expect(addressOf(page)).toEqual({ key_id: billing.id });
  });

  test('a request links to its model', async () => {
    await write(row(billing, 1));
    const page = await open();
    await page.getByRole('region', { name: 'Requests' }).getByRole('link', { name: 'gpt-4o-mini' }).click();
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
    expect(addressOf(page)).toEqual({ search: 'gpt-4o-mini' });
  });
});

test(
  'the request list is accessible with and without an open request, and fits on a phone screen',
  async () => {
    const rows = [
      row(billing, 1),
      row(search, 2, rejected),
      row(search, 3, { status: 502, errorCode: 'upstream_error' }),
    ];
    await write(...rows);
    const page = await open('/requests', { viewport: PHONE });
    await has(page, ...rows);
    expect(await isWiderThanScreen(page)).toBe(false);
    await page.getByRole('button', { name: 'Filters' }).click();
    await field(page, 'Model').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await screenshot(page, 'requests-phone');
    const wide = await open();
    await has(wide, ...rows);
    await field(wide, 'Status').click();
    await wide.getByRole('option', { name: '429' }).waitFor();
    await expectAccessible(wide);
    await wide.keyboard.press('Escape');
    await wide
      .getByRole('button', { name: /^Details of/ })
      .nth(2)
      .click();
    await wide.getByText('Why it failed').waitFor();
    await expectAccessible(wide);
    await screenshot(wide, 'requests-drawer');
  },
  AXE_MS_MAX,
);
