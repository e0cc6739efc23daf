import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { TestGateway, type Response } from '../support/gateway.js';
import { createScratchDatabase } from '../support/scratch-database.js';
import { cli, cliJson, cliProcess, cliProcessJson, failureOf } from './command.js';

interface OperatorDocument {
  readonly id: string;
  readonly email: string;
  readonly password?: string;
}
interface ErrorDocument {
  readonly error: { readonly code: string; readonly message: string; readonly param: string | null };
}

const PASSWORD = 'a long enough pässword';

let gateway: TestGateway;
let env: Record<string, string>;

beforeAll(async () => {
  gateway = await TestGateway.start();
  env = { DATABASE_URL: gateway.databaseUrl };
});
afterAll(() => gateway.stop());

const who = (email: string, role = 'admin') => ['--email', email, '--name', 'Ada', '--role', role];
const create = (email: string, ...options: string[]) =>
  cliJson<OperatorDocument>(['operator', 'create', ...who(email), ...options], { env });
const createWith = (email: string, input: string) =>
  cliProcessJson<OperatorDocument>(['operator', 'create', ...who(email), '--password-stdin'], { env, input });
const signIn = (email: string, password: string) =>
  gateway.call('POST', '/dashboard/session', { body: { email, password } });
const cookieOf = ({ headers }: Response) => headers.getSetCookie()[0]!.split(';')[0]!;

async function audit(targetId: string) {
  const client = new Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ action: string; actor_type: string; metadata: object }>(
      'select action, actor_type, metadata from audit_logs where target_id = $1 order by created_at',
      [targetId],
    );
    return rows;
  } finally {
    await client.end();
  }
}

describe('operator create', () => {
  test('--password-stdin creates an operator who can sign in, and does not reveal the password', async () => {
    const { code, body } = await createWith('stdin@example.com', `${PASSWORD}\n`);
    expect(code).toBe(0);
    expect(body).toEqual({
      id: expect.any(String),
      email: 'stdin@example.com',
      name: 'Ada',
      role: 'admin',
      disabled: false,
      last_login_at: null,
      created_at: expect.any(String),
    });
    expect((await signIn('stdin@example.com', PASSWORD)).status).toBe(200);
    const [row] = await audit(body.id);
    expect(row).toMatchObject({ action: 'operator.created', actor_type: 'system', metadata: { via: 'cli' } });
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
  });

  test('--generate creates an operator and prints a working password', async () => {
    const { code, body } = await create('generated@example.com', '--generate');
    expect(code).toBe(0);
    expect(body.password).toMatch(/^[\w-]{24}$/);
    expect((await signIn('generated@example.com', body.password!)).status).toBe(200);
    expect(JSON.stringify(await audit(body.id))).not.toContain(body.password);
  });

  test('operator create without a terminal or a password option fails with usage', async () => {
    const { code, body } = await create('nobody@example.com');
    expect({ code, body }).toMatchObject({ code: 2, body: { error: { code: 'usage' } } });
    expect(JSON.stringify(body)).toContain('--password-stdin');
  });

  test.each([
    ['an empty line', ''],
    ['two lines', `${PASSWORD}\nand more\n`],
    ['20,000 characters', 'x'.repeat(20_000)],
  ])('--password-stdin with %s on stdin fails with usage', async (_input, input) => {
    expect(await createWith('nobody@example.com', input)).toMatchObject({
      code: 2,
      body: { error: { code: 'usage' } },
    });
  });

  test.each<[string, string[], Record<string, string>]>([
    ['an unknown role', who('a@example.com', 'root'), { email: 'a@example.com', name: 'Ada', role: 'root' }],
    ['a missing email', ['--name', 'Ada', '--role', 'admin'], { name: 'Ada', role: 'admin' }],
    ['an invalid email', who('ada'), { email: 'ada', name: 'Ada', role: 'admin' }],
    ['a missing name', ['--email', 'a@example.com', '--role', 'admin'], { email: 'a@example.com', role: 'admin' }],
  ])('%s is rejected as in the Admin API, before the password is read', async (_what, options, body) => {
    const response: Response<ErrorDocument> = await gateway.admin('POST', '/admin/operators', {
      ...body,
      password: PASSWORD,
    });
    expect(response.status).toBe(400);
    const { code, message, param } = response.body.error;
    const refused = await failureOf(['operator', 'create', ...options, '--password-stdin']);
    expect(refused).toEqual({ exitCode: 2, error: { code, message, param } });
  });

  test('a password that is too short is rejected as in the Admin API', async () => {
    expect(await createWith('short@example.com', 'short')).toMatchObject({
      code: 2,
      body: { error: { code: 'validation_error', param: 'password' } },
    });
  });

  test('an email that is already in use is rejected with exit code 1', async () => {
    await create('twice@example.com', '--generate');
    expect(await create('TWICE@example.com', '--generate')).toMatchObject({
      code: 1,
      body: { error: { code: 'validation_error', param: 'email' } },
    });
  });

  test('a password on the command line is rejected and not printed', async () => {
    for (const typed of [[`--password=${PASSWORD}`], ['--password', PASSWORD], [PASSWORD]]) {
      const { code, stdout, stderr } = await cli(['operator', 'create', ...who('a@example.com'), ...typed], { env });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).not.toContain(PASSWORD);
    }
  });
});

describe('operator reset-password', () => {
  test('a reset invalidates the old password and all sessions', async () => {
    await createWith('lost@example.com', PASSWORD);
    const cookie = cookieOf(await signIn('lost@example.com', PASSWORD));
    const session = () => gateway.call('GET', '/dashboard/session', { headers: { cookie } });
    expect((await session()).status).toBe(200);
    const { code, body } = await cliJson<OperatorDocument>(
      ['operator', 'reset-password', 'Lost@example.com', '--generate'],
      { env },
    );
    expect({ code, ...body }).toMatchObject({ code: 0, email: 'lost@example.com', password: expect.any(String) });
    expect((await session()).status).toBe(401);
    expect((await signIn('lost@example.com', PASSWORD)).status).toBe(401);
    expect((await signIn('lost@example.com', body.password!)).status).toBe(200);
    const actions = (await audit(body.id)).map(({ action }) => action);
    expect(actions).toContain('operator.password_changed');
  });

  test('a password from stdin is set and not printed', async () => {
    await create('given@example.com', '--generate');
    const given = { env, input: PASSWORD };
    const { code, stdout, stderr } = await cliProcess(
      ['operator', 'reset-password', 'given@example.com', '--password-stdin'],
      given,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(PASSWORD);
    expect((await signIn('given@example.com', PASSWORD)).status).toBe(200);
  });

  test('a reset for an unknown operator fails with not_found and exit code 1', async () => {
    expect(await cliJson(['operator', 'reset-password', 'nobody@example.com', '--generate'], { env })).toMatchObject({
      code: 1,
      body: { error: { code: 'not_found', param: null } },
    });
  });
});

describe('operator list', () => {
  test('operator list does not create the first owner', async () => {
    const fresh = await createScratchDatabase();
    const owner = { GW_OWNER_EMAIL: 'first@example.com', GW_OWNER_PASSWORD: PASSWORD };
    const listed = await cliJson(['operator', 'list'], { env: { DATABASE_URL: fresh.url, ...owner } });
    expect(listed).toMatchObject({ code: 0, body: { total: 0, operators: [] } });
    await fresh.drop();
  });

  test('operator list returns the same as the Admin API, and shows neither passwords nor hashes', async () => {
    const { body } = await create('listed@example.com', '--generate');
    const listed = await cliJson(['operator', 'list', '--limit', '2', '--offset', '1'], { env });
    const response = await gateway.admin('GET', '/admin/operators?limit=2&offset=1');
    expect(listed).toEqual({ code: 0, failed: false, body: response.body });
    const { stdout } = await cli(['operator', 'list'], { env });
    expect(stdout).toMatch(/^ID +EMAIL +NAME +ROLE/);
    expect(stdout).toContain('listed@example.com');
    expect(stdout).not.toContain(body.password);
    expect(stdout).not.toContain('argon2');
  });
});

describe('session commands', () => {
  const sessionIds = async (email: string) => {
    const { body } = await cliJson<{ sessions: { id: string }[] }>(['session', 'list', '--operator', email], { env });
    return body.sessions.map(({ id }) => id);
  };
  const isSignedIn = async (cookie: string) =>
    (await gateway.call('GET', '/dashboard/session', { headers: { cookie } })).status === 200;

  test('session list returns the same as the Admin API, for all operators or for one', async () => {
    const { body: operator } = await createWith('listed-sessions@example.com', PASSWORD);
    await signIn('listed-sessions@example.com', PASSWORD);
    const all = await cliJson(['session', 'list', '--limit', '3'], { env });
    expect(all.body).toEqual((await gateway.admin('GET', '/admin/sessions?limit=3')).body);
    const one = await cliJson(['session', 'list', '--operator', 'LISTED-sessions@example.com'], { env });
    expect(one.body).toEqual((await gateway.admin('GET', `/admin/sessions?operator_id=${operator.id}`)).body);
    expect(one.body).toMatchObject({ total: 1 });
    const { stdout } = await cli(['session', 'list'], { env });
    expect(stdout).toMatch(/^ID +OPERATOR +IP +LAST SEEN +SIGNED IN +EXPIRES +USER AGENT/);
    expect(stdout).toMatch(/listed-sessions@example.com +127\.0\.0\.1 .* node\n/);
    expect(await cliJson(['session', 'list', '--operator', 'nobody@example.com'], { env })).toMatchObject({
      code: 2,
      body: { error: { code: 'validation_error', param: 'operator_id' } },
    });
  });

  test('session end ends one session and session end-all the remaining ones, with audit rows', async () => {
    const email = 'ended-sessions@example.com';
    const { body: operator } = await createWith(email, PASSWORD);
    const cookies: string[] = [];
    for (let at = 0; at < 3; at++) cookies.push(cookieOf(await signIn(email, PASSWORD)));
    const [newest, second, first] = await sessionIds(email);
    const ended = await cliJson(['session', 'end', newest!.toUpperCase()], { env });
    expect(ended).toEqual({ code: 0, failed: false, body: { id: newest, deleted: true } });
    expect(await Promise.all(cookies.map(isSignedIn))).toEqual([true, true, false]);
    const all = await cliJson(['session', 'end-all', email], { env });
    expect(all).toEqual({ code: 0, failed: false, body: { operator_id: operator.id, ended: 2 } });
    expect(await Promise.all(cookies.map(isSignedIn))).toEqual([false, false, false]);
    for (const id of [newest, second, first]) {
      expect(await audit(id!)).toMatchObject([
        { action: 'admin.session_revoked', actor_type: 'system', metadata: { operator_id: operator.id, via: 'cli' } },
      ]);
    }
  });

  test('unknown sessions and operators fail with not_found and exit code 1', async () => {
    const commands = [
      ['session', 'end', 'x'],
      ['session', 'end', '0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80'],
      ['session', 'end-all', 'nobody@example.com'],
    ];
    for (const command of commands)
      expect(await cliJson(command, { env })).toMatchObject({ code: 1, body: { error: { code: 'not_found' } } });
  });
});
