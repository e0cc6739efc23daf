import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { insertRows } from '../support/cost-rows.js';
import { poll } from '../support/poll.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';
import { dayBefore } from './usage-traffic.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.stop());

interface Team {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
}

const admin = <T = Record<string, unknown>>(method: string, path: string, body?: object) =>
  dashboard.gateway.admin<T>(method, `/admin${path}`, body);
const makeTeam = async (name: string, tags: readonly string[] = []) =>
  (await admin<Team>('POST', '/teams', { name, tags })).body;
const teams = async (name: string) => (await admin<{ teams: Team[] }>('GET', `/teams?name=${name}`)).body.teams;
const main = (page: Page) => page.getByRole('main');
const linkTo = (page: Page, name: string) => main(page).getByRole('link', { name, exact: true });
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });
async function choose(page: Page, of: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${of}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('teams', () => {
  test('an empty list explains teams, and a team can be created and renamed', async () => {
    const page = await dashboard.signedIn('admin', { path: '/teams' });
    await page.getByText('No teams yet').waitFor();
    await button(page, 'Create team').click();
    const dialog = page.getByRole('dialog', { name: 'Create team' });
    await dialog.getByLabel('Name').fill('Search');
    await dialog.getByRole('combobox', { name: 'Tags' }).pressSequentially('production region:eu ');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await rowOf(page, 'Search').getByText('region:eu').waitFor();
    await choose(page, 'Search', 'Edit');
    const edit = page.getByRole('dialog', { name: 'Edit team “Search”' });
    expect(await edit.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await edit.getByLabel('Name').fill('Search and ads');
    await edit.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Search and ads').waitFor();
    expect(await teams('Search')).toMatchObject([{ name: 'Search and ads', tags: ['production', 'region:eu'] }]);
  });

  test('an edit sends only the changed fields, so that it keeps concurrent changes', async () => {
    const { id } = await makeTeam('Edited twice', ['one']);
    const page = await dashboard.signedIn('admin', { path: '/teams?name=Edited' });
    await choose(page, 'Edited twice', 'Edit');
    await admin('PATCH', `/teams/${id}`, { tags: ['two'] });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Edited again');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Edited again').getByText('two').waitFor();
  });

  test('a name that is already in use shows the gateway’s message at the field', async () => {
    await makeTeam('Taken');
    const page = await dashboard.signedIn('admin', { path: '/teams', expects: [/^4\d\d POST \/admin\/teams$/] });
    await button(page, 'Create team').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('taken');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await poll(() => dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  });

  test('a team with keys cannot be deleted, and one without keys can', async () => {
    const { id } = await makeTeam('To be deleted');
    const key = await dashboard.gateway.createKey({ name: 'member', team_id: id });
    const page = await dashboard.signedIn('admin', {
      path: `/teams/${id}`,
      expects: [/^400 DELETE \/admin\/teams\//],
    });
    await linkTo(page, 'member').waitFor();
    await button(page, 'Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete this team?' });
    await dialog.getByText('The team still has').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await admin('PATCH', `/api-keys/${key.id}`, { team_id: null });
    await button(page, 'Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/dashboard/teams');
    expect((await admin('GET', `/teams/${id}`)).status).toBe(404);
  });

  test('the team page shows the keys and the limits of the team', async () => {
    const { id } = await makeTeam('Shown', ['shown']);
    await dashboard.gateway.createKey({ name: 'of the team', team_id: id, tags: ['batch'] });
    await dashboard.gateway.createKey({ name: 'of nobody' });
    await admin('POST', '/limits', {
      scope: 'team',
      team_id: id,
      measure: 'cost',
      period: 'month',
      amount: '500',
      name: 'Team budget',
    });
    const page = await dashboard.signedIn('viewer', { path: `/teams/${id}` });
    await page.getByRole('meter', { name: 'Team budget' }).waitFor();
    const keys = page.getByRole('region', { name: 'Keys of the team' });
    await keys.getByRole('link', { name: 'of the team' }).waitFor();
    expect(await keys.getByRole('link', { name: 'of nobody' }).count()).toBe(0);
    await keys.getByText('batch').waitFor();
    for (const name of ['Edit', 'Delete']) expect(await button(page, name).count()).toBe(0);
    expect(await linkTo(page, 'Add limit').count()).toBe(0);
  });

  test('the costs of a team are in the team list and on the costs page', async () => {
    const { id } = await makeTeam('Spends');
    const [inTeam, other] = [
      await dashboard.gateway.createKey({ name: 'spends in a team', team_id: id }),
      await dashboard.gateway.createKey({ name: 'spends elsewhere' }),
    ];
    const row = { day: dayBefore(1), model: 'gpt-4o', endpoint: '/v1/chat/completions', provider: 'default' };
    const figures = { requests: 2, unpriced: 0, estimated: 0, backfilled: false, units: 10 };
    await insertRows(dashboard.gateway.app.get(DataSource), [
      { ...row, ...figures, keyId: inTeam.id, nanos: 2_500_000_000n },
      { ...row, ...figures, keyId: other.id, nanos: 4_000_000_000n },
    ]);
    const page = await dashboard.signedIn('viewer', { path: '/teams?name=Spends' });
    await rowOf(page, 'Spends').getByText('$2.50').waitFor();
    await linkTo(page, 'Spends').click();
    await page.getByRole('region', { name: 'Keys of the team' }).getByText('$2.50').waitFor();
    await linkTo(page, 'Costs').click();
    await page.waitForURL(`**/costs?team_id=${id}`);
    await page.getByRole('tab', { name: 'By team' }).click();
    const costs = page.getByRole('region', { name: 'Costs by team' });
    await costs.getByRole('row').filter({ hasText: 'Spends' }).getByText('$2.50').waitFor();
    expect(await costs.getByText('$4.00').count()).toBe(0);
    await costs.getByRole('link', { name: 'Spends' }).click();
    await page.waitForURL(`**/teams/${id}`);
  });

  test('a viewer sees the teams but cannot change them', async () => {
    await makeTeam('Looked at');
    const page = await dashboard.signedIn('viewer', { path: '/teams?name=Looked' });
    await linkTo(page, 'Looked at').waitFor();
    expect(await button(page, 'Create team').count()).toBe(0);
    expect(
      await main(page)
        .getByRole('button', { name: /^Actions for/ })
        .count(),
    ).toBe(0);
  });

  test('an unknown team ID shows a message', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const page = await dashboard.signedIn('viewer', { path: `/teams/${id}`, expects: [/^404 GET/] });
    await page.getByRole('heading', { level: 1, name: 'Team not found' }).waitFor();
  });
});

describe('team and tags of a key', () => {
  test('a key is created with a team and tags, and moves to another team', async () => {
    const [search, ads] = [await makeTeam('Team search'), await makeTeam('Team ads')];
    const page = await dashboard.signedIn('admin', { path: '/keys/new' });
    await page.getByLabel('Name').fill('Moves');
    await page.getByRole('combobox', { name: 'Team' }).click();
    await page.getByRole('option', { name: 'Team search' }).click();
    await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('nightly ');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('API key').waitFor();
    const key = (await admin<{ keys: { id: string }[] }>('GET', '/api-keys?name=Moves')).body.keys[0]!;
    expect(key).toMatchObject({ team_id: search.id, tags: ['nightly'] });
    await page.getByLabel('I have stored the key').check();
    await page.getByRole('link', { name: 'View key' }).click();
    await page.getByRole('row', { name: 'Team Team search' }).waitFor();
    await button(page, 'Edit').click();
    const form = page.getByRole('region', { name: 'Edit key' });
    await form.getByRole('combobox', { name: 'Team' }).click();
    await page.getByRole('option', { name: 'Team ads' }).click();
    await form.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByRole('row', { name: 'Team Team ads' }).waitFor();
    expect((await admin('GET', `/api-keys/${key.id}`)).body).toMatchObject({ team_id: ads.id, tags: ['nightly'] });
  });

  test('the key list can be filtered by team and by tag', async () => {
    const { id } = await makeTeam('Filter team', ['of-team']);
    await dashboard.gateway.createKey({ name: 'filtered by team', team_id: id });
    await dashboard.gateway.createKey({ name: 'filtered by tag', tags: ['own-tag'] });
    const page = await dashboard.signedIn('viewer', { path: '/keys' });
    await rowOf(page, 'filtered by team').getByRole('link', { name: 'Filter team' }).waitFor();
    await page.getByRole('combobox', { name: 'Team' }).click();
    await page.getByRole('option', { name: 'Filter team' }).click();
    await linkTo(page, 'filtered by tag').waitFor({ state: 'detached' });
    await linkTo(page, 'filtered by team').waitFor();
    await button(page, 'Clear').click();
    await page.getByLabel('Tag', { exact: true }).fill('own-tag');
    await linkTo(page, 'filtered by team').waitFor({ state: 'detached' });
    await rowOf(page, 'filtered by tag').getByText('own-tag').waitFor();
    expect(new URL(page.url()).search).toBe('?tag=own-tag');
  });
});

test(
  'the team pages and the form are accessible and fit on a phone screen',
  async () => {
    const { id } = await makeTeam(
      'w'.repeat(255),
      Array.from({ length: 20 }, (_, n) => `${'long-tag-'.repeat(6)}${n}`),
    );
    await dashboard.gateway.createKey({ name: 'seen on a phone', team_id: id, tags: ['production'] });
    await admin('POST', '/limits', { scope: 'team', team_id: id, measure: 'tokens', period: 'day', amount: 1000 });
    const page = await dashboard.signedIn('admin', { path: '/teams?name=www', viewport: PHONE });
    await linkTo(page, 'w'.repeat(255)).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await button(page, 'Create team').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('Enter a name.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'team-form-phone');
    await page.goto(`${dashboard.gateway.url}/dashboard/teams/${id}`);
    await page.getByRole('meter').waitFor();
    await linkTo(page, 'seen on a phone').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'team-phone');
  },
  AXE_MS_MAX,
);
