import { newRequestId } from '../../src/platform/request-context/request-id.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ERROR_CODES } from '../../src/platform/errors/error-code.data.js';
import { until } from '../support/until.js';
import type { Key } from '../support/gateway.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

const WRITTEN_MS_MAX = 30_000;
const DAY_MS = 86_400_000;
const FOREIGN = '5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f';

let dashboard: Dashboard;
let key: Key;
beforeAll(async () => {
  // Without sampling, only rejected and failed requests are stored.
  dashboard = await startDashboard({ GW_LOG_SAMPLE_RATE: '0' });
  key = await dashboard.gateway.createKey({ name: 'billing service' });
});
afterAll(() => dashboard?.stop());

/** Sends a rejected request and waits until it can be found. */
async function rejectedRequest(model: string): Promise<{ id: string; envelope: string }> {
  const { gateway } = dashboard;
  const response = await gateway.chat(key, { model });
  const id = response.headers.get('x-request-id')!;
  const found = async () =>
    (await gateway.admin<{ total: number }>('GET', `/admin/request-logs?request_id=${id}`)).body.total === 1;
  await until(found, WRITTEN_MS_MAX);
  return { id, envelope: response.text };
}
const find = async (page: Page, text: string) => {
  await page.getByLabel('Find by request ID').fill(text);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
};
const open = (opening = {}) => dashboard.signedIn('viewer', { path: '/requests', ...opening });

describe('search for a rejected request', () => {
  test('a pasted error finds its request and the reason for the rejection', async () => {
    const { id, envelope } = await rejectedRequest('no-such-model');
    const page = await open();
    await page.getByRole('search', { name: 'Filter requests' }).waitFor();
    await find(page, envelope);
    const why = page.getByRole('alert').filter({ hasText: 'Why it was rejected' });
    await why.waitFor();
    const { what, help } = ERROR_CODES.model_not_available;
    // The message to the caller comes first, then the explanation of the error code, with code formatting.
    expect((await why.innerText()).split('\n').filter((line) => line !== '')).toEqual([
      'Why it was rejected',
      'The requested model is not available: the provider does not list it. Use a model from GET /v1/models.',
      what,
      help.replaceAll('`', ''),
    ]);
    expect(await why.locator('code').allInnerTexts()).toEqual(['GET /admin/model-allowlist?search=']);
    expect(new URL(page.url()).searchParams.get('request_id')).toBe(id);
    const rows = await page.getByRole('main').getByRole('row').allInnerTexts();
    const details = rows.map((row) => row.replace(/\s+/g, ' ').trim());
    expect(details).toEqual(
      expect.arrayContaining([
        `Request ID ${id}`,
        'Request POST /v1/chat/completions',
        'Status 403',
        'Error code model_not_available',
        'Key billing service',
        'Model no-such-model',
        'Provider not called',
        'Streamed no',
      ]),
    );
    await page.getByRole('link', { name: 'billing service' }).click();
    await page.getByRole('heading', { level: 1, name: 'billing service' }).waitFor();
  });

  test('the result survives a reload, and the back button returns to the list', async () => {
    const { id } = await rejectedRequest('gone-tomorrow');
    const page = await open();
    await find(page, ` ${id.toUpperCase()} `);
    await page.getByRole('link', { name: 'gone-tomorrow' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'gone-tomorrow' }).waitFor();
    expect(await page.getByLabel('Find by request ID').inputValue()).toBe(id);
    await page.goBack();
    await page.getByRole('search', { name: 'Filter requests' }).waitFor();
    expect(await page.getByLabel('Find by request ID').inputValue()).toBe('');
  });
});

describe('search without a result', () => {
  test.each([
    ['from another system', FOREIGN, 'The gateway does not generate IDs of this form'],
    ['from a month ago', newRequestId(Date.now() - 30 * DAY_MS), 'Rejected and failed requests are kept for 7 days'],
    ['from a moment ago', newRequestId(Date.now()), 'The request succeeded and is not in the sample'],
    ['from tomorrow', newRequestId(Date.now() + DAY_MS), 'a clock is wrong'],
  ])('the page explains why it has no record of a request ID %s', async (_whose, id, reason) => {
    const page = await open();
    await find(page, id);
    await page.getByRole('heading', { name: 'No record of this request' }).waitFor();
    await page.getByText(reason).waitFor();
    await page.getByRole('button', { name: 'Show all requests' }).click();
    await page.getByRole('search', { name: 'Filter requests' }).waitFor();
  });

  test('text without a request ID is rejected at the field, and no request is sent', async () => {
    const page = await open();
    await page.getByRole('search', { name: 'Filter requests' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await find(page, 'my last request');
    await page.getByText('This text contains no request ID.').waitFor();
    expect(asked).toEqual([]);
    // A link with a truncated ID.
    const other = await open({ path: '/requests?request_id=0198c0de-6b2c' });
    await other.getByText('This is not a request ID.').waitFor();
  });
});

test(
  'the search results are accessible and fit on a phone screen',
  async () => {
    const { id } = await rejectedRequest('seen-on-a-phone');
    const page = await open({ path: `/requests?request_id=${id}`, viewport: PHONE });
    await page.getByText('Why it was rejected').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'request-found-phone');
    const missing = await open({ path: `/requests?request_id=${newRequestId(Date.now())}` });
    await missing.getByRole('heading', { name: 'No record of this request' }).waitFor();
    await expectAccessible(missing);
    await screenshot(missing, 'request-missing');
  },
  AXE_MS_MAX,
);
