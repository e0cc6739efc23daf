import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errorCodeIn } from '../support/responses.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { poll } from '../support/poll.js';
import { startSettledGateway } from '../support/settled-gateway.js';

interface Costs {
  readonly total: number;
  readonly totals: { readonly requests: number };
  readonly groups: readonly {
    readonly day?: string;
    readonly team_id?: string | null;
    readonly team_name?: string | null;
    readonly requests: number;
    readonly cost: string;
  }[];
}

let gateway: TestGateway;
let team: string;
let keys: readonly Key[];
/** Three requests of a key in the team, and one of a key without a team. */
beforeAll(async () => {
  gateway = await startSettledGateway();
  team = await createTeam('=Checkout', ['shared']);
  keys = [await gateway.createKey({ team_id: team, tags: ['own'] }), await gateway.createKey({ tags: ['own'] })];
  for (const key of [keys[0]!, keys[0]!, keys[0]!, keys[1]!]) await gateway.chat(key);
  await poll(() => read('').then(({ totals }) => totals.requests)).toBe(4);
});
afterAll(() => gateway.stop());

const createTeam = async (name: string, tags: string[] = []) =>
  (await gateway.admin<{ id: string }>('POST', '/admin/teams', { name, tags })).body.id;
const read = async (query: string) => (await gateway.admin<Costs>('GET', `/admin/costs?${query}`)).body;
const requestsOf = async (query: string) => (await read(query)).totals.requests;

describe('GET /admin/costs by team and tag', () => {
  test('groups costs by team with its name, and has null for keys without a team', async () => {
    const { total, groups } = await read('group_by=team&sort=name');
    expect(total).toBe(2);
    expect(groups.map(({ team_id, team_name, requests }) => [team_id, team_name, requests])).toEqual([
      [team, '=Checkout', 3],
      [null, null, 1],
    ]);
    const today = new Date().toISOString().slice(0, 10);
    const stacked = await read('group_by=day,team&sort=name');
    expect(stacked.groups.map(({ day, team_id, requests }) => [day, team_id, requests])).toEqual([
      [today, team, 3],
      [today, null, 1],
    ]);
  });

  test('filters by team and by the tags of keys and teams', async () => {
    expect(await requestsOf(`team_id=${team.toUpperCase()}`)).toBe(3);
    expect(await requestsOf('tag=shared')).toBe(3);
    expect(await requestsOf('tag=own')).toBe(4);
    expect(await requestsOf(`tag=own&team_id=${team}&group_by=model`)).toBe(3);
    expect(await requestsOf(`tag=shared&key_id=${keys[1]!.id}`)).toBe(0);
    expect(await requestsOf(`team_id=${randomUUID()}`)).toBe(0);
    expect(await requestsOf('tag=OWN')).toBe(0);
    for (const [query, param] of [
      ['team_id=Checkout', 'team_id'],
      ['tag=a%20b', 'tag'],
    ])
      expect(errorCodeIn(await gateway.admin('GET', `/admin/costs?${query}`))).toBe(`400 validation_error ${param}`);
  });

  test('CSV files have the ID and the name of the team, and the FOCUS export has its name in Tags', async () => {
    const { text } = await gateway.admin('GET', '/admin/costs?group_by=team&sort=name&format=csv');
    const [head, first, second] = text.split('\r\n');
    expect(head).toMatch(/^team_id,team_name,cost,currency,requests,/);
    expect(first).toMatch(new RegExp(`^${team},'=Checkout,0\\.0`));
    expect(second).toMatch(/^,,0\.0/);
    const focus = async (query: string) =>
      (await gateway.admin('GET', `/admin/costs/focus?${query}`)).text.trimEnd().split('\r\n').slice(1);
    const [row, ...others] = await focus('tag=shared');
    expect(others).toEqual([]);
    expect(row).toContain('""team"":""=Checkout""');
    expect(await focus(`team_id=${team}&tag=own`)).toEqual([row]);
    expect((await focus('tag=own')).filter((line) => line.includes('team'))).toEqual([row]);
  });

  test('the costs of a key move with it to another team', async () => {
    const other = await createTeam('Search');
    await gateway.admin('PATCH', `/admin/api-keys/${keys[1]!.id}`, { team_id: other });
    const { groups } = await read('group_by=team&sort=name');
    expect(groups.map(({ team_name, requests }) => [team_name, requests])).toEqual([
      ['=Checkout', 3],
      ['Search', 1],
    ]);
    await gateway.admin('PATCH', `/admin/api-keys/${keys[1]!.id}`, { team_id: null });
  });
});
