import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../support/gateway.js';
import { cli, cliJson, failureOf } from './command.js';

interface Team {
  readonly id: string;
  readonly name: string;
  readonly tags: string[];
  readonly keys: number;
}
interface Key {
  readonly id: string;
  readonly team_id: string | null;
  readonly tags: string[];
}

let gateway: TestGateway;
let env: Record<string, string>;
beforeAll(async () => {
  gateway = await TestGateway.start();
  env = { DATABASE_URL: gateway.databaseUrl };
});
beforeEach(async () => {
  const source = gateway.app.get(DataSource);
  await source.query('update api_keys set team_id = null');
  await source.query('delete from teams');
});
afterAll(() => gateway.stop());

const team = (...args: string[]) => cliJson<Team>(['team', ...args], { env });
const key = (...args: string[]) => cliJson<Key>(['key', ...args], { env });
const print = async (...args: string[]) => (await cli(args, { env })).stdout;
const read = async (path: string) => (await gateway.admin('GET', path)).body;

describe('team create, update, list and delete', () => {
  test('the commands return the same as the Admin API, and find a team by name or ID', async () => {
    const { code, body } = await team('create', '--name', 'Checkout', '--tag', 'production, region:eu', '--tag', 'x');
    expect(code).toBe(0);
    expect(body).toMatchObject({ name: 'Checkout', tags: ['production', 'region:eu', 'x'], keys: 0 });
    expect(body).toEqual(await read(`/admin/teams/${body.id}`));
    const renamed = await team('update', 'CHECKOUT', '--name', 'Payments');
    expect(renamed.body).toMatchObject({ id: body.id, name: 'Payments', tags: body.tags });
    expect((await team('update', body.id.toUpperCase(), '--tag', 'none')).body.tags).toEqual([]);
    expect((await team('list')).body).toEqual(await read('/admin/teams'));
    expect((await team('delete', 'payments')).body).toEqual({ id: body.id, deleted: true });
    expect(await read('/admin/teams')).toMatchObject({ total: 0 });
  });

  test('the commands print readable text without --json', async () => {
    expect(await print('team', 'list')).toBe('No teams found.\n');
    expect(await print('team', 'create', '--name', 'Search', '--tag', 'a,b')).toMatch(
      /^Created team "Search"\.\n {2}id {4}[0-9a-f-]{36}\n {2}keys {2}0\n {2}tags {2}a, b\n$/,
    );
    await print('team', 'create', '--name', 'Ads');
    expect(await print('team', 'list')).toMatch(
      /^ID +NAME +KEYS +TAGS +CREATED\n\S+ +Ads +0 +- +20.*Z\n\S+ +Search +0 +a, b +20.*Z\n\n1 to 2 of 2\.\n$/,
    );
    expect(await print('team', 'list', '--search', 'EAR', '--tag', 'a', '--limit', '1')).toMatch(
      /Search.*\n\n1 to 1 of 1/,
    );
    expect(await print('team', 'update', 'search', '--tag', 'none')).toMatch(
      /^Updated team "Search"\.\n[^]*tags {2}none\n$/,
    );
    expect(await print('team', 'delete', 'Ads')).toMatch(/^Deleted team "Ads" \(\S{36}\) and its limits\.\n$/);
  });

  test('audit rows name the command line', async () => {
    const { id } = (await team('create', '--name', 'audited')).body;
    await team('delete', id);
    const { logs } = (await read(`/admin/audit-logs?target_id=${id}`)) as { logs: object[] };
    expect(logs).toMatchObject(
      ['deleted', 'created'].map((done) => ({
        action: `team.${done}`,
        actor_type: 'system',
        metadata: { via: 'cli' },
      })),
    );
  });

  test('invalid input gets the error of the Admin API without a database', async () => {
    const tags = await failureOf(['team', 'create', '--name', 'n', '--tag', 'a b']);
    expect(tags).toMatchObject({ exitCode: 2, error: { code: 'validation_error', param: 'tags' } });
    expect(await failureOf(['team', 'create'])).toMatchObject({ exitCode: 2, error: { param: 'name' } });
    expect(await failureOf(['team', 'list', '--tag', ''])).toMatchObject({ exitCode: 2, error: { param: 'tag' } });
  });

  test('a taken name, an unknown team and a team with keys are rejected', async () => {
    await team('create', '--name', 'Taken');
    expect(await team('create', '--name', 'taken')).toMatchObject({
      code: 1,
      body: { error: { code: 'validation_error', param: 'name' } },
    });
    for (const unknown of [
      ['update', 'nobody', '--name', 'n'],
      ['delete', randomUUID()],
      ['delete', 'a\0b'],
    ])
      expect(await team(...unknown)).toMatchObject({ code: 1, body: { error: { code: 'not_found' } } });
    await key('create', '--name', 'k', '--team', 'Taken');
    const { stderr } = await cli(['team', 'delete', 'Taken'], { env });
    expect(stderr).toBe(
      'error: The team cannot be deleted, because 1 API key belongs to it. ' +
        'Move the keys first: run "key update <id> --team <team>" for each key.\n',
    );
  });
});

describe('key create, update and list with teams and tags', () => {
  test('--team takes a name or an ID, and --tag a list', async () => {
    const { id } = (await team('create', '--name', 'Research')).body;
    const created = await key('create', '--name', 'k', '--team', 'research', '--tag', 'a, b', '--tag', 'c');
    expect(created).toMatchObject({ code: 0, body: { team_id: id, tags: ['a', 'b', 'c'] } });
    const { id: keyId } = created.body;
    expect((await key('update', keyId, '--team', 'none')).body).toMatchObject({ team_id: null, tags: ['a', 'b', 'c'] });
    expect((await key('update', keyId, '--team', id)).body.team_id).toBe(id);
    expect((await key('update', keyId, '--tag', 'none', '--rpm', '9')).body).toMatchObject({ team_id: id, tags: [] });
    expect(await print('key', 'update', keyId, '--tag', 'x,y')).toMatch(/ {2}team +Research\n {2}tags +x, y\n/);
    expect(await print('key', 'update', keyId, '--team', 'none', '--tag', 'none')).toMatch(
      / {2}team +none\n {2}tags +none\n/,
    );
    expect(await print('key', 'create', '--name', 'n', '--team', 'none')).toMatch(/ {2}team +none\n {2}tags +none\n/);
  });

  test('key list filters by team and tag like the Admin API', async () => {
    const { id } = (await team('create', '--name', 'Filter', '--tag', 'of-team')).body;
    await key('create', '--name', 'one', '--team', 'Filter', '--tag', 'of-key');
    await key('create', '--name', 'two', '--team', 'Filter');
    const listed = (await key('list', '--team', 'FILTER')).body;
    expect(listed).toMatchObject({ total: 2 });
    expect(listed).toEqual(await read(`/admin/api-keys?team_id=${id}`));
    expect(await print('key', 'list', '--team', id)).toMatch(/ two +Filter +active /);
    expect((await key('list', '--team', id, '--tag', 'of-key')).body).toMatchObject({
      total: 1,
      keys: [{ name: 'one' }],
    });
    expect((await key('list', '--tag', 'of-team')).body).toMatchObject({ total: 2 });
  });

  test('an unknown team is rejected and names the option', async () => {
    const { total } = await read('/admin/api-keys');
    for (const args of [['create', '--name', 'n'], ['update', randomUUID()], ['list']])
      expect(await key(...args, '--team', 'nobody')).toMatchObject({
        code: 2,
        body: { error: { code: 'validation_error', param: 'team_id' } },
      });
    expect((await cli(['key', 'list', '--team', 'nobody'], { env })).stderr).toBe(
      'error: --team: Team not found. Use the name or the ID that "team list" shows.\n',
    );
    expect((await read('/admin/api-keys')).total).toBe(total);
  });
});
