import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { startDashboard, type Dashboard } from './browser.js';

const BYTES_MAX = 350_000;

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());

test('the overview with its scripts, styles and charts transfers less than 350 KB', async () => {
  const { gateway } = dashboard;
  const key = await gateway.createKey();
  await gateway.chat(key);
  await until(
    async () => (await gateway.admin<{ total: number }>('GET', '/admin/request-logs')).body.total > 0,
    10_000,
  );
  const page = await dashboard.open({ path: '/none.txt', expects: [/^404 GET \/dashboard\/none\.txt$/] });
  const sizes: Promise<[string, number]>[] = [];
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/dashboard\/($|assets\/)/.test(pathname))
      sizes.push(request.sizes().then(({ responseBodySize }) => [pathname, responseBodySize]));
  });
  await page.context().addCookies([dashboard.cookieOf(await dashboard.operator('owner'))]);
  await page.goto(`${gateway.url}/dashboard/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const files = await Promise.all(sizes);
  expect(files.length).toBeGreaterThan(2);
  const bytes = files.reduce((sum, [, size]) => sum + size, 0);
  if (bytes >= BYTES_MAX)
    throw new Error(`${bytes} bytes:\n${files.map(([name, size]) => `${size} ${name}`).join('\n')}`);
});
