import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { ADMIN_KEY } from '../../support/gateway.js';
import { callPlainly, OPERATOR_PASSWORD, OperatorSession, signIn } from '../../support/operator-session.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
beforeAll(async () => {
  [upstream, scratch] = [await startUpstream(), await createScratchDatabase()];
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await upstream.stop();
  await scratch.drop();
});

test('the log contains no password, session token, CSRF token or other credential', async () => {
  const gateway = await GatewayProcess.start({
    DATABASE_URL: scratch.url,
    GW_UPSTREAM_BASE_URL: upstream.url,
    LOG_LEVEL: 'trace',
  });
  const session = await OperatorSession.of(gateway, 'owner');
  const headers = { authorization: 'Bearer admin_gw_not-the-right-one-but-secret' };
  await callPlainly(gateway, 'GET', '/admin/api-keys', { headers });
  await signIn(gateway, session.operator.email, 'Wrong-horse-battery-9');
  await signIn(gateway, 'typed-password-as@e.mail', 'Wrong-horse-battery-9');
  await session.call('POST', '/dashboard/password', { current_password: 'Guessed-horse-1', new_password: 'x' });
  await session.call('POST', '/dashboard/password', {
    current_password: 'Guessed-horse-1',
    new_password: 'Coming-horse-battery-10',
  });
  await session.call('POST', '/admin/cache/purge', undefined, { 'x-csrf-token': 'made-up-csrf-token' });
  await session.call('GET', `/admin/api-keys?token=${session.token}`);
  await session.call('DELETE', '/dashboard/session');
  await gateway.stop();
  const log = gateway.stdout + gateway.stderr;
  expect(log).toContain('"endpoint":"dashboard"');
  const secrets = [
    OPERATOR_PASSWORD,
    'Wrong-horse-battery-9',
    'Guessed-horse-1',
    'Coming-horse-battery-10',
    ADMIN_KEY,
    'admin_gw_not-the-right-one',
    session.token,
    session.csrfToken,
    'made-up-csrf-token',
    createHash('sha256').update(session.token).digest('hex'),
    'argon2',
    'typed-password-as',
  ];
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});
