import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditLog } from '../../../src/audit/audit-log.js';
import { ACTOR, OperatorsDatabase, OperatorsProcess, PASSWORD } from './operators-database.js';

const WRONG = 'wrong-password-55';
const REJECTED = { code: 'invalid_credentials', status: 401, param: null };

let db: OperatorsDatabase;
beforeAll(async () => {
  db = await OperatorsDatabase.create();
});
afterAll(() => db.close());

let addresses = 0;
const newAddress = () => `198.51.100.${++addresses}`;

class BrokenAudit extends AuditLog {
  override write(): Promise<void> {
    return Promise.reject(new Error('the audit log is full'));
  }
}

describe('successful sign-in', () => {
  test('sign-in accepts the email regardless of case, writes an audit row, and sets lastLoginAt', async () => {
    const { id, email } = await db.newOperator({ role: 'viewer' });
    const signedIn = await db.one.signIn(` ${email.toUpperCase()} `);
    expect(signedIn.operator).toMatchObject({ id, email, role: 'viewer', lastLoginAt: signedIn.session.createdAt });
    expect(await db.one.operators.findByEmail(email)).toEqual(signedIn.operator);
    expect((await db.auditRows(id)).at(-1)).toMatchObject({
      action: 'admin.login',
      actor_type: 'operator',
      target_type: 'operator',
      metadata: { actor_id: id, request_id: 'request-2', ip: '192.0.2.1', session_id: signedIn.session.id },
    });
    expect(JSON.stringify(await db.auditRows(id))).not.toContain(signedIn.token);
  });

  test('sign-in creates no session if the audit row cannot be written', async () => {
    const { email } = await db.newOperator();
    const before = await db.count('operator_sessions');
    const broken = new OperatorsProcess(db.source, { audit: new BrokenAudit() });
    await expect(broken.signIn(email)).rejects.toThrow('full');
    expect(await db.count('operator_sessions')).toBe(before);
    expect((await db.one.operators.findByEmail(email))?.lastLoginAt).toBeNull();
  });

  test('sign-in fails if the operator was changed while the password was verified', async () => {
    const guess = { guessId: '00000000-0000-4000-8000-000000000000', subject: 'email:x' };
    const origin = { ip: null, userAgent: null, requestId: 'request-3' };
    const stale = async () => (await db.one.store.findByEmail((await db.newOperator()).email))!;
    const [changed, disabled, deleted, good] = [await stale(), await stale(), await stale(), await stale()];
    await db.one.operators.setPassword(changed.id, 'another-password-1', ACTOR);
    await db.one.operators.update(disabled.id, { disabled: true }, ACTOR);
    await db.one.operators.delete(deleted.id, ACTOR);
    for (const account of [changed, disabled, deleted]) {
      expect(await db.one.records.succeeded(account, guess, origin)).toBeNull();
    }
    expect(await db.one.records.succeeded(good, guess, origin)).not.toBeNull();
  });
});

describe('rejected sign-in', () => {
  test('wrong passwords, unknown emails and disabled operators get the same error', async () => {
    const { email } = await db.newOperator();
    const disabled = await db.newOperator();
    await db.one.operators.update(disabled.id, { disabled: true }, ACTOR);
    const messages = new Set<string>();
    for (const [to, password] of [
      [email, WRONG],
      [email, ''],
      [email, 'x'.repeat(1e6)],
      ['nobody@example.test', PASSWORD],
      ['', ''],
      ['nul\0@example.test', PASSWORD],
      ['x'.repeat(1e6), PASSWORD],
      [disabled.email, PASSWORD],
    ] as const) {
      // The sign-ins run one at a time, because a busy machine might not check eight passwords within the maximum wait.
      const rejection: unknown = await db.one.signIn(to, password, newAddress()).catch((error: unknown) => error);
      expect(rejection).toMatchObject(REJECTED);
      messages.add((rejection as Error).message);
    }
    expect(messages.size).toBe(1);
  });

  // Compares CPU time of all threads, because other processes can keep the CPU busy.
  test('sign-in takes as long for an unknown email, because a hash is verified too', async () => {
    const { email } = await db.newOperator();
    const shortest = { known: Infinity, unknown: Infinity };
    for (let round = 0; round < 5; round++) {
      for (const [kind, to] of [
        ['known', email],
        ['unknown', `nobody${round}@example.test`],
      ] as const) {
        const before = process.cpuUsage();
        await db.one.signIn(to, WRONG, newAddress()).catch(() => undefined);
        const { user, system } = process.cpuUsage(before);
        shortest[kind] = Math.min(shortest[kind], user + system);
      }
    }
    expect(shortest.unknown).toBeGreaterThan(0.6 * shortest.known);
    expect(shortest.known).toBeGreaterThan(0.6 * shortest.unknown);
  });

  test('failed sign-ins are audited, without the typed text if the email is unknown', async () => {
    const { id, email } = await db.newOperator();
    const before = (await db.auditRows(null)).length;
    await expect(db.one.signIn(email.toUpperCase(), WRONG, newAddress())).rejects.toMatchObject(REJECTED);
    await expect(db.one.signIn('typed-my-password', WRONG, '203.0.113.77')).rejects.toMatchObject(REJECTED);
    expect((await db.auditRows(id)).at(-1)).toMatchObject({
      action: 'admin.login_failed',
      actor_type: 'operator',
      target_type: 'operator',
      metadata: { email, actor_id: id, request_id: 'request-2' },
    });
    const unknown = (await db.auditRows(null)).slice(before);
    expect(unknown).toMatchObject([
      { action: 'admin.login_failed', actor_type: 'system', metadata: { actor_id: null, ip: '203.0.113.77' } },
    ]);
    const stored = await db.dump();
    for (const typed of [WRONG, 'typed-my-password']) expect(stored).not.toContain(typed);
  });

  test('guesses for an overlong email are audited and locked out like any other', async () => {
    const before = await db.count('audit_logs');
    const email = `${'x'.repeat(300)}@example.test`;
    for (let guess = 0; guess < 5; guess++) {
      await expect(db.one.signIn(email, WRONG, newAddress())).rejects.toMatchObject(REJECTED);
    }
    expect(await db.count('audit_logs')).toBe(before + 5);
    await expect(db.one.signIn(email, WRONG, newAddress())).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });

  test('a correct password whose session cannot be stored does not count as a guess', async () => {
    const { email } = await db.newOperator();
    const address = newAddress();
    await db.source.query('alter table operator_sessions rename to operator_sessions_away');
    for (let guess = 0; guess < 6; guess++) {
      await expect(db.one.signIn(email, PASSWORD, address)).rejects.not.toMatchObject({ code: 'rate_limit_exceeded' });
    }
    await db.source.query('alter table operator_sessions_away rename to operator_sessions');
    await expect(db.one.signIn(email, PASSWORD, address)).resolves.toBeDefined();
  });
});
