import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { until } from '../support/until.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
  // After this run, the check at startup has finished, so no other run starts during the tests.
  await dashboard.gateway.admin('POST', '/admin/jobs/daily/run');
  await until(ended, RUN_MS_MAX);
});
afterAll(() => dashboard.stop());

/** The timeout of the daily job is generous, because other work can share the machine. */
const RUN_MS_MAX = 30_000;

const query = <T = unknown>(sql: string, parameters: unknown[] = []): Promise<T> =>
  dashboard.gateway.app.get(DataSource).query(sql, parameters);
interface Run {
  readonly outcome?: 'running' | 'succeeded' | 'failed';
  readonly counts?: Readonly<Record<string, number>>;
  readonly seconds?: number;
  readonly job?: 'daily' | 'probes';
}
/** Inserts a run that started `n` hours ago. */
const insert = ({ outcome = 'succeeded', counts = {}, seconds = 2, job = 'daily' }: Run, n = 1) =>
  query(
    `insert into job_runs (run_id, job, started_at, finished_at, outcome, counts)
     select gen_random_uuid(), $1, began, case $2 when 'running' then null else began + $3 * interval '1 second' end, $2, $4
       from (select now() - $5 * interval '1 hour' as began) t`,
    [job, outcome, seconds, JSON.stringify(counts), n],
  );
const rows = (page: Page) => page.getByRole('region', { name: 'Job runs' }).getByRole('row');

const ended = async () => (await query<unknown[]>(`select from job_runs where outcome = 'running'`)).length === 0;

beforeEach(async () => {
  await until(ended, RUN_MS_MAX);
  await query('delete from job_runs');
});

describe('job runs', () => {
  test('a run shows its counts in words, its duration and its failure', async () => {
    await insert({ counts: { keys_looked_at: 1812, key_expired: 1, request_logs_deleted: 1200 } }, 1);
    await insert({ outcome: 'failed', counts: { audit_logs_months_left: 1 }, seconds: 600 }, 2);
    await insert({ job: 'probes', counts: { models: 14, failed: 2 }, seconds: 0.34 }, 3);
    await insert({}, 4);
    const page = await dashboard.signedIn('viewer', { path: '/jobs' });
    // Placeholder rows appear during loading.
    await rows(page).filter({ hasText: 'Nothing to do.' }).waitFor();
    const texts = (await rows(page).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(texts[1]).toContain('keys checked: 1,812; “Key expired” events: 1; rows of request_logs deleted: 1,200');
    expect(texts[1]).toContain('2.0 s');
    expect(texts[2]).toContain('The run is incomplete');
    expect(texts[2]).toContain('months of audit_logs left for the next run: 1');
    expect(texts[2]).toContain('10 min');
    expect(texts[3]).toMatch(/Model probes.*340 ms.*models probed: 14; models failed: 2/);
    expect(texts[4]).toContain('Nothing to do.');
    await screenshot(page, 'jobs-words');
  });

  test('job runs are paginated', async () => {
    for (let n = 0; n < 51; n++) await insert({}, n + 1);
    const page = await dashboard.signedIn('viewer', { path: '/jobs' });
    await page.getByText('51 in total').waitFor();
    await page.getByRole('button', { name: '2', exact: true }).click();
    await page.waitForURL('**?page=2');
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  });

  test('a running job is refreshed until it ends', async () => {
    await insert({ outcome: 'running' }, 0);
    const page = await dashboard.signedIn('viewer', { path: '/jobs' });
    await rows(page).getByText('running', { exact: true }).waitFor();
    await query(`update job_runs set outcome = 'succeeded', finished_at = now()`);
    await rows(page).getByText('succeeded', { exact: true }).waitFor();
  });

  test('an admin can run the daily job once after a confirmation', async () => {
    const page = await dashboard.signedIn('admin', { path: '/jobs' });
    await page.getByText('No job runs yet').waitFor();
    await page.getByRole('button', { name: 'Run daily job' }).click();
    await page.getByText('Deletes logs, deliveries and statistics').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).dblclick();
    await rows(page).getByText('succeeded', { exact: true }).waitFor();
    expect((await dashboard.gateway.admin('GET', '/admin/jobs')).body).toMatchObject({
      total: 1,
      jobs: [{ job: 'daily', outcome: 'succeeded' }],
    });
  });

  test('a viewer cannot run the daily job', async () => {
    const page = await dashboard.signedIn('viewer', { path: '/jobs' });
    await page.getByText('No job runs yet').waitFor();
    expect(await page.getByRole('button', { name: /daily job/ }).count()).toBe(0);
  });
});

test(
  'the jobs page is accessible and fits on a phone screen',
  async () => {
    const page = await dashboard.signedIn('admin', { path: '/jobs', viewport: PHONE });
    await page.getByText('No job runs yet').waitFor();
    await expectAccessible(page);
    await insert({ counts: { keys_looked_at: 12 } }, 1);
    await insert({ outcome: 'failed' }, 2);
    await page.reload();
    await rows(page).nth(2).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Run daily job' }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'jobs-phone');
  },
  AXE_MS_MAX,
);
