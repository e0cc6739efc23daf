import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import type { RequestRow } from '../../src/stats/request-row.js';
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
beforeEach(() => source.query('delete from request_logs'));

const row = (key: Key, minutesAgo: number, given: Partial<RequestRow> = {}) =>
  requestRow(key.id, Date.now() - minutesAgo * MINUTE_MS, given);
const write = (...rows: RequestRow[]) => writeRows(source, rows);
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
    await page.getByRole('heading', { name: 'No matching requests in the sample' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await has(page, one);
  });

  test('an invalid filter in the URL is reported', async () => {
    const page = await open('/requests?status=teapot', { expects: [/^400 GET \/admin\/request-logs$/] });
    await page.getByRole('alert').getByText('Check “status”').waitFor();
  });

  test('the second page repeats no request although new requests arrived', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => row(billing, index + 1));
    await write(...rows);
    const page = await open();
    await has(page, ...rows.slice(0, 50));
    await write(...Array.from({ length: 5 }, () => row(search, 0)));
    await page.getByRole('button', { name: 'next page' }).click();
    await has(page, ...rows.slice(50));
    expect(addressOf(page)).toEqual({ page: '2' });
    await page.goBack();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('link', { name: 'search' }).first().waitFor();
  });

  test('a capped total is shown as “100,000 or more”', async () => {
    const page = await open('/models');
    await page.route('**/admin/request-logs?*', async (route) => {
      const body = { total: 100_000, total_capped: true, has_more: true };
      const response = await route.fetch();
      await route.fulfill({ response: response, json: { ...((await response.json()) as object), ...body } });
    });
    await write(row(billing, 1));
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByText('100,000 or more in total').waitFor();
    await page.getByText('More than 100,000 requests match').waitFor();
    await page
      .getByRole('button', { name: '2000', exact: true })
      .or(page.getByText('2000', { exact: true }))
      .waitFor();
  });

  test('the list can be exported as CSV in milliseconds and UTC', async () => {
    const one = row(billing, 1, { latencyMs: 1234, model: '=cmd()' });
    await write(one);
    const page = await open();
    await has(page, one);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const [header, line] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(header).toBe(
      '\ufeffTime,Status,Error code,Error message,Request,Model,Key,Latency,Provider,Tokens in,Tokens out,Cost,Stream,Request ID',
    );
    const time = new Date(one.createdAtMs).toISOString();
    expect(line).toBe(`${time},200,,,POST /v1/chat/completions,'=cmd(),billing,1234,7,3,4,,false,${one.id}`);
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
