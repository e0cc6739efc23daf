import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { ACTOR, OperatorsDatabase, OperatorsProcess, SECRET_KEY } from './operators-database.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let db: OperatorsDatabase;
beforeAll(async () => {
  db = await OperatorsDatabase.create();
});
afterAll(() => db.close());
afterEach(() => void jest.restoreAllMocks());

const signedIn = async () => db.one.signIn((await db.newOperator()).email);
const nowMs = () => db.one.clock.nowMs;
const advance = (ms: number) => {
  db.one.clock.nowMs += ms;
};
const PAGE = { limit: 100, offset: 0 };

describe('finding sessions', () => {
  test('a session is found by its token, and only the hash of the token is stored', async () => {
    const { token, session, operator } = await signedIn();
    expect(token).toMatch(/^[0-9A-Za-z_-]{43}$/);
    expect(await db.other.sessions.find(token)).toEqual({ session, operator, extended: false });
    const stored = await db.dump();
    expect(stored).not.toContain(token);
    expect(stored).toContain(createHash('sha256').update(token).digest('hex'));
  });

  test('a session is not found by its hash, its ID, another token, or an invalid token', async () => {
    const { token, session } = await signedIn();
    const hash = createHash('sha256').update(token).digest();
    const others = [
      hash.toString('base64url'),
      hash.toString('hex'),
      session.id,
      randomBytes(32).toString('base64url'),
    ];
    for (const other of [
      ...others,
      '',
      `${token}=`,
      token.slice(1),
      'a\0'.repeat(21),
      "' or true --",
      'x'.repeat(9e4),
    ]) {
      expect(await db.one.sessions.find(other)).toBeNull();
    }
  });

  test('a lookup is one statement, and writes nothing in the first 15 minutes', async () => {
    const { token, session } = await signedIn();
    const version = () => db.source.query('select xmin from operator_sessions where id = $1', [session.id]);
    const before = await version();
    advance(15 * MINUTE_MS - 1);
    const query = jest.spyOn(db.source, 'query');
    await db.one.sessions.find(token);
    await db.one.sessions.find('no token');
    expect(query).toHaveBeenCalledTimes(1);
    expect(await version()).toEqual(before);
  });

  test('a session expires after seven days without use, and its use is recorded every 15 minutes', async () => {
    const { token, session } = await signedIn();
    const startedMs = nowMs();
    expect(session.expiresAt.getTime()).toBe(startedMs + 7 * DAY_MS);
    advance(15 * MINUTE_MS - 1);
    expect(await db.one.sessions.find(token)).toMatchObject({ extended: false, session });
    advance(1);
    const extended = { lastSeenAt: new Date(nowMs()), expiresAt: new Date(nowMs() + 7 * DAY_MS) };
    expect(await db.one.sessions.find(token)).toMatchObject({ extended: true, session: extended });
    advance(15 * MINUTE_MS - 1);
    expect(await db.one.sessions.find(token)).toMatchObject({ extended: false, session: extended });
    advance(7 * DAY_MS - 15 * MINUTE_MS);
    expect(await db.one.sessions.find(token)).toMatchObject({ extended: true });
    advance(7 * DAY_MS);
    expect(await db.one.sessions.find(token)).toBeNull();
  });

  test('a session ends at its maximum age, even if it is used', async () => {
    const short = new OperatorsProcess(db.source, { sessionHoursMax: '24' });
    const at = (ms: number) => (short.clock.nowMs = ms);
    const startedMs = at(nowMs());
    const { token, session } = await short.signIn((await db.newOperator()).email);
    expect(session.expiresAt.getTime()).toBe(startedMs + DAY_MS);
    expect(short.sessions.cookieSecondsOf(session)).toBe(DAY_MS / 1000);
    at(startedMs + DAY_MS - MINUTE_MS);
    const found = await short.sessions.find(token);
    expect([found?.extended, found?.session.expiresAt.getTime()]).toEqual([true, startedMs + DAY_MS]);
    expect(short.sessions.cookieSecondsOf(session)).toBe(60);
    at(startedMs + DAY_MS);
    expect(await short.sessions.find(token)).toBeNull();
  });

  test('the maximum age applies to sessions of the previous release, counted from their sign-in', async () => {
    const { token, session, operator } = await signedIn();
    const { token: newer } = await db.one.signIn(operator.email);
    const id = operator.id;
    const age = (days: number) =>
      db.source.query(`update operator_sessions set created_at = $2, expires_at = $3 where id = $1`, [
        session.id,
        new Date(nowMs() - days * DAY_MS),
        new Date(nowMs() + 7 * DAY_MS),
      ]);
    const listed = async () =>
      (await db.one.sessions.list({ visibleOf: null, operatorId: id }, PAGE)).sessions.map((one) =>
        one.id === session.id ? (one.expiresAt.getTime() - nowMs()) / DAY_MS : 'newer',
      );
    await age(29);
    expect((await db.one.sessions.find(token))?.session.expiresAt.getTime()).toBe(nowMs() + DAY_MS);
    expect(await listed()).toEqual(['newer', 1]);
    await age(30);
    expect(await db.one.sessions.find(token)).toBeNull();
    expect(await listed()).toEqual(['newer']);
    await expect(db.one.sessions.revoke(session.id, null, ACTOR)).rejects.toMatchObject({ code: 'not_found' });
    await signedIn();
    expect(await db.source.query('select 1 from operator_sessions where id = $1', [session.id])).toEqual([]);
    expect(await db.one.sessions.find(newer)).not.toBeNull();
  });

  test('one of two concurrent lookups extends the session', async () => {
    const { token } = await signedIn();
    advance(16 * MINUTE_MS);
    db.other.clock.nowMs = nowMs();
    const looks = [db.one, db.other].map(({ sessions }) => sessions.find(token));
    const found = await Promise.all(looks);
    expect(found.filter((look) => look?.extended)).toHaveLength(1);
  });

  test('the next lookup reflects a changed, disabled or deleted operator', async () => {
    const { token, operator } = await signedIn();
    await db.one.operators.update(operator.id, { role: 'viewer', name: 'Renamed' }, ACTOR);
    expect((await db.other.sessions.find(token))?.operator).toMatchObject({ role: 'viewer', name: 'Renamed' });
    await db.one.operators.update(operator.id, { disabled: true }, ACTOR);
    expect(await db.other.sessions.find(token)).toBeNull();
    // A stolen session must not work again when the operator is enabled.
    await db.one.operators.update(operator.id, { disabled: false }, ACTOR);
    expect(await db.other.sessions.find(token)).toBeNull();
    const again = await db.one.signIn(operator.email);
    await db.one.operators.delete(operator.id, ACTOR);
    expect(await db.other.sessions.find(again.token)).toBeNull();
  });

  test('a session of a disabled operator is not found, even if its row exists', async () => {
    const { token, operator } = await signedIn();
    await db.source.query('update operators set disabled = true where id = $1', [operator.id]);
    expect(await db.one.sessions.find(token)).toBeNull();
  });

  test('a session stores its address and at most 300 characters of its user agent', async () => {
    const { email } = await db.newOperator();
    const { session, token } = await db.one.signIn(email, undefined, '2001:db8::7', `nul\0 ${'🔑'.repeat(400)}`);
    expect(session.ip).toBe('2001:db8::7');
    expect(session.userAgent).toMatch(/^nul 🔑/);
    expect(session.userAgent!.length).toBeLessThanOrEqual(300);
    expect((await db.one.sessions.find(token))?.session).toEqual(session);
    const nothing = await db.one.signIn(email, undefined, null, null);
    expect(nothing.session).toMatchObject({ ip: null, userAgent: null });
  });
});

describe('sessions of one operator', () => {
  test('a new sign-in beyond 50 sessions ends the least recently used one', async () => {
    const { id, email } = await db.newOperator();
    const { token: used } = await db.one.signIn(email);
    const { token: unused } = await db.one.signIn(email);
    await db.source.query(
      `insert into operator_sessions (id, operator_id, token_hash, created_at, last_seen_at, expires_at)
       select gen_random_uuid(), $1, decode(md5(n::text), 'hex'), $2, $2, $3 from generate_series(1, 48) n`,
      [id, new Date(nowMs() + 1), new Date(nowMs() + DAY_MS)],
    );
    advance(20 * MINUTE_MS);
    await db.one.sessions.find(used);
    const bystander = await signedIn();
    await db.one.signIn(email);
    expect((await db.one.sessions.list({ visibleOf: id, operatorId: null }, PAGE)).total).toBe(50);
    expect(await db.one.sessions.find(unused)).toBeNull();
    expect(await db.one.sessions.find(used)).not.toBeNull();
    expect(await db.one.sessions.find(bystander.token)).not.toBeNull();
  });

  test('expired sessions are not listed and are deleted at the next sign-in', async () => {
    const { session } = await signedIn();
    advance(7 * DAY_MS);
    expect((await db.one.sessions.list({ visibleOf: session.operatorId, operatorId: null }, PAGE)).total).toBe(0);
    await expect(db.one.sessions.revoke(session.id, null, ACTOR)).rejects.toMatchObject({ code: 'not_found' });
    await signedIn();
    expect(await db.source.query('select 1 from operator_sessions where id = $1', [session.id])).toEqual([]);
  });

  test('sessions are listed newest first, for one operator or for all', async () => {
    const { id, email } = await db.newOperator();
    const made = [];
    for (let at = 0; at < 3; at++) {
      advance(1000);
      made.unshift((await db.one.signIn(email)).session);
    }
    await signedIn();
    const total = await db.count('operator_sessions');
    expect(await db.one.sessions.list({ visibleOf: id, operatorId: null }, PAGE)).toEqual({ total: 3, sessions: made });
    expect(await db.one.sessions.list({ visibleOf: id, operatorId: null }, { limit: 1, offset: 2 })).toEqual({
      total: 3,
      sessions: [made[2]],
    });
    expect((await db.one.sessions.list({ visibleOf: null, operatorId: null }, PAGE)).total).toBe(total);
    expect(
      (await db.one.sessions.list({ visibleOf: null, operatorId: null }, { limit: 3, offset: 0 })).sessions,
    ).toHaveLength(3);
  });
});

describe('ending sessions', () => {
  test('revoking a session writes an audit row, and fails with not_found for other operators', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()];
    const unknown = { code: 'not_found' };
    const { sessions } = db.other;
    await expect(sessions.revoke(theirs.session.id, mine.operator.id, ACTOR)).rejects.toMatchObject(unknown);
    await expect(sessions.revoke(randomUUID(), null, ACTOR)).rejects.toMatchObject(unknown);
    expect(await db.one.sessions.find(theirs.token)).not.toBeNull();

    await sessions.revoke(mine.session.id, mine.operator.id, ACTOR);
    await sessions.revoke(theirs.session.id, null, ACTOR);
    expect([await db.one.sessions.find(mine.token), await db.one.sessions.find(theirs.token)]).toEqual([null, null]);
    expect(await db.auditRows(theirs.session.id)).toMatchObject([
      {
        action: 'admin.session_revoked',
        target_type: 'session',
        metadata: { operator_id: theirs.operator.id, request_id: 'request-1' },
      },
    ]);
  });

  test('all sessions of an operator end except one, with an audit row for each', async () => {
    const { id, email } = await db.newOperator();
    const [kept, other, expired] = [await db.one.signIn(email), await db.one.signIn(email), await db.one.signIn(email)];
    const stranger = await signedIn();
    await db.source.query('update operator_sessions set expires_at = $2 where id = $1', [
      expired.session.id,
      new Date(nowMs() - 1),
    ]);
    expect(await db.one.sessions.revokeAll(id, kept.session.id, ACTOR)).toEqual({ operatorId: id, ended: 1 });
    const found = await Promise.all([kept, other, stranger].map(({ token }) => db.one.sessions.find(token)));
    expect(found.map((one) => one?.session.id)).toEqual([kept.session.id, undefined, stranger.session.id]);
    expect(await db.auditRows(other.session.id)).toMatchObject([
      { action: 'admin.session_revoked', target_type: 'session', metadata: { operator_id: id } },
    ]);
    for (const { session } of [kept, expired]) expect(await db.auditRows(session.id)).toEqual([]);
    expect(await db.one.sessions.revokeAll(id, null, ACTOR)).toEqual({ operatorId: id, ended: 1 });
    expect(await db.one.sessions.revokeAll(id, null, ACTOR)).toEqual({ operatorId: id, ended: 0 });
    await expect(db.one.sessions.revokeAll(randomUUID(), null, ACTOR)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('concurrent sign-outs end the session once, with one audit row', async () => {
    const { token, session, operator } = await signedIn();
    const self = { ...ACTOR, type: 'operator', id: operator.id } as const;
    await Promise.all([db.one, db.other, db.one].map(({ sessions }) => sessions.signOut(session, self)));
    expect(await db.one.sessions.find(token)).toBeNull();
    const rows = (await db.auditRows(operator.id)).filter(({ action }) => action === 'admin.logout');
    expect(rows).toMatchObject([{ actor_type: 'operator', metadata: { session_id: session.id } }]);
  });
});

describe('CSRF tokens', () => {
  test('a CSRF token is constant, valid only for its session, and not stored', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()];
    expect(mine.csrfToken).toBe(db.other.sessions.csrfTokenOf(mine.session));
    expect(db.other.sessions.isCsrfToken(mine.session, mine.csrfToken)).toBe(true);
    for (const wrong of [theirs.csrfToken, mine.token, mine.session.id, '', mine.csrfToken.slice(1)]) {
      expect(db.one.sessions.isCsrfToken(mine.session, wrong)).toBe(false);
    }
    expect(await db.dump()).not.toContain(mine.csrfToken);
  });

  test('a CSRF token of the old key stays valid while GW_SECRET_KEY is rotated', async () => {
    const { session, csrfToken } = await signedIn();
    const newKey = randomBytes(32).toString('base64');
    const during = new OperatorsProcess(db.source, { secretKey: `${newKey},${SECRET_KEY}` }).sessions;
    const after = new OperatorsProcess(db.source, { secretKey: newKey }).sessions;
    expect(during.isCsrfToken(session, csrfToken)).toBe(true);
    expect(after.isCsrfToken(session, during.csrfTokenOf(session))).toBe(true);
    expect(after.isCsrfToken(session, csrfToken)).toBe(false);
  });
});
