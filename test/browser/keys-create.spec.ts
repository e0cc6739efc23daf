import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const RAW_KEY = /^sk-gw-[0-9A-Za-z]{49}$/;

async function create(page: Page, name: string): Promise<string> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  return page.getByLabel('API key').inputValue();
}

describe('key creation', () => {
  test('the raw key is shown only once and works', async () => {
    const page = await dashboard.signedIn('admin', { path: '/keys/new' });
    await page.getByLabel('Requests per minute').fill('7');
    await page.getByLabel('Tokens per month (UTC)').fill('5000');
    const raw = await create(page, 'Made by hand');
    expect(raw).toMatch(RAW_KEY);
    expect((await dashboard.gateway.chat(raw)).status).toBe(200);

    await page.getByRole('button', { name: 'Copy key' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(raw);
    await page.getByRole('link', { name: 'View key' }).click();
    await page.getByRole('heading', { level: 1, name: 'Made by hand', exact: true }).waitFor();
    expect((await page.content()).includes(raw)).toBe(false);
    expect(await page.getByRole('row', { name: 'Requests per minute 7', exact: true }).count()).toBe(1);
    expect(await page.getByRole('row', { name: 'Tokens per month 5,000', exact: true }).count()).toBe(1);
    await page.goBack();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    expect((await page.content()).includes(raw)).toBe(false);
  });

  test('the counted tokens of a key are input and output, unless all tokens are chosen', async () => {
    const page = await dashboard.signedIn('admin', { path: '/keys/new' });
    const counted = page.getByRole('combobox', { name: 'Counted tokens', exact: true });
    expect(await counted.inputValue()).toBe('Input and output');
    await page.getByText('Tokens that count towards the monthly limit.').waitFor();
    await counted.click();
    await page.getByRole('option', { name: 'All tokens, with cache reads and writes', exact: true }).click();
    await create(page, 'All tokens');
    const { body } = await dashboard.gateway.admin<{ keys: object[] }>('GET', '/admin/api-keys?name=All+tokens');
    expect(body.keys).toMatchObject([{ token_counting: 'all' }]);
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('link', { name: 'View key' }).click();
    await page
      .getByRole('row', { name: 'Counted tokens All tokens, with cache reads and writes', exact: true })
      .waitFor();
  });

  test('examples contain the gateway’s URL and the key, and /v1 only for OpenAI', async () => {
    const page = await dashboard.signedIn('admin', { path: '/keys/new' });
    const raw = await create(page, 'For examples');
    const { url } = dashboard.gateway;
    const curl = await page.getByLabel('Example: curl').innerText();
    expect(curl).toContain(`${url}/v1/chat/completions`);
    expect(curl).toContain(raw);
    await page.getByRole('tab', { name: 'OpenAI, Python' }).click();
    expect(await page.getByLabel('Example: OpenAI, Python').innerText()).toContain(`base_url="${url}/v1"`);
    await page.getByRole('tab', { name: 'Anthropic, TypeScript' }).click();
    expect(await page.getByLabel('Example: Anthropic, TypeScript').innerText()).toContain(`baseURL: "${url}",`);
    await page.getByRole('button', { name: 'Copy example' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(raw);
  });

  test('leaving the page needs a confirmation until the key is marked as stored', async () => {
    const page = await dashboard.signedIn('admin', { path: '/keys/new' });
    const raw = await create(page, 'Not stored yet');
    const toModels = page.getByRole('navigation').getByRole('link', { name: 'Models' });
    await toModels.click();
    await page.getByRole('dialog', { name: 'The key is not stored yet' }).getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('API key').inputValue()).toBe(raw);
    await page.getByLabel('I have stored the key').check();
    await toModels.click();
    await page.waitForURL('**/dashboard/models');
  });

  test('the key can be copied without the clipboard API, as on plain HTTP', async () => {
    const page = await dashboard.signedIn('admin', { path: '/keys/new' });
    const raw = await create(page, 'Over plain http');
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByRole('button', { name: 'Create another' }).click();
    await page.getByLabel('Name').press('Control+V');
    expect(await page.getByLabel('Name').inputValue()).toBe(raw);
  });

  test('a validation error of the gateway appears at its field, and the input is kept', async () => {
    const page = await dashboard.signedIn('admin', { path: '/keys/new', expects: [/^400 POST \/admin\/api-keys$/] });
    await page.getByLabel('Name').fill('Wrong limit');
    const minute = page.getByLabel('Requests per minute');
    await minute.fill('0');
    await page.getByRole('button', { name: 'Create key' }).click();
    // The message omits the API's field name, which the page does not show.
    await page.getByText('It must be an integer from 1 to 2147483647.', { exact: true }).waitFor();
    expect(await minute.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Name').inputValue()).toBe('Wrong limit');
    await minute.fill('60');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByLabel('API key').inputValue()).toMatch(RAW_KEY);
  });

  test('a number field accepts common spellings, and rejects text that is not a number without changing it', async () => {
    const page = await dashboard.signedIn('admin', { path: '/keys/new' });
    await page.getByLabel('Name').fill('Spelled numbers');
    const tokens = page.getByLabel('Tokens per month (UTC)');
    for (const wrong of ['1,5', '-5', '5x']) {
      await tokens.fill(wrong);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Enter a whole number, such as 5000000 or 5M.', { exact: true }).waitFor();
      expect(await tokens.inputValue()).toBe(wrong);
    }
    await page.getByLabel('Requests per day (UTC)').fill('1e6');
    await tokens.fill('5M');
    await tokens.blur();
    expect(await tokens.inputValue()).toBe('5,000,000');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('API key').waitFor();
    const { body } = await dashboard.gateway.admin<{ keys: Record<string, unknown>[] }>(
      'GET',
      '/admin/api-keys?name=Spelled%20numbers',
    );
    expect(body.keys).toMatchObject([{ rpd_limit: 1_000_000, monthly_token_limit: 5_000_000 }]);
  });

  test('allowed models can be searched or typed, and the expiry is in local time', async () => {
    const page = await dashboard.signedIn('admin', { path: '/keys/new' });
    await page.getByLabel('Name').fill('Narrow');
    const models = page.getByRole('combobox', { name: 'Allowed models' });
    await models.fill('4o-mini');
    await page.getByRole('option', { name: 'gpt-4o-mini', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('option', { name: 'gpt-4o-mini', exact: true }).click();
    await models.fill('one-that-comes-later');
    await models.press('Enter');
    await page.getByLabel('Expires at (local time)').fill('2031-07-01T12:00');
    await page.getByText('That is 2031-07-01 10:00 UTC.').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('API key').waitFor();
    const { body } = await dashboard.gateway.admin<{ keys: Record<string, unknown>[] }>(
      'GET',
      '/admin/api-keys?name=Narrow',
    );
    expect(body.keys).toMatchObject([
      { allowed_models: ['gpt-4o-mini', 'one-that-comes-later'], expires_at: '2031-07-01T10:00:00.000Z' },
    ]);
  });

  test('a viewer cannot create a key', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/keys/new' });
    await page.getByText('Only admins and owners can create keys').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
  });

  test(
    'the form and the created key are accessible and fit on a phone screen',
    async () => {
      const page = await dashboard.signedIn('admin', { path: '/keys/new', viewport: PHONE });
      await page.getByText('Keys share one provider account').waitFor();
      expect(await isWiderThanScreen(page)).toBe(false);
      await expectAccessible(page);
      await screenshot(page, 'keys-new');
      await create(page, 'On a phone');
      expect(await isWiderThanScreen(page)).toBe(false);
      await expectAccessible(page);
      await screenshot(page, 'keys-created');
    },
    AXE_MS_MAX,
  );
});
