import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Admission } from '../../src/quota/admission.service.js';
import { errorCodeIn } from '../support/responses.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { poll } from '../support/poll.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';

interface KeyBody extends Key {
  readonly name: string;
  readonly team_id: string | null;
  readonly tags: string[];
}

let scratch: ScratchDatabase;
/** Two processes with one database. */
let gateway: TestGateway;
let second: TestGateway;
let teams: readonly string[];
beforeAll(async () => {
  scratch = await createScratchDatabase();
  gateway = await TestGateway.start({}, { databaseUrl: scratch.url });
  second = await TestGateway.start({}, { databaseUrl: scratch.url, upstream: gateway.upstream });
  teams = [await createTeam('Checkout', ['team-tag']), await createTeam('Search')];
});
afterAll(async () => {
  await second.stop();
  await gateway.stop();
  await scratch.drop();
});

const createTeam = async (name: string, tags: string[] = []) =>
  (await gateway.admin<{ id: string }>('POST', '/admin/teams', { name, tags })).body.id;
const createKey = async (fields: object) =>
  (await gateway.admin<KeyBody>('POST', '/admin/api-keys', { name: 'k', ...fields })).body;
const update = (id: string, body: object) => gateway.admin<KeyBody>('PATCH', `/admin/api-keys/${id}`, body);
const read = async (id: string) => (await gateway.admin<KeyBody>('GET', `/admin/api-keys/${id}`)).body;
const namesOf = async (query: string) => {
  const { body } = await gateway.admin<{ total: number; keys: KeyBody[] }>('GET', `/admin/api-keys?${query}`);
  expect(body.total).toBe(body.keys.length);
  return body.keys.map(({ name }) => name).sort();
};

/** Sends a request, and returns the team and the tags with which it was admitted. */
async function admittedWith(process: TestGateway, key: Key) {
  const admit = jest.spyOn(process.app.get(Admission), 'admit');
  const { status } = await process.chat(key);
  const { teamId, tags } = admit.mock.lastCall![0];
  admit.mockRestore();
  return { status, teamId, tags };
}

/** Sends requests to both processes without a pause. `stop` returns their number, after all of them have succeeded. */
function loadOf(key: Key) {
  const statuses: number[] = [];
  const chat = async (process: TestGateway) => void statuses.push((await process.chat(key)).status);
  let running = true;
  const clients = [gateway, second, gateway, second].map(async (process) => {
    while (running) await chat(process);
  });
  const stop = async () => {
    running = false;
    await Promise.all(clients);
    expect(statuses).toEqual(statuses.map(() => 200));
    return statuses.length;
  };
  return { chat, stop };
}

describe('team_id and tags of a key', () => {
  test('a new key has no team and no tags by default', async () => {
    expect(await createKey({})).toMatchObject({ team_id: null, tags: [] });
    expect(await createKey({ team_id: null })).toMatchObject({ team_id: null, tags: [] });
  });

  test('a key is created with a team and tags, and updates change only the given fields', async () => {
    const key = await createKey({ team_id: teams[0]!.toUpperCase(), tags: ['b', 'a', 'b'] });
    expect(key).toMatchObject({ team_id: teams[0], tags: ['b', 'a'] });
    expect((await update(key.id, { rpm_limit: 5 })).body).toMatchObject({ team_id: teams[0], tags: ['b', 'a'] });
    expect((await update(key.id, { tags: [] })).body).toMatchObject({ team_id: teams[0], tags: [] });
    expect((await update(key.id, { team_id: teams[1] })).body).toMatchObject({ team_id: teams[1], tags: [] });
    expect((await update(key.id, { team_id: null })).body.team_id).toBeNull();
    expect((await read(key.id)).team_id).toBeNull();
  });

  test('a revoked key can move, and rotation keeps team and tags', async () => {
    const key = await createKey({ team_id: teams[0], tags: ['a'] });
    await gateway.admin('POST', `/admin/api-keys/${key.id}/rotate`);
    await gateway.admin('POST', `/admin/api-keys/${key.id}/revoke`);
    expect(await read(key.id)).toMatchObject({ team_id: teams[0], tags: ['a'] });
    expect((await update(key.id, { team_id: teams[1] })).body.team_id).toBe(teams[1]);
  });

  test.each<[string, object, string]>([
    ['an unknown team', { team_id: randomUUID() }, 'team_id'],
    ['the name of a team', { team_id: 'Checkout' }, 'team_id'],
    ['a number as a team', { team_id: 1 }, 'team_id'],
    ['null as tags', { tags: null }, 'tags'],
    ['a tag with a comma', { tags: ['a,b'] }, 'tags'],
    ['an object as a tag', { tags: [{}] }, 'tags'],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, 'tags'],
  ])('%s is rejected and changes nothing', async (_case, fields, param) => {
    const key = await createKey({ name: 'before', team_id: teams[0], tags: ['a'] });
    const { total } = (await gateway.admin<{ total: number }>('GET', '/admin/api-keys')).body;
    for (const response of [
      await gateway.admin('POST', '/admin/api-keys', { name: 'n', ...fields }),
      await update(key.id, { name: 'after', ...fields }),
    ])
      expect(errorCodeIn(response)).toBe(`400 validation_error ${param}`);
    expect(await read(key.id)).toMatchObject({ name: 'before', team_id: teams[0], tags: ['a'] });
    expect((await gateway.admin<{ total: number }>('GET', '/admin/api-keys')).body.total).toBe(total);
  });

  test('audit rows have the old and new team and tags', async () => {
    const key = await createKey({ team_id: teams[0], tags: ['a'] });
    await update(key.id, { team_id: teams[1], tags: ['a', 'b'] });
    await update(key.id, { team_id: teams[1], tags: ['a', 'b', 'a'] });
    const rows = await gateway.app
      .get(DataSource)
      .query<{ metadata: { changes: Record<string, unknown> } }[]>(
        `select metadata from audit_logs where target_id = $1 order by created_at`,
        [key.id],
      );
    expect(rows.map(({ metadata: { changes } }) => [changes['team_id'], changes['tags']])).toEqual([
      [
        { old: null, new: teams[0] },
        { old: null, new: ['a'] },
      ],
      [
        { old: teams[0], new: teams[1] },
        { old: ['a'], new: ['a', 'b'] },
      ],
    ]);
  });
});

test('lists of keys are filtered by team and by the tags of keys and teams', async () => {
  const team = await createTeam('filtered', ['of-team']);
  await createKey({ name: 'in team', team_id: team });
  await createKey({ name: 'in team, tagged', team_id: team, tags: ['of-key', 'x'] });
  await createKey({ name: 'tagged like the team', tags: ['of-team'] });
  await createKey({ name: 'tagged', tags: ['of-key'] });
  expect(await namesOf(`team_id=${team.toUpperCase()}`)).toEqual(['in team', 'in team, tagged']);
  expect(await namesOf('tag=of-key')).toEqual(['in team, tagged', 'tagged']);
  expect(await namesOf('tag=of-team')).toEqual(['in team', 'in team, tagged', 'tagged like the team']);
  expect(await namesOf(`tag=of-key&team_id=${team}`)).toEqual(['in team, tagged']);
  expect(await namesOf('tag=of-team&name=like')).toEqual(['tagged like the team']);
  expect(await namesOf('tag=OF-KEY')).toEqual([]);
  expect(await namesOf(`team_id=${randomUUID()}`)).toEqual([]);
  for (const [query, param] of [
    ['team_id=filtered', 'team_id'],
    ['tag=a%20b', 'tag'],
  ])
    expect(errorCodeIn(await gateway.admin('GET', `/admin/api-keys?${query}`))).toBe(`400 validation_error ${param}`);
});

describe('a key that moves to another team', () => {
  test('a change of team or tags applies to the next request on every process', async () => {
    const key = await createKey({ team_id: teams[0] });
    for (const [fields, expected] of [
      [{ team_id: teams[1] }, { teamId: teams[1], tags: [] }],
      [{ tags: ['a'] }, { teamId: teams[1], tags: ['a'] }],
      [
        { team_id: null, tags: ['b', 'c'] },
        { teamId: null, tags: ['b', 'c'] },
      ],
    ] as const) {
      for (const process of [gateway, second]) expect((await process.chat(key)).status).toBe(200);
      await update(key.id, fields);
      for (const process of [gateway, second])
        expect(await admittedWith(process, key)).toEqual({ status: 200, ...expected });
    }
  });

  test('the limits of its team and tags apply to the next request on every process', async () => {
    const [full, free] = [await createTeam('full'), await createTeam('free')];
    const limit = { measure: 'requests', period: 'month', amount: 1 };
    const created = await Promise.all([
      gateway.admin('POST', '/admin/limits', { ...limit, scope: 'team', team_id: full }),
      gateway.admin('POST', '/admin/limits', { ...limit, scope: 'tag', tag: 'capped' }),
    ]);
    expect(created.map(({ status }) => status)).toEqual([201, 201]);
    // Uses up both limits.
    const other = await createKey({ team_id: full, tags: ['capped'] });
    expect((await gateway.chat(other)).status).toBe(200);
    const key = await createKey({ team_id: free });
    const statusesAfter = async (change: Promise<{ status: number }>) => {
      expect((await change).status).toBe(200);
      return Promise.all([gateway, second].map(async (process) => (await process.chat(key)).status));
    };
    const updateTeam = (body: object) => gateway.admin('PATCH', `/admin/teams/${free}`, body);
    expect(await statusesAfter(update(key.id, { name: 'free' }))).toEqual([200, 200]);
    expect(await statusesAfter(update(key.id, { team_id: full }))).toEqual([429, 429]);
    expect(await statusesAfter(update(key.id, { team_id: free }))).toEqual([200, 200]);
    expect(await statusesAfter(update(key.id, { tags: ['capped'] }))).toEqual([429, 429]);
    expect(await statusesAfter(update(key.id, { tags: [] }))).toEqual([200, 200]);
    expect(await statusesAfter(updateTeam({ tags: ['capped'] }))).toEqual([429, 429]);
    expect(await statusesAfter(updateTeam({ tags: ['CAPPED'] }))).toEqual([200, 200]);
    expect(await statusesAfter(update(key.id, { team_id: null }))).toEqual([200, 200]);
  });

  test('moves under load lose no request, no usage and no quota', async () => {
    const key = await createKey({ team_id: teams[0], rpm_limit: 1_000_000, rpd_limit: 1_000_000 });
    const load = loadOf(key);
    for (let move = 0; move < 12; move++) {
      const to = { team_id: teams[move % 2 === 0 ? 1 : 0], tags: [`move-${move}`] };
      expect((await update(key.id, to)).status).toBe(200);
      // A key that changes faster than it can be read returns 503.
      await load.chat(gateway);
    }
    const requests = await load.stop();
    expect(requests).toBeGreaterThan(24);
    await poll(() => gateway.admin('GET', `/admin/api-keys/${key.id}/usage`)).toMatchObject({
      body: { monthly: [{ requests, errors: 0 }] },
    });
    const { body } = await gateway.admin('GET', `/admin/api-keys/${key.id}/quota`);
    expect(body).toMatchObject({ current: { day: { count: requests } } });
  });

  test('a team with limits that is deleted under load affects no request', async () => {
    const key = await createKey({ rpm_limit: 1_000_000, rpd_limit: 1_000_000 });
    const load = loadOf(key);
    for (let round = 0; round < 3; round++) {
      const team = await createTeam(`round ${round}`);
      const limit = { scope: 'team', team_id: team, amount: 1_000_000_000 };
      for (const measure of ['requests', 'tokens', 'concurrent_requests']) {
        const period = measure === 'concurrent_requests' ? {} : { period: 'day' };
        expect((await gateway.admin('POST', '/admin/limits', { ...limit, measure, ...period })).status).toBe(201);
      }
      for (const team_id of [team, null]) {
        expect((await update(key.id, { team_id })).status).toBe(200);
        await load.chat(gateway);
      }
      expect((await gateway.admin('DELETE', `/admin/teams/${team}`)).status).toBe(200);
    }
    await load.stop();
  });
});
