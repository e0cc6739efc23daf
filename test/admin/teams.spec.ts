import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { errorCodeIn, errorIn } from '../support/responses.js';
import { TestGateway } from '../support/gateway.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

interface Team {
  readonly id: string;
  readonly name: string;
  readonly tags: string[];
  readonly keys: number;
  readonly created_at: string;
  readonly updated_at: string;
}
interface Page {
  readonly total: number;
  readonly has_more: boolean;
  readonly teams: Team[];
}
interface AuditRow {
  readonly action: string;
  readonly target_type: string;
  readonly metadata: Record<string, unknown>;
}

let gateway: TestGateway;
let source: DataSource;
beforeAll(async () => {
  gateway = await TestGateway.start();
  source = gateway.app.get(DataSource);
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await source.query('update api_keys set team_id = null where team_id is not null');
  await source.query('delete from limits');
  await source.query('delete from teams');
});

const create = (body: object) => gateway.admin<Team>('POST', '/admin/teams', body);
const update = (id: string, body: object) => gateway.admin<Team>('PATCH', `/admin/teams/${id}`, body);
const remove = (id: string) => gateway.admin('DELETE', `/admin/teams/${id}`);
const read = async (id: string) => (await gateway.admin<Team>('GET', `/admin/teams/${id}`)).body;
const list = async (query = '') => (await gateway.admin<Page>('GET', `/admin/teams${query}`)).body;
const auditRows = (id: string) =>
  source.query<AuditRow[]>(
    'select action, target_type, metadata from audit_logs where target_id = $1 order by created_at',
    [id],
  );

describe('POST and PATCH /admin/teams', () => {
  test('a new team has every field, and the list shows it', async () => {
    const { status, body } = await create({ name: 'Checkout', tags: ['production', 'region:eu'] });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: UUID,
      name: 'Checkout',
      tags: ['production', 'region:eu'],
      keys: 0,
      created_at: TIME,
      updated_at: TIME,
    });
    expect(await read(body.id)).toEqual(body);
    expect(await list()).toEqual({ total: 1, has_more: false, teams: [body] });
  });

  test('an update changes only the given fields, and the ID can have upper-case letters', async () => {
    const { body } = await create({ name: 'Checkout', tags: ['a'] });
    const renamed = (await update(body.id.toUpperCase(), { name: 'Payments' })).body;
    expect(renamed).toEqual({ ...body, name: 'Payments', updated_at: TIME });
    expect(Date.parse(renamed.updated_at)).toBeGreaterThan(Date.parse(body.updated_at));
    expect((await update(body.id, { tags: [] })).body).toMatchObject({ name: 'Payments', tags: [] });
  });

  test('a name that another team has in different case is rejected, and the current name of the team is accepted', async () => {
    const { body } = await create({ name: 'Überweisung' });
    const other = (await create({ name: 'Payments' })).body;
    for (const response of [await create({ name: 'überWEISUNG' }), await update(other.id, { name: 'überweisung' })]) {
      expect(errorCodeIn(response)).toBe('400 validation_error name');
      expect(errorIn(response).message).toContain('a name that no other team has');
    }
    expect((await update(body.id, { name: 'ÜBERWEISUNG' })).body.name).toBe('ÜBERWEISUNG');
    expect((await list()).teams.map(({ name }) => name)).toEqual(['Payments', 'ÜBERWEISUNG']);
  });

  test('exactly one of many concurrent creations and renames gets a name', async () => {
    const { body } = await create({ name: 'other' });
    const responses = await Promise.all([
      ...Array.from({ length: 5 }, () => create({ name: 'Same' })),
      ...Array.from({ length: 3 }, () => update(body.id, { name: 'SAME', tags: ['x'] })),
    ]);
    const ids = new Set(responses.filter(({ status }) => status < 300).map((response) => response.body.id));
    expect(ids.size).toBe(1);
    for (const response of responses.filter(({ status }) => status >= 300))
      expect(errorCodeIn(response)).toBe('400 validation_error name');
    expect((await list('?name=same')).total).toBe(1);
  });

  test('tags keep their order and case, and duplicates are removed', async () => {
    const { body } = await create({ name: 'x', tags: ['b', 'B', 'a', 'b', 'A._:/-9'] });
    expect(body.tags).toEqual(['b', 'B', 'a', 'A._:/-9']);
    const most = Array.from({ length: 20 }, (_, at) => `${at}`.padEnd(64, 'x'));
    expect((await update(body.id, { tags: most })).body.tags).toEqual(most);
  });

  test.each<[string, object, string]>([
    ['a missing name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 256 characters', { name: 'ü'.repeat(256) }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['a name of white space', { name: ' ' }, 'name'],
    ['a name that ends with a space', { name: 'Checkout ' }, 'name'],
    ['a name with a line break', { name: 'Check\nout' }, 'name'],
    ['null as a name', { name: null }, 'name'],
    ['text as tags', { name: 'n', tags: 'a' }, 'tags'],
    ['null as tags', { name: 'n', tags: null }, 'tags'],
    ['a number as a tag', { name: 'n', tags: [1] }, 'tags'],
    ['an empty tag', { name: 'n', tags: [''] }, 'tags'],
    ['a tag with a space', { name: 'n', tags: ['a', 'b c'] }, 'tags'],
    ['a tag with a line break at its end', { name: 'n', tags: ['a\n'] }, 'tags'],
    ['a tag of 65 characters', { name: 'n', tags: ['x'.repeat(65)] }, 'tags'],
    ['21 tags', { name: 'n', tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, 'tags'],
    ['an unknown field', { name: 'n', keys: 1 }, 'keys'],
  ])('%s is rejected and changes nothing', async (_case, body, param) => {
    const { body: team } = await create({ name: 'before', tags: ['t'] });
    const responses = [await create(body), ...('name' in body ? [await update(team.id, body)] : [])];
    for (const response of responses) expect(errorCodeIn(response)).toBe(`400 validation_error ${param}`);
    expect(await list()).toEqual({ total: 1, has_more: false, teams: [team] });
  });

  test('an invalid tag is named by its position', async () => {
    const { message } = errorIn(await create({ name: 'n', tags: ['a', 'b,c'] }));
    expect(message).toBe(
      `Invalid value for 'tags[1]': it must be a tag of 1 to 64 letters, digits and characters of '._:/-'.`,
    );
  });
});

describe('GET /admin/teams', () => {
  test('the list is ordered by name, filtered by name and tag, and has the total on every page', async () => {
    for (const [name, ...tags] of [['beta', 'x'], ['Alpha', 'x', 'y'], ['gamma'], ['100%_a']] as string[][])
      await create({ name, tags });
    const names = async (query: string) => {
      const { total, teams } = await list(query);
      return [total, ...teams.map(({ name }) => name)];
    };
    expect(await names('')).toEqual([4, '100%_a', 'Alpha', 'beta', 'gamma']);
    expect(await names('?limit=2&offset=1')).toEqual([4, 'Alpha', 'beta']);
    expect(await list('?limit=2&offset=9')).toEqual({ total: 4, has_more: false, teams: [] });
    expect((await list('?limit=2')).has_more).toBe(true);
    expect(await names('?name=A')).toEqual([4, '100%_a', 'Alpha', 'beta', 'gamma']);
    expect(await names('?name=LPH')).toEqual([1, 'Alpha']);
    expect(await names('?name=%25_')).toEqual([1, '100%_a']);
    expect(await names('?tag=x')).toEqual([2, 'Alpha', 'beta']);
    expect(await names('?tag=X')).toEqual([0]);
    expect(await names('?tag=y&name=b')).toEqual([0]);
    expect(errorCodeIn(await gateway.admin('GET', '/admin/teams?tag=a%20b'))).toBe('400 validation_error tag');
  });

  test('an unknown team and text that is not a UUID return 404', async () => {
    for (const id of [randomUUID(), 'Checkout'])
      for (const [method, body] of [['GET'], ['PATCH', { name: 'n' }], ['DELETE']] as [string, object?][])
        expect(errorCodeIn(await gateway.admin(method, `/admin/teams/${id}`, body))).toBe('404 not_found');
  });
});

describe('DELETE /admin/teams/{id}', () => {
  test('a team is deleted only after its last key has left, and the error states how many keys remain', async () => {
    const team = (await create({ name: 'Checkout' })).body;
    const keys = [await gateway.createKey({ team_id: team.id }), await gateway.createKey({ team_id: team.id })];
    await gateway.admin('POST', `/admin/api-keys/${keys[0]!.id}/revoke`);
    expect((await read(team.id)).keys).toBe(2);
    for (const [key, text] of [
      [keys[0]!, '2 API keys belong to it'],
      [keys[1]!, '1 API key belongs to it'],
    ] as const) {
      const refused = await remove(team.id);
      expect(errorCodeIn(refused)).toBe('400 validation_error id');
      expect(errorIn(refused).message).toContain(text);
      await gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { team_id: null });
    }
    expect((await remove(team.id)).body).toEqual({ id: team.id, deleted: true });
    expect(errorCodeIn(await remove(team.id))).toBe('404 not_found');
  });

  test('the limits of a deleted team are deleted, and those of other teams stay', async () => {
    const [team, other] = [(await create({ name: 'a' })).body, (await create({ name: 'b' })).body];
    const limitOf = async (teamId: string, measure: string) => {
      const [row] = await source.query<{ id: string }[]>(
        `insert into limits (scope, scope_id, measure, period, amount) values ('team', $1, $2, 'month', 10) returning id`,
        [teamId, measure],
      );
      return row!.id;
    };
    const limits = [await limitOf(team.id, 'requests'), await limitOf(team.id, 'tokens')];
    const kept = await limitOf(other.id, 'requests');
    const key = await gateway.createKey({ team_id: team.id });
    expect((await remove(team.id)).status).toBe(400);
    const present = async () =>
      (await source.query<{ id: string }[]>('select id from limits where deleted_at is null order by id')).map(
        ({ id }) => id,
      );
    expect(await present()).toEqual([...limits, kept]);
    await gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { team_id: other.id });
    expect((await remove(team.id)).status).toBe(200);
    expect(await present()).toEqual([kept]);
    const counters = await source.query<{ limit_id: string }[]>('select limit_id from limit_counters');
    expect(counters.map((row) => row.limit_id)).toEqual([kept]);
    for (const id of limits) expect((await auditRows(id)).map(({ action }) => action)).toEqual(['limit.deleted']);
  });

  test('a key that is created or moved at the same time never belongs to a deleted team', async () => {
    for (let round = 0; round < 10; round++) {
      const team = (await create({ name: `round ${round}` })).body;
      const key = await gateway.createKey();
      const [removed, created, moved] = await Promise.all([
        remove(team.id),
        gateway.admin('POST', '/admin/api-keys', { name: 'new', team_id: team.id }),
        gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { team_id: team.id }),
      ]);
      const keys = [created, moved].filter(({ status }) => status < 300).length;
      if (removed.status === 200) {
        for (const response of [created, moved]) expect(errorCodeIn(response)).toBe('400 validation_error team_id');
      } else {
        expect(errorCodeIn(removed)).toBe('400 validation_error id');
        expect(keys).toBeGreaterThan(0);
        expect((await read(team.id)).keys).toBe(keys);
      }
    }
  });
});

describe('the audit log of teams', () => {
  test('every change writes one row with old and new values, and an update without a difference writes none', async () => {
    const { id } = (await create({ name: 'Checkout', tags: ['a'] })).body;
    const before = await read(id);
    for (const same of [{}, { name: 'Checkout' }, { tags: ['a', 'a'] }])
      expect((await update(id, same)).body).toEqual(before);
    await update(id, { name: 'Payments', tags: ['a', 'b'] });
    await remove(id);
    const rows = await auditRows(id);
    expect(rows.map(({ action }) => action)).toEqual(['team.created', 'team.updated', 'team.deleted']);
    expect(rows.map(({ target_type }) => target_type)).toEqual(['team', 'team', 'team']);
    expect(rows.map(({ metadata }) => metadata['changes'])).toEqual([
      { name: { old: null, new: 'Checkout' }, tags: { old: null, new: ['a'] } },
      { name: { old: 'Checkout', new: 'Payments' }, tags: { old: ['a'], new: ['a', 'b'] } },
      { name: { old: 'Payments', new: null }, tags: { old: ['a', 'b'], new: null } },
    ]);
    const { body } = await gateway.admin<{ total: number }>('GET', '/admin/audit-logs?action=team.updated');
    expect(body.total).toBeGreaterThan(0);
  });

  test('a rejected deletion writes no row', async () => {
    const { id } = (await create({ name: 'Checkout' })).body;
    await gateway.createKey({ team_id: id });
    expect((await remove(id)).status).toBe(400);
    expect((await auditRows(id)).map(({ action }) => action)).toEqual(['team.created']);
  });
});
