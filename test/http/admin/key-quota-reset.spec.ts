import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { KeyCache } from '../../../src/keys/key-cache.js';
import { until } from '../../support/until.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { errorIn, refusalIn, snapshot } from '../../support/answers.js';
import { startGateway } from '../../support/ready-gateway.js';
import { pinnedKey } from '../v1/windows.js';

const LIMIT = 10;

let database: ScratchDatabase;
let upstream: ScriptedUpstream;
let one: TestGateway;
/** Hears of no change of a key: what it knows at once it knows from admission. */
let deaf: TestGateway;
beforeAll(async () => {
  [database, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  const start = () => startGateway({}, { upstream, databaseUrl: database.url });
  [one, deaf] = await Promise.all([start(), start()]);
  jest.spyOn(deaf.app.get(KeyCache), 'keysChanged').mockImplementation(() => {});
});
afterAll(async () => {
  jest.restoreAllMocks();
  await Promise.all([one.stop(), deaf.stop()]);
  await upstream.stop();
  await database.drop();
});

const path = ({ id }: { readonly id: string }) => `/admin/api-keys/${id}/reset-quota`;
const reset = (key: { readonly id: string }, body?: unknown) => one.admin('POST', path(key), body);

/** How many of twice the limit at once, at both gateways, were served. */
async function served(key: Key): Promise<number> {
  const gateways = [one, deaf];
  const answers = await Promise.all(
    Array.from({ length: 2 * LIMIT }, (_, at) => gateways[at % 2]!.chat(key).then(refusalIn)),
  );
  const refused = answers.filter((answer) => answer !== '200');
  expect(new Set(refused)).toEqual(new Set(['429 rate_limit_exceeded']));
  return answers.length - refused.length;
}

async function used(key: Key): Promise<number[]> {
  const { this_minute, today, this_month } = await snapshot(deaf, key);
  return [this_minute.used, today.used, this_month.requests.used];
}

interface Reset {
  readonly action: string;
  readonly actor_type: string;
  readonly metadata: { readonly window: string; readonly changes: unknown };
}
const audited = (key: Key) =>
  one.app.get(DataSource).query<Reset[]>(
    `select action, actor_type, metadata from audit_logs where target_id = $1 and action = 'api_key.quota_reset'
        order by created_at`,
    [key.id],
  );

describe('a reset', () => {
  test.each([
    ['minute', 'rpm_limit'],
    ['day', 'rpd_limit'],
    ['month', 'monthly_limit'],
  ])('of the %s lets the limit pass again at once, exactly, on every gateway', async (window, field) => {
    const key = await pinnedKey(one, { [field]: LIMIT });
    for (let round = 0; round < 3; round++) {
      expect(await served(key)).toBe(LIMIT);
      const { status, body } = await reset(key, { window });
      expect([status, body]).toEqual([200, { key_id: key.id, window, reset: true }]);
    }
  });

  test.each([
    [undefined, 'all', [0, 0, 0]],
    [{}, 'all', [0, 0, 0]],
    [{ window: 'all' }, 'all', [0, 0, 0]],
    [{ window: 'minute' }, 'minute', [0, 2, 2]],
    [{ window: 'day' }, 'day', [2, 0, 2]],
    [{ window: 'month' }, 'month', [2, 2, 0]],
  ])('asked for by %j is of %s', async (body, window, left) => {
    const key = await pinnedKey(one, { monthly_limit: 100 });
    for (const gateway of [one, deaf]) await gateway.chat(key);
    expect((await reset(key, body)).body).toEqual({ key_id: key.id, window, reset: true });
    expect(await used(key)).toEqual(left);
  });

  test('holds for the very next request at a gateway that refused a moment before', async () => {
    const key = await pinnedKey(one, { rpd_limit: 1 });
    for (let round = 0; round < 10; round++) {
      expect(refusalIn(await deaf.chat(key))).toBe('200');
      expect(refusalIn(await deaf.chat(key))).toBe('429 rate_limit_exceeded');
      await reset(key);
    }
  });

  test('brings no tokens back', async () => {
    const key = await pinnedKey(one, { monthly_token_limit: 12 });
    await one.chat(key);
    await until(async () => (await snapshot(one, key)).this_month.tokens.used === 12, 2000);
    await reset(key);
    expect(errorIn(await one.chat(key)).message).toBe('Monthly token limit exceeded');
  });

  test.each(['suspend', 'revoke'])('works on a key after %s, and lets nobody in by it', async (action) => {
    const key = await pinnedKey(one);
    await one.chat(key);
    await one.admin('POST', `/admin/api-keys/${key.id}/${action}`);
    expect((await reset(key)).status).toBe(200);
    expect(refusalIn(await deaf.chat(key))).toMatch(/^403 api_key_/);
  });

  test('is written down with the window and what was counted before', async () => {
    const key = await pinnedKey(one);
    for (let request = 0; request < 3; request++) await one.chat(key);
    await reset(key, { window: 'minute' });
    await reset(key);
    const change = (old: number) => ({ old, new: 0 });
    const rows = await audited(key);
    expect(rows.map(({ actor_type, metadata }) => [actor_type, metadata.window, metadata.changes])).toEqual([
      ['admin_key', 'minute', { minute: change(3) }],
      ['admin_key', 'all', { minute: change(0), day: change(3), month: change(3) }],
    ]);
    expect(Object.keys(rows[0]!.metadata).sort()).toEqual(['actor_id', 'changes', 'ip', 'request_id', 'window']);
  });

  test('by several admins at once is done once for each, and one of them wiped what there was', async () => {
    const key = await pinnedKey(one);
    for (let request = 0; request < 4; request++) await one.chat(key);
    const answers = await Promise.all(Array.from({ length: 12 }, () => reset(key, { window: 'day' })));
    expect(answers.map(({ status }) => status)).toEqual(new Array(12).fill(200));
    const old = (await audited(key)).map(({ metadata }) => (metadata.changes as { day: { old: number } }).day.old);
    expect(old).toEqual([4, ...new Array<number>(11).fill(0)]);
  });

  test('whose audit row cannot be written does not happen', async () => {
    const key = await pinnedKey(one, { rpd_limit: 1 });
    await one.chat(key);
    const query = <T>(sql: string) => one.app.get(DataSource).query<T>(sql);
    await query(`alter table audit_logs add constraint no_resets check (action <> 'api_key.quota_reset') not valid`);
    try {
      expect((await reset(key)).status).toBe(500);
    } finally {
      await query('alter table audit_logs drop constraint no_resets');
    }
    expect(refusalIn(await deaf.chat(key))).toBe('429 rate_limit_exceeded');
  });
});

describe('a wrong call', () => {
  test.each<[unknown, string]>([
    [{ window: 'x' }, 'validation_error window'],
    [{ window: 'ALL' }, 'validation_error window'],
    [{ window: '' }, 'validation_error window'],
    [{ window: null }, 'validation_error window'],
    [{ window: 5 }, 'validation_error window'],
    [{ window: ['day'] }, 'validation_error window'],
    [{ windows: 'day' }, 'validation_error windows'],
    [{ window: 'day', tokens: true }, 'validation_error tokens'],
    ['[]', 'invalid_type'],
    ['"day"', 'invalid_type'],
    ['{"window":', 'invalid_json'],
  ])('%j is 400 %s and resets nothing', async (body, refusal) => {
    const key = await pinnedKey(one);
    await one.chat(key);
    expect(refusalIn(await reset(key, body))).toBe(`400 ${refusal}`);
    expect(await used(key)).toEqual([1, 1, 1]);
  });

  test('an unknown id is 404, also one that is none', async () => {
    for (const id of [randomUUID(), 'x', '%00']) {
      const answer = await reset({ id }, { window: 'day' });
      expect([refusalIn(answer), errorIn(answer).message]).toEqual(['404 not_found', 'API key not found']);
    }
  });

  test('needs the admin key, and takes no query', async () => {
    const key = await one.createKey();
    expect(refusalIn(await one.call('POST', path(key)))).toBe('401 missing_api_key');
    expect(refusalIn(await one.call('POST', path(key), { key }))).toBe('401 invalid_api_key');
    expect(refusalIn(await one.admin('POST', `${path(key)}?window=day`))).toBe('400 validation_error window');
    expect(refusalIn(await one.admin('GET', path(key)))).toBe('404 route_not_found');
  });
});
