import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AuditLog } from '../../../src/audit/audit-log.js';
import { ACTOR, MeetingAudit, OperatorsDatabase, OperatorsProcess, PASSWORD } from './operators-database.js';

/** Changes the caller's password and keeps all sessions. */
const changeTo = (next: string, current = PASSWORD) => ({ current, next, onlySessionLeft: null });

let db: OperatorsDatabase;
beforeAll(async () => {
  db = await OperatorsDatabase.create();
});
afterAll(() => db.close());

const rejection = (param: string) => ({ code: 'validation_error', param });
const removeAllOwners = () => db.source.query(`delete from operators where role = 'owner'`);

class BrokenAudit extends AuditLog {
  override write(): Promise<void> {
    return Promise.reject(new Error('the audit log is full'));
  }
}

describe('creating operators', () => {
  test('a new operator’s email is trimmed, and the operator can be found by it regardless of case', async () => {
    const operator = await db.newOperator({ email: '  Ada.Lovelace@Exämple.test ', name: 'Ada' });
    expect(operator).toEqual({
      id: expect.any(String),
      email: 'Ada.Lovelace@Exämple.test',
      name: 'Ada',
      role: 'admin',
      disabled: false,
      lastLoginAt: null,
      createdAt: expect.any(Date),
    });
    expect(await db.one.operators.findByEmail('ADA.lovelace@EXÄMPLE.test')).toEqual(operator);
    expect(await db.one.operators.findByEmail('nobody@example.test')).toBeNull();
    expect(await db.one.operators.findByEmail('nul\0@example.test')).toBeNull();
  });

  test('a password is stored only as an argon2id hash with the cost that OWASP recommends', async () => {
    const { id } = await db.newOperator({ password: 'only-in-this-test-1' });
    const [row] = await db.source.query<{ password_hash: string }[]>('select * from operators where id = $1', [id]);
    const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(row!.password_hash)!.map(Number);
    expect(memory).toBeGreaterThanOrEqual(19 * 1024);
    expect(passes).toBeGreaterThanOrEqual(2);
    expect(await db.dump()).not.toContain('only-in-this-test-1');
  });

  test('creating an operator writes an audit row without the password or its hash', async () => {
    const { id, email } = await db.newOperator();
    const rows = await db.auditRows(id);
    expect(rows).toMatchObject([
      {
        action: 'operator.created',
        actor_type: 'admin_key',
        target_type: 'operator',
        metadata: {
          changes: {
            email: { old: null, new: email },
            name: { old: null, new: 'Op' },
            role: { old: null, new: 'admin' },
            disabled: { old: null, new: false },
          },
          actor_id: null,
          request_id: 'request-1',
          ip: '192.0.2.7',
        },
      },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/argon2|battery/);
  });

  test('an email can be used only once, regardless of case, even by concurrent requests', async () => {
    const email = db.newEmail();
    const before = await db.count('operators');
    const both = [db.one, db.other].map(({ operators }, at) =>
      operators.create(
        { email: at ? email : email.toUpperCase(), name: 'x', role: 'viewer', password: PASSWORD },
        ACTOR,
      ),
    );
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(db.newOperator({ email: ` ${email}` })).rejects.toMatchObject(rejection('email'));
    expect(await db.count('operators')).toBe(before + 1);
  });

  test.each([
    ['email', { email: 'nobody' }],
    ['email', { email: 'two@signs@example.test' }],
    ['email', { email: 'a b@example.test' }],
    ['email', { email: 'nul\0@example.test' }],
    ['email', { email: `${'a'.repeat(64)}@${'b'.repeat(190)}` }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(256) }],
    ['name', { name: 'nul\0' }],
    ['password', { password: '11-characte' }],
    ['password', { password: 'x'.repeat(201) }],
  ])('an operator with an invalid %s is rejected (%#)', async (param, fields) => {
    await expect(db.newOperator(fields)).rejects.toMatchObject(rejection(param));
  });

  test('an email, name and password of the maximum length are accepted, counted in code points', async () => {
    const email = `${'a'.repeat(64)}@${'b'.repeat(189)}`;
    const operator = await db.newOperator({ email, name: '🔑'.repeat(255), password: '🔑'.repeat(200) });
    expect(operator).toMatchObject({ email, name: '🔑'.repeat(255) });
    expect((await db.one.signIn(email, '🔑'.repeat(200))).operator.id).toBe(operator.id);
    await expect(db.one.signIn(email, '🔑'.repeat(201))).rejects.toMatchObject({ code: 'invalid_credentials' });
  });
});

describe('listing operators', () => {
  test('operators are listed newest first, in pages that contain the total but no password hashes', async () => {
    const made = [await db.newOperator(), await db.newOperator(), await db.newOperator()];
    const total = await db.count('operators');
    const first = await db.one.operators.list({ limit: 2, offset: 0 });
    const second = await db.one.operators.list({ limit: 1, offset: 2 });
    expect(first.total).toBe(total);
    expect([...first.operators, ...second.operators]).toEqual(made.toReversed());
    expect(await db.one.operators.list({ limit: 5, offset: total })).toEqual({ total, operators: [] });
  });
});

describe('updating operators', () => {
  test('an update sets only the given fields, and audits old and new values', async () => {
    const { id, email } = await db.newOperator({ role: 'viewer' });
    const changed = await db.one.operators.update(id, { name: 'New', role: 'admin' }, ACTOR);
    expect(changed).toMatchObject({ id, email, name: 'New', role: 'admin', disabled: false });
    expect(await db.one.operators.findByEmail(email)).toEqual(changed);
    expect((await db.auditRows(id)).at(-1)).toMatchObject({
      action: 'operator.updated',
      metadata: { changes: { name: { old: 'Op', new: 'New' }, role: { old: 'viewer', new: 'admin' } } },
    });
  });

  test('an update without changes writes no audit row', async () => {
    const { id } = await db.newOperator();
    await db.one.operators.update(id, {}, ACTOR);
    await db.one.operators.update(id, { name: null, role: null, disabled: null }, ACTOR);
    await db.one.operators.update(id, { name: 'Op', role: 'admin', disabled: false }, ACTOR);
    expect(await db.auditRows(id)).toHaveLength(1);
  });

  test('updating, deleting, or setting the password of an unknown operator fails with not_found', async () => {
    const unknown = { code: 'not_found' };
    await expect(db.one.operators.update(randomUUID(), { name: 'x' }, ACTOR)).rejects.toMatchObject(unknown);
    await expect(db.one.operators.delete(randomUUID(), ACTOR)).rejects.toMatchObject(unknown);
    await expect(db.one.operators.setPassword(randomUUID(), PASSWORD, ACTOR)).rejects.toMatchObject(unknown);
  });

  test('no change is made if its audit row cannot be written', async () => {
    const { id, email } = await db.newOperator();
    const { token } = await db.one.signIn(email);
    const { operators } = new OperatorsProcess(db.source, { audit: new BrokenAudit() });
    const before = await db.count('operators');
    const newOne = { email: db.newEmail(), name: 'x', role: 'viewer', password: PASSWORD } as const;
    await expect(operators.create(newOne, ACTOR)).rejects.toThrow('full');
    await expect(operators.update(id, { disabled: true }, ACTOR)).rejects.toThrow('full');
    await expect(operators.setPassword(id, 'another-password-1', ACTOR)).rejects.toThrow('full');
    await expect(operators.changeOwnPassword(id, changeTo('another-password-1'), ACTOR)).rejects.toThrow('full');
    await expect(operators.delete(id, ACTOR)).rejects.toThrow('full');
    expect(await db.count('operators')).toBe(before);
    expect((await db.one.sessions.find(token))?.operator.disabled).toBe(false);
    await db.one.signIn(email);
  });
});

test('deleting an operator ends all their sessions and frees their email', async () => {
  const { id, email } = await db.newOperator();
  const { token } = await db.one.signIn(email);
  await db.one.operators.delete(id, ACTOR);
  expect(await db.one.operators.findByEmail(email)).toBeNull();
  expect(await db.other.sessions.find(token)).toBeNull();
  expect((await db.auditRows(id)).at(-1)).toMatchObject({
    action: 'operator.deleted',
    metadata: { changes: { email: { old: email, new: null } } },
  });
  const again = await db.newOperator({ email });
  expect(again.id).not.toBe(id);
});

describe('last owner', () => {
  test('the last enabled owner cannot be demoted, disabled or deleted', async () => {
    await removeAllOwners();
    const { id } = await db.newOperator({ role: 'owner' });
    const second = await db.newOperator({ role: 'owner' });
    await db.one.operators.update(second.id, { disabled: true }, ACTOR);

    await expect(db.one.operators.update(id, { role: 'admin' }, ACTOR)).rejects.toMatchObject(rejection('role'));
    await expect(db.one.operators.update(id, { disabled: true }, ACTOR)).rejects.toMatchObject(rejection('disabled'));
    await expect(db.one.operators.delete(id, ACTOR)).rejects.toMatchObject(rejection('id'));
    expect((await db.auditRows(id)).map(({ action }) => action)).toEqual(['operator.created']);
    expect(await db.one.operators.update(id, { name: 'Renamed' }, ACTOR)).toMatchObject({ role: 'owner' });

    await db.one.operators.update(second.id, { disabled: false }, ACTOR);
    expect(await db.one.operators.update(id, { role: 'admin' }, ACTOR)).toMatchObject({ role: 'admin' });
    await db.one.operators.delete(id, ACTOR);
  });

  test.each([
    ['disabled', { disabled: true }],
    ['demoted', { role: 'viewer' }],
  ] as const)(
    'one of two owners remains if one is %s while another process deletes the other',
    async (_name, changes) => {
      await removeAllOwners();
      const [a, b] = [await db.newOperator({ role: 'owner' }), await db.newOperator({ role: 'owner' })];
      const audit = new MeetingAudit(db.source);
      const [one, other] = db.sources.map((source) => new OperatorsProcess(source, { audit }).operators);
      const results = await Promise.allSettled([one!.update(a.id, changes, ACTOR), other!.delete(b.id, ACTOR)]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const rejection = results.find((result) => result.status === 'rejected')!;
      expect(String(rejection.reason)).toContain('The last owner cannot be removed');
    },
  );
});

describe('changing passwords', () => {
  test('setting a password ends all of the operator’s sessions and invalidates the old password', async () => {
    const { id, email } = await db.newOperator();
    const bystander = await db.one.signIn((await db.newOperator()).email);
    const tokens = [(await db.one.signIn(email)).token, (await db.other.signIn(email)).token];
    await db.one.operators.setPassword(id, 'another-password-1', ACTOR);
    for (const token of tokens) expect(await db.other.sessions.find(token)).toBeNull();
    expect(await db.one.sessions.find(bystander.token)).not.toBeNull();
    await expect(db.one.signIn(email)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await db.one.signIn(email, 'another-password-1');
    expect((await db.auditRows(id)).find(({ action }) => action === 'operator.password_changed')).toMatchObject({
      actor_type: 'admin_key',
      metadata: { sessions_ended: 2 },
    });
  });

  test('operators who change their own password can keep all sessions, or end all but one', async () => {
    const { id, email } = await db.newOperator();
    const stranger = await db.one.signIn((await db.newOperator()).email);
    const [kept, other, third] = [await db.one.signIn(email), await db.one.signIn(email), await db.one.signIn(email)];
    const change = (next: string, current: string, onlySessionLeft: string | null) =>
      db.one.operators.changeOwnPassword(id, { current, next, onlySessionLeft }, ACTOR);
    const alive = (tokens: string[]) =>
      Promise.all(tokens.map(async (token) => (await db.other.sessions.find(token)) !== null));
    const tokens = [kept, other, third, stranger].map(({ token }) => token);
    await change('another-password-1', PASSWORD, null);
    expect(await alive(tokens)).toEqual([true, true, true, true]);
    await change('another-password-2', 'another-password-1', kept.session.id);
    expect(await alive(tokens)).toEqual([true, false, false, true]);
    const rows = (await db.auditRows(id)).filter(({ action }) => action === 'operator.password_changed');
    expect(rows.map(({ metadata }) => metadata['sessions_ended'])).toEqual([0, 2]);
  });

  test('a failed password change ends no session', async () => {
    const { id, email } = await db.newOperator();
    const { token, session } = await db.one.signIn(email);
    const change = { ...changeTo('another-password-1', 'wrong-password-1'), onlySessionLeft: randomUUID() };
    await expect(db.one.operators.changeOwnPassword(id, change, ACTOR)).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    expect((await db.one.sessions.find(token))?.session.id).toBe(session.id);
  });

  test('operators who change their own password sign in with the new one only', async () => {
    const { id, email } = await db.newOperator();
    const { token } = await db.one.signIn(email);
    const self = { ...ACTOR, type: 'operator', id } as const;
    await db.one.operators.changeOwnPassword(id, changeTo('another-password-1'), self);
    expect(await db.one.sessions.find(token)).not.toBeNull();
    await expect(db.one.signIn(email)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await db.one.signIn(email, 'another-password-1');
    expect((await db.auditRows(id)).find(({ action }) => action === 'operator.password_changed')).toMatchObject({
      actor_type: 'operator',
      metadata: { actor_id: id },
    });
    expect(await db.dump()).not.toContain('another-password-1');
  });

  test('five wrong current passwords block a password change for 15 minutes', async () => {
    const { id, email } = await db.newOperator();
    const change = (current: string) =>
      db.one.operators.changeOwnPassword(id, changeTo('another-password-1', current), ACTOR);
    for (let guess = 0; guess < 5; guess++) {
      await expect(change(`wrong-password-${guess}`)).rejects.toMatchObject({ code: 'invalid_credentials' });
    }
    await expect(change(PASSWORD)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect(await db.auditRows(id)).toHaveLength(1);
    // Sign-ins are counted separately.
    await db.one.signIn(email, PASSWORD, '192.0.2.77');
    db.one.clock.nowMs += 15 * 60_000;
    await change(PASSWORD);
  });

  test.each(['short', 'x'.repeat(201)])(
    'a new password outside 12 to 200 characters is rejected (%#)',
    async (password) => {
      const { id } = await db.newOperator();
      await expect(db.one.operators.setPassword(id, password, ACTOR)).rejects.toMatchObject(rejection('new_password'));
      await expect(db.one.operators.changeOwnPassword(id, changeTo(password), ACTOR)).rejects.toMatchObject(
        rejection('new_password'),
      );
    },
  );
});
