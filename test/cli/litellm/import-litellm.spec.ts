import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { TestGateway } from '../../support/gateway.js';
import { describeInOrder } from '../../support/describe-in-order.js';
import { createEmptyDatabase, createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { cli, cliJson } from '../command.js';

interface Imported {
  readonly dry_run: boolean;
  readonly teams: { created: number; unchanged: number };
  readonly keys: { created: number; unchanged: number };
  readonly limits: { created: number; unchanged: number };
  readonly findings: readonly { place: string; effect: string; reason: string }[];
}

const CHECKOUT_KEY = 'sk-checkout-1234567890abcdef';
const BLOCKED_KEY = 'sk-blocked-1234567890abcdef';
const sha256 = (text: string) => hash('sha256', text, 'hex');

const ROWS = `
insert into "LiteLLM_BudgetTable" (budget_id, max_budget, budget_duration, tpm_limit) values ('b-org', 1000, '30d', null), ('b-key', 12.5, '14d', 5000);
insert into "LiteLLM_OrganizationTable" (organization_id, organization_alias, budget_id, models) values ('o1', 'Shop & Co', 'b-org', '{}');
insert into "LiteLLM_TeamTable" (team_id, team_alias, organization_id, models, max_budget, soft_budget, budget_duration, rpm_limit, blocked, spend)
  values ('t1', 'Checkout', 'o1', '{gpt-4o-mini,gpt-4o}', 500, 400, '1mo', 600, false, 12.3), ('t2', 'Search', null, '{}', null, null, null, null, true, 0);
insert into "LiteLLM_UserTable" (user_id, user_email, max_budget, budget_duration) values ('u1', 'ada@example.com', 1e300, '7d');
insert into "LiteLLM_VerificationToken" (token, key_name, key_alias, team_id, models, rpm_limit, budget_id, expires, metadata) values
  ('${sha256(CHECKOUT_KEY)}', 'sk-...cdef', 'checkout-api', 't1', '{gpt-4o-mini}', 30, 'b-key', '2030-01-01 00:00:00', '{"tags": ["prod"], "model_rpm_limit": {"gpt-4o-mini": 20}}'),
  ('${sha256(BLOCKED_KEY)}', 'sk-...cdef', 'blocked', 't2', '{}', null, null, null, '{}'),
  ('${sha256('sk-personal')}', null, null, null, '{all-proxy-models}', null, null, null, '{}'),
  ('${sha256('sk-nothing')}', null, 'nothing', 't1', '{gpt-9}', null, null, null, '{}'),
  ('not-a-hash', null, 'broken', null, '{}', null, null, null, '{}'),
  ('${sha256('sk-session')}', null, null, 'litellm-dashboard', '{}', null, null, null, '{}');
update "LiteLLM_VerificationToken" set user_id = 'u1' where key_alias is null and team_id is null;
insert into "LiteLLM_ProxyModelTable" values ('m1', 'stored', '{"model": "encrypted"}');
`;

let litellm: ScratchDatabase;
let target: ScratchDatabase;
let folder: string;
let config: string;
beforeAll(async () => {
  [litellm, target] = await Promise.all([createEmptyDatabase(), createScratchDatabase()]);
  folder = await mkdtemp(join(tmpdir(), 'litellm-'));
  config = join(folder, 'config.yaml');
  const client = new Client({ connectionString: litellm.url });
  await client.connect();
  await client.query(await readFile(new URL('./litellm-tables.sql', import.meta.url), 'utf8'));
  await client.query(ROWS);
  await client.end();
  await writeFile(config, 'include: [models.yaml]\nlitellm_settings: { cache: true }\n');
});
afterAll(async () => {
  await Promise.all([litellm.drop(), target.drop(), rm(folder, { recursive: true })]);
});

const run = (...args: string[]) =>
  cliJson<Imported>(['import', 'litellm', '--database', `${litellm.url}?schema=public&connection_limit=5`, ...args], {
    env: { DATABASE_URL: target.url },
  });

describeInOrder('the import of a LiteLLM database', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await TestGateway.start({ GW_IMPORTED_KEYS: 'on' }, { databaseUrl: target.url });
    await writeFile(
      join(folder, 'models.yaml'),
      `model_list: [{ model_name: gpt-4o-mini, litellm_params: { model: openai/gpt-4o-mini, api_base: ${gateway.upstream.url} } }, { model_name: gpt-4o, litellm_params: { model: openai/gpt-4o } }]`,
    );
  });
  afterAll(() => gateway.stop());

  const keys = async () =>
    (await gateway.admin<{ keys: Record<string, unknown>[] }>('GET', '/admin/api-keys?sort_by=name&sort_dir=asc')).body
      .keys;

  test('a dry run shows what would be created, and changes nothing', async () => {
    const { code, body } = await run('--config', config, '--dry-run');
    expect([code, body]).toMatchObject([
      0,
      {
        dry_run: true,
        teams: { created: 2, unchanged: 0 },
        keys: { created: 4, unchanged: 0 },
        limits: { created: 7 },
      },
    ]);
    expect(await keys()).toEqual([]);
  });

  test('teams, keys and limits are created', async () => {
    const { body } = await run('--config', config, '--upstreams-file', join(folder, 'upstreams.yaml'));
    expect(body).toMatchObject({ teams: { created: 2 }, keys: { created: 4 }, limits: { created: 7 } });
    const created = await keys();
    expect(created).toMatchObject([
      { name: 'blocked', status: 'suspended', key_hint: 'sk-…cdef', allowed_models: null },
      {
        name: 'checkout-api',
        status: 'active',
        rpm_limit: 30,
        allowed_models: ['gpt-4o-mini'],
        tags: ['prod'],
        expires_at: '2030-01-01T00:00:00.000Z',
      },
      { name: expect.stringMatching(/^litellm-/), status: 'active', tags: ['user:ada-example.com'], team_id: null },
      { name: 'nothing', status: 'suspended' },
    ]);
    const limits = await gateway.admin<{ limits: Record<string, unknown>[] }>('GET', '/admin/limits?limit=100');
    const shown = limits.body.limits.map(({ scope, measure, period, amount, models, alert_thresholds: alerts }) =>
      [scope, measure, period, amount, models, alerts].map((one) => JSON.stringify(one)).join(' '),
    );
    expect(shown.sort()).toEqual(
      [
        '"key" "cost" "month" "12.5" null [50,80,100]',
        '"key" "requests" "minute" 20 ["gpt-4o-mini"] [50,80,100]',
        '"key" "tokens" "minute" 5000 null [50,80,100]',
        '"tag" "cost" "month" "1000" null [50,80,100]',
        '"tag" "cost" "week" "1000000000" null [50,80,100]',
        '"team" "cost" "month" "500" null [80,100]',
        '"team" "requests" "minute" 600 null [50,80,100]',
      ].sort(),
    );
  });

  test('an imported key works with its old value, and rotates to a new one', async () => {
    expect((await gateway.chat(CHECKOUT_KEY)).status).toBe(200);
    expect((await gateway.chat(CHECKOUT_KEY, { model: 'gpt-4o' })).status).toBe(403);
    expect((await gateway.chat(BLOCKED_KEY)).body).toMatchObject({
      error: { code: 'api_key_suspended' },
    });
    expect((await gateway.chat('sk-invented')).status).toBe(401);
    const { id } = (await keys()).find(({ name }) => name === 'checkout-api')!;
    const rotated = await gateway.admin<{ key: string }>('POST', `/admin/api-keys/${String(id)}/rotate`);
    expect(rotated.body.key).toMatch(/^sk-gw-/);
    expect((await gateway.chat(CHECKOUT_KEY)).status).toBe(401);
    expect((await gateway.chat(rotated.body.key)).status).toBe(200);
  });

  test('a repeated import neither makes a rotated key valid again nor overwrites a file', async () => {
    const again = await run('--config', config);
    expect(again.body).toMatchObject({
      teams: { created: 0, unchanged: 2 },
      keys: { created: 0, unchanged: 4 },
      limits: { created: 0, unchanged: 7 },
    });
    expect((await gateway.chat(CHECKOUT_KEY)).status).toBe(401);
    const failed = await run('--config', config, '--upstreams-file', join(folder, 'upstreams.yaml'));
    expect([failed.code, failed.body]).toMatchObject([1, { error: { code: 'invalid_file' } }]);
  });

  test('everything that has no counterpart is reported', async () => {
    const { body } = await run('--config', config, '--dry-run');
    expect(body.findings.map(({ effect, place }) => `${effect} ${place}`)).toEqual([
      'skipped litellm_settings.cache',
      'changed team "Checkout" spend',
      'changed team "Search"',
      'changed key "checkout-api" budget_duration',
      'action key "nothing"',
      'skipped key "broken"',
      'skipped sign-in sessions',
      'skipped models in the database',
      'action API keys',
    ]);
  });
});

test('without GW_IMPORTED_KEYS, an imported key is rejected like any malformed key', async () => {
  const gateway = await TestGateway.start({}, { databaseUrl: target.url });
  expect((await gateway.chat('sk-personal')).body).toMatchObject({
    error: { code: 'invalid_api_key' },
  });
  await gateway.stop();
});

test('wrong input is rejected with a remedy, and without a secret', async () => {
  const env = { DATABASE_URL: target.url };
  const attempt = async (...args: string[]) => {
    const { code, stderr } = await cli(['import', 'litellm', ...args], { env });
    return `${code} ${stderr}`;
  };
  expect(await attempt()).toMatch(/^2 .*--config/);
  expect(await attempt('--config', join(folder, 'missing.yaml'))).toMatch(/^1 .*cannot be read/);
  expect(await attempt('--database', 'mysql://root:hunter22@host/db')).toMatch(/^2 (?!.*hunter22)/);
  expect(await attempt('--database', target.url)).toMatch(/^1 .*has no table "LiteLLM_VerificationToken"/);
  expect(await attempt('--database', 'postgres://root:hunter22@127.0.0.1:1/db')).toMatch(
    /^1 (?!.*hunter22).*cannot be read/,
  );
});
