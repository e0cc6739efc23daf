import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ERROR_CODES } from '../../../src/platform/errors/error-code.data.js';
import { TestGateway } from '../../support/gateway.js';
import { OperatorSession } from '../../support/operator-session.js';
import { poll } from '../../support/poll.js';
import { cli, cliJson, failureOf } from '../../cli/command.js';

let gateway: TestGateway;
let env: Record<string, string>;

beforeAll(async () => {
  gateway = await TestGateway.start();
  env = { DATABASE_URL: gateway.databaseUrl };
});
afterAll(() => gateway.stop());

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const read = async (path: string) => (await gateway.admin('GET', path)).body;
const change = (...args: string[]) => cliJson(args, { env });

describe('key update', () => {
  test('key update changes only the given fields, and a running gateway applies them immediately', async () => {
    const { id, key } = await gateway.createKey({ name: 'grows', rpm_limit: 1, rpd_limit: 70 });
    expect((await gateway.chat(key)).status).toBe(200);
    expect((await gateway.chat(key)).status).toBe(429);
    const { code, body } = await change('key', 'update', id, '--rpm', '1000', '--monthly-tokens', '5000');
    expect(code).toBe(0);
    expect(body).toMatchObject({ name: 'grows', rpm_limit: 1000, rpd_limit: 70, monthly_token_limit: 5000 });
    expect((await gateway.chat(key)).status).toBe(200);
    expect({ ...(await read(`/admin/api-keys/${id}`)), last_used_at: null }).toEqual({ ...body, last_used_at: null });
  });

  test('key update removes limits with unlimited, all and never', async () => {
    const limits = { monthly_limit: 7, monthly_token_limit: 7, allowed_models: ['m'], expires_at: '2099-01-01' };
    const { id } = await gateway.createKey({ name: 'set free', ...limits });
    const words = ['--monthly', 'unlimited', '--monthly-tokens', 'unlimited', '--models', 'all', '--expires', 'never'];
    const { code, stdout } = await cli(['key', 'update', id, ...words], { env });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/unlimited per month[^]*expires +never\n$/),
    });
    expect(await read(`/admin/api-keys/${id}`)).toMatchObject({
      monthly_limit: null,
      monthly_token_limit: null,
      allowed_models: null,
      expires_at: null,
    });
  });

  test('key update rejects invalid values with the error of the Admin API', async () => {
    const { error } = (await gateway.admin('PATCH', `/admin/api-keys/${UNKNOWN}`, { rpm_limit: 0 })).body as {
      error: { code: string; message: string; param: string };
    };
    const { code, message, param } = error;
    expect(await failureOf(['key', 'update', UNKNOWN, '--rpm', '0'])).toEqual({
      exitCode: 2,
      error: { code, message, param },
    });
    expect(await failureOf(['key', 'update', UNKNOWN, '--rpm', 'unlimited'])).toMatchObject({ exitCode: 2 });
    const unknown = await change('key', 'update', UNKNOWN, '--rpm', '1');
    expect(unknown).toMatchObject({ code: 1, body: { error: { code: 'not_found', message: 'API key not found' } } });
  });
});

describe('key create and key update --token-counting', () => {
  test('key create and key update set the counted tokens, and key usage names them', async () => {
    const made = await change('key', 'create', '--name', 'counts', '--token-counting', 'all');
    expect(made).toMatchObject({ code: 0, body: { token_counting: 'all' } });
    const { id } = made.body as { id: string };
    expect((await cli(['key', 'usage', id], { env })).stdout).toContain('tokens per month, counting all kinds.\n');
    const updated = await change('key', 'update', id, '--token-counting', 'specification');
    expect(updated.body).toMatchObject({ id, token_counting: 'specification' });
    const { stdout } = await cli(['key', 'update', id, '--token-counting', 'all'], { env });
    expect(stdout).toMatch(/tokens +unlimited per month, counting all kinds\n/);
  });

  test('key create rejects another value and names the field', async () => {
    expect(await failureOf(['key', 'create', '--name', 'x', '--token-counting', 'some'])).toMatchObject({
      exitCode: 2,
      error: { param: 'token_counting' },
    });
  });
});

describe('key usage', () => {
  test('key usage returns the same as the Admin API, and prints days, months and limits', async () => {
    const { id, key } = await gateway.createKey({ name: 'busy', monthly_token_limit: 100_000 });
    expect((await gateway.chat(key)).status).toBe(200);
    await poll(() => read(`/admin/api-keys/${id}/usage`)).toMatchObject({ monthly: [{ requests: 1 }] });
    expect(await change('key', 'usage', id)).toEqual({
      code: 0,
      failed: false,
      body: await read(`/admin/api-keys/${id}/usage`),
    });
    const { stdout } = await cli(['key', 'usage', id, '--days', '1', '--months', '1'], { env });
    expect(stdout).toMatch(
      /"busy": unlimited requests and 100000 tokens per month\.\n\nMONTH +REQUESTS[^]*\nDAY +REQUESTS/,
    );
  });

  test('key usage reports a key without usage, and fails with not_found for an unknown key', async () => {
    const { id } = await gateway.createKey({ name: 'idle' });
    expect((await cli(['key', 'usage', id], { env })).stdout).toContain('No usage is recorded.\n');
    expect(await change('key', 'usage', UNKNOWN)).toMatchObject({ code: 1, body: { error: { code: 'not_found' } } });
    expect(await failureOf(['key', 'usage', UNKNOWN, '--days', '366'])).toMatchObject({ exitCode: 2 });
  });
});

describe('key reset-quota', () => {
  test('key reset-quota resets the counts in a running gateway immediately', async () => {
    const { id, key } = await gateway.createKey({ name: 'used up', rpm_limit: 1 });
    expect((await gateway.chat(key)).status).toBe(200);
    expect((await gateway.chat(key)).status).toBe(429);
    const { code, body } = await change('key', 'reset-quota', id.toUpperCase(), '--window', 'minute');
    expect([code, body]).toEqual([0, { key_id: id, window: 'minute', reset: true }]);
    expect((await gateway.chat(key)).status).toBe(200);
    expect((await cli(['key', 'reset-quota', id], { env })).stdout).toBe(
      `Reset the request counts of API key ${id}: minute, day and month.\n`,
    );
    const { logs } = (await read(`/admin/api-keys/${id}/audit?limit=2`)) as { logs: object[] };
    expect(logs).toMatchObject(
      ['all', 'minute'].map((window) => ({ action: 'api_key.quota_reset', metadata: { window, via: 'cli' } })),
    );
  });

  test('key reset-quota rejects an invalid window and an unknown key', async () => {
    const wrong = await failureOf(['key', 'reset-quota', UNKNOWN, '--window', 'tokens']);
    expect(wrong).toMatchObject({ exitCode: 2, error: { code: 'validation_error', param: 'window' } });
    const unknown = await change('key', 'reset-quota', UNKNOWN);
    expect(unknown).toMatchObject({ code: 1, body: { error: { code: 'not_found' } } });
  });
});

describe('model list, block, allow, reset', () => {
  test('a running gateway applies model policies within a second, and audit rows name the CLI', async () => {
    const { key } = await gateway.createKey({ name: 'asks' });
    const model = 'gpt-4o-mini';
    // Each process caches the policy and applies changes within a second (D3).
    const chat = () => poll(() => gateway.chat(key));
    const row = { model, enabled: false, note: 'too dear', updated_by: 'system' };
    expect(await change('model', 'block', model, '--note', 'too dear')).toMatchObject({ code: 0, body: row });
    expect(await read(`/admin/model-allowlist/${model}`)).toMatchObject(row);
    await chat().toMatchObject({ body: { error: { code: 'model_not_available' } } });
    expect((await change('model', 'list')).body).toMatchObject({ total: 1, has_more: false, models: [row] });
    expect((await cli(['model', 'list'], { env })).stdout).toMatch(
      /gpt-4o-mini +blocked +.* +command line +too dear\n\n1 to 1/,
    );
    expect(await change('model', 'allow', model)).toMatchObject({ code: 0, body: { enabled: true, note: null } });
    await chat().toMatchObject({ status: 200 });
    expect(await change('model', 'reset', model)).toMatchObject({ code: 0, body: { model, deleted: true } });
    const { logs } = (await read('/admin/audit-logs?limit=3')) as { logs: { action: string; metadata: object }[] };
    expect(logs.map(({ action }) => action)).toEqual(['model_policy.deleted', 'model_policy.set', 'model_policy.set']);
    for (const { metadata } of logs) expect(metadata).toMatchObject({ via: 'cli', actor_id: null });
  });
});

test('model list shows the operator name or key type that set a policy', async () => {
  const ada = await OperatorSession.of(gateway, 'admin');
  const policy = (model: string) => ({ model, enabled: false });
  await ada.call('POST', '/admin/model-allowlist', policy('by-ada'));
  await gateway.admin('POST', '/admin/model-allowlist', policy('by-key'));
  const { stdout } = await cli(['model', 'list'], { env });
  expect(stdout).toMatch(new RegExp(`by-ada +blocked .*Z +${ada.operator.name}\\n`));
  expect(stdout).toMatch(/by-key +blocked .*Z +admin key\n/);
  for (const model of ['by-ada', 'by-key']) await change('model', 'reset', model);
});

test('model list pages in the order of model IDs and reports an empty list', async () => {
  const list = (...args: string[]) => change('model', 'list', ...args);
  expect(await list()).toMatchObject({ code: 0, body: { total: 0, has_more: false, models: [] } });
  expect((await cli(['model', 'list'], { env })).stdout).toMatch(/^No model has a policy/);
  for (const model of ['b', 'a', 'B']) await change('model', 'block', model);
  expect((await list('--limit', '2')).body).toMatchObject({
    total: 3,
    has_more: true,
    models: [{ model: 'B' }, { model: 'a' }],
  });
  expect((await list('--limit', '2', '--offset', '2')).body).toMatchObject({
    has_more: false,
    models: [{ model: 'b' }],
  });
  expect((await cli(['model', 'list', '--offset', '3'], { env })).stdout).toBe(
    '--offset 3 is past the end of the list (total: 3).\n',
  );
  expect(await failureOf(['model', 'list', '--limit', '0'])).toMatchObject({ exitCode: 2, error: { param: 'limit' } });
  for (const model of ['b', 'a', 'B']) await change('model', 'reset', model);
});

test('model reset of a model without a policy fails with not_found', async () => {
  expect(await change('model', 'reset', 'nobody')).toMatchObject({ code: 1, body: { error: { code: 'not_found' } } });
});

describe('request show', () => {
  test('request show explains why a request was rejected, given its ID', async () => {
    const { key } = await gateway.createKey({ name: 'once', rpm_limit: 1 });
    await gateway.chat(key);
    const { error } = (await gateway.chat(key)).body as { error: { request_id: string } };
    const path = `/admin/request-logs?request_id=${error.request_id}`;
    await poll(() => read(path)).toMatchObject({ total: 1, logs: [{ status: 429 }] });
    expect((await change('request', 'show', error.request_id)).body).toEqual(await read(path));
    const { stdout } = await cli(['request', 'show', error.request_id], { env });
    expect(stdout).toMatch(
      /key +once \([^]*status +429 rate_limit_exceeded\n +message +Rate limit exceeded: requests per minute\n/,
    );
    const { what, help } = ERROR_CODES.rate_limit_exceeded;
    expect(stdout).toContain(`meaning  ${what}\n  remedy   ${help}\n`);
  });

  test('request show prints the cost, its price and each line', async () => {
    const { key } = await gateway.createKey();
    const { headers } = await gateway.chat(key);
    const id = headers.get('x-request-id')!;
    const path = `/admin/request-logs?request_id=${id}`;
    await poll(() => read(path)).toMatchObject({ total: 1 });
    expect((await change('request', 'show', id)).body).toEqual(await read(path));
    const { stdout } = await cli(['request', 'show', id], { env });
    expect(stdout).toMatch(
      /tokens +9 input, 3 output \(reported\)\n +cost +\$0\.00000315\n +price +list \S+ openai\/gpt-4o-mini\n/,
    );
    expect(stdout).toMatch(
      /\n\nKIND +UNITS +PRICE +AMOUNT\ninput +9 +\$0\.15 per 1000000 tokens +\$0\.00000135\noutput +3 +/,
    );
  });

  test('request show names the kinds that need a price', async () => {
    const { key } = await gateway.createKey();
    const { headers } = await gateway.chat(key, { model: 'acme-custom-1' });
    const id = headers.get('x-request-id')!;
    await poll(() => read(`/admin/request-logs?request_id=${id}`)).toMatchObject({ total: 1 });
    const { stdout } = await cli(['request', 'show', id], { env });
    expect(stdout).toMatch(/cost +unknown\n +price +none\n +needs a price +input, output\n$/);
  });

  test('request show fails with not_found without a log entry, and rejects an invalid ID', async () => {
    const nothing = await cli(['request', 'show', UNKNOWN], { env });
    expect(nothing).toMatchObject({ code: 1, stdout: '' });
    expect(nothing.stderr).toMatch(/^error: No log entry exists for this request ID\. [^\n]+\n$/);
    expect(await change('request', 'show', UNKNOWN)).toMatchObject({ code: 1, body: { error: { code: 'not_found' } } });
    expect(await failureOf(['request', 'show', 'abc'])).toMatchObject({ exitCode: 2, error: { param: 'request_id' } });
  });
});

test('notification list returns the same as the Admin API, and prints key names and counts', async () => {
  const { id, key } = await gateway.createKey({ name: 'warned', monthly_limit: 1 });
  expect((await gateway.chat(key)).status).toBe(200);
  await poll(async () => ((await read(`/admin/api-keys/${id}/usage`)) as { monthly: unknown[] }).monthly).toHaveLength(
    1,
  );
  await gateway.admin('POST', '/admin/jobs/daily/run');
  const types = async () =>
    ((await read('/admin/notifications')) as { notifications: { type: string }[] }).notifications.map(
      ({ type }) => type,
    );
  await poll(async () => (await types()).includes('key_quota_exceeded')).toBe(true);
  // Another test used a model without a price. Its notification can arrive between both reads.
  await poll(async () => {
    const printed = (await change('notification', 'list', '--limit', '1')).body;
    return isDeepStrictEqual(printed, await read('/admin/notifications?limit=1'));
  }).toBe(true);
  const { stdout } = await cli(['notification', 'list'], { env });
  expect(stdout).toMatch(/key_quota_exceeded .*used=1 limit=1 .*key_name=warned/);
});
