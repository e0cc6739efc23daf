import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Database } from '../../../src/platform/database/database.service.js';
import { SignIn } from '../../../src/auth/operators/sign-in.service.js';
import { TestGateway } from '../../support/gateway.js';
import { ACTOR, MeetingAudit, OperatorsDatabase, OperatorsProcess, PASSWORD } from './operators-database.js';

const OWNER = { GW_OWNER_EMAIL: 'Owner@example.test', GW_OWNER_PASSWORD: PASSWORD };

let db: OperatorsDatabase;
beforeEach(async () => {
  jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
  db = await OperatorsDatabase.create();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await db.close();
});

describe('first owner', () => {
  test('two processes that start together create one owner', async () => {
    const audit = new MeetingAudit(db.source);
    const firsts = db.sources.map((source, at) =>
      new OperatorsProcess(source, { audit }).firstOwner({ ...OWNER, GW_OWNER_EMAIL: `Owner${at}@example.test` }),
    );
    await Promise.all(firsts.map((first) => first.onApplicationBootstrap()));
    const { operators } = await db.one.operators.list({ limit: 10, offset: 0 });
    expect(operators).toMatchObject([{ email: expect.stringMatching(/^Owner\d@/), role: 'owner', disabled: false }]);
    expect(await db.auditRows(operators[0]!.id)).toMatchObject([{ action: 'operator.created', actor_type: 'system' }]);
    expect((await db.one.signIn(operators[0]!.email.toLowerCase())).operator.role).toBe('owner');
  });

  test('an existing operator prevents the first owner and is not changed', async () => {
    const { id } = await db.newOperator({
      email: OWNER.GW_OWNER_EMAIL,
      role: 'viewer',
      password: 'another-password-1',
    });
    await db.one.firstOwner(OWNER).onApplicationBootstrap();
    expect((await db.one.signIn(OWNER.GW_OWNER_EMAIL, 'another-password-1')).operator).toMatchObject({
      id,
      role: 'viewer',
    });
    expect(await db.count('operators')).toBe(1);
  });

  test('the first owner is not created unless both settings are given', async () => {
    const halves = [{ GW_OWNER_EMAIL: OWNER.GW_OWNER_EMAIL }, { GW_OWNER_PASSWORD: OWNER.GW_OWNER_PASSWORD }];
    for (const env of [...halves, {}]) await db.one.firstOwner(env).onApplicationBootstrap();
    expect(await db.count('operators')).toBe(0);
  });

  test('the first owner is created once the database is available, without delaying startup', async () => {
    const ready = Promise.withResolvers<void>();
    const database = { state: 'connecting' as Database['state'], whenReady: () => ready.promise };
    const first = db.one.firstOwner(OWNER, database);
    await first.onApplicationBootstrap();
    await first.settled();
    expect(await db.count('operators')).toBe(0);
    database.state = 'ready';
    ready.resolve();
    await first.settled();
    expect(await db.count('operators')).toBe(1);
  });

  test('a failed creation is retried and logged without the password', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const create = jest
      .spyOn(db.one.operators, 'createFirst')
      .mockRejectedValueOnce(new Error('the database is unavailable'));
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    try {
      await db.one.firstOwner(OWNER).onApplicationBootstrap();
      expect(JSON.stringify(warn.mock.calls)).toMatch(/retrying.*the database is unavailable/);
      expect(JSON.stringify(warn.mock.calls)).not.toContain(PASSWORD);
      jest.advanceTimersByTime(5000);
    } finally {
      jest.useRealTimers();
    }
    expect(await create.mock.results[1]!.value).toMatchObject({ role: 'owner' });
  });

  test('a sign-in after a failed creation retries it at once, and returns 503 instead of 401 if it fails again', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const create = jest.spyOn(db.one.operators, 'createFirst');
    for (let times = 0; times < 2; times++) create.mockRejectedValueOnce(new Error('the database is unavailable'));
    const first = db.one.firstOwner(OWNER);
    try {
      await first.onApplicationBootstrap();
      await expect(first.settled()).rejects.toMatchObject({ status: 503, code: 'service_unavailable' });
      await Promise.all([first.settled(), first.settled()]);
      expect(create).toHaveBeenCalledTimes(3);
      expect(await db.count('operators')).toBe(1);
    } finally {
      first.onModuleDestroy();
    }
  });

  test('a failed creation is not retried after shutdown', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const create = jest.spyOn(db.one.operators, 'createFirst').mockRejectedValue(new Error('unavailable'));
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    try {
      const first = db.one.firstOwner(OWNER);
      await first.onApplicationBootstrap();
      first.onModuleDestroy();
      jest.advanceTimersByTime(60_000);
    } finally {
      jest.useRealTimers();
    }
    expect(create).toHaveBeenCalledTimes(1);
  });
});

test('the first owner can sign in as soon as the gateway is ready', async () => {
  const gateway = await TestGateway.start(OWNER);
  try {
    const origin = { ip: ACTOR.ip, userAgent: null, requestId: 'request-1' };
    const credentials = { email: 'owner@example.test', password: PASSWORD };
    expect((await gateway.app.get(SignIn, { strict: false }).signIn(credentials, origin)).operator.role).toBe('owner');
  } finally {
    await gateway.stop();
  }
});
