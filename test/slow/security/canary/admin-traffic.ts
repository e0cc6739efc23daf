import { status } from '../../../support/webhook-receiver.js';
import { cookieIn, tokenIn } from '../../../support/operator-session.js';
import { until } from '../../../support/until.js';
import type { CallerKeys } from './api-traffic.js';
import { randomText } from '../../../security/canary/canaries.js';
import { OWNER_EMAIL, type WatchedGateway } from './watched-gateway.js';

/** Creates keys in every state, and a webhook that receives their events and echoes its secret. */
export async function makeKeys(gateway: WatchedGateway): Promise<CallerKeys> {
  await makeWebhook(gateway);
  const limits = { rpm_limit: 100_000, rpd_limit: 100_000 };
  const made = async (name: string, fields: object = {}) => {
    const response = await gateway.admin(`201 ${name}`, 'POST', '/api-keys', {
      body: { name, ...limits, ...fields },
      shows: [name],
    });
    const { id, key } = JSON.parse(response.text) as { id: string; key: string };
    return { id, key: gateway.canaries.plant(name, key) };
  };
  const rotated = await made('a rotated key');
  const { text } = await gateway.admin('200 rotated', 'POST', `/api-keys/${rotated.id}/rotate`, {
    shows: ['a new key'],
  });
  gateway.canaries.plant('a new key', (JSON.parse(text) as { key: string }).key);
  const revoked = await made('a revoked key');
  await gateway.admin('200 revoked', 'POST', `/api-keys/${revoked.id}/revoke`);
  const caller = await made("the caller's key");
  await gateway.admin('200 changed', 'PATCH', `/api-keys/${caller.id}`, { body: { name: 'renamed' } });
  const small = await made('a small key', { rpd_limit: 1 });
  return { caller: caller.key, small: small.key, rotatedOut: rotated.key, revoked: revoked.key };
}

async function makeWebhook(gateway: WatchedGateway): Promise<void> {
  const { canaries, receiver } = gateway;
  const { text } = await gateway.admin('201 webhook', 'POST', '/webhooks', {
    body: { url: `${receiver.url}/hook`, events: ['*'] },
    shows: ["a webhook's secret", "a webhook's secret, its bytes"],
  });
  const { secret } = JSON.parse(text) as { secret: string };
  canaries.plant("a webhook's secret", secret);
  canaries.plant("a webhook's secret, its bytes", Buffer.from(secret.slice('whsec_'.length), 'base64'));
  receiver.on('/hook', status(400, `not signed with ${secret}`));
}

/** Sends rejected Admin API requests, reads every list, and creates and changes an operator. */
export async function callAdmin(gateway: WatchedGateway, { caller }: CallerKeys): Promise<void> {
  const { canaries } = gateway;
  const wrong = (name: string, method: string, path: string, body?: object) =>
    gateway.admin(`400 ${name}`, method, path, { body });
  await wrong('key', 'POST', '/api-keys', { name: 5, rpm_limit: canaries.plant('a wrong limit'), key: caller });
  await wrong('key, text', 'POST', '/api-keys', {
    name: 'x',
    allowed_models: { [canaries.plant('a wrong list')]: caller },
  });
  await wrong('keys', 'GET', `/api-keys?status=${canaries.plant('a wrong status')}&key=${caller}`);
  await wrong('webhook', 'POST', '/webhooks', { url: `ftp://u:${canaries.plant('a wrong URL')}@x`, events: ['*'] });
  const operator = { email: 'someone@example.com', name: 'Someone', role: 'admin' };
  const short = canaries.plant('a short password', `Aa1${randomText().slice(0, 8)}`);
  await wrong('operator', 'POST', '/operators', { ...operator, password: short });
  const password = canaries.plant("an operator's password", `Aa1-${randomText()}`);
  const made = await gateway.admin('201 operator', 'POST', '/operators', { body: { ...operator, password } });
  const { id } = JSON.parse(made.text) as { id: string };
  const next = canaries.plant("an operator's new password", `Aa1-${randomText()}`);
  await gateway.admin('204 password set', 'POST', `/operators/${id}/password`, { body: { new_password: next } });
  await gateway.send('401 admin', 'GET', `/admin/api-keys?key=${caller}`, {
    headers: { authorization: `Bearer admin_gw_${canaries.plant('a wrong admin key')}` },
  });
  await gateway.send("401 admin, caller's key", 'GET', '/admin/api-keys', {
    headers: { authorization: `Bearer ${caller}` },
  });
  await gateway.admin('404 key', 'GET', `/api-keys/${caller}`);
  for (const list of ['api-keys', 'operators', 'webhooks', 'notifications', 'jobs', 'audit-logs', 'request-logs'])
    await gateway.admin(`200 ${list}`, 'GET', `/${list}`);
}

/** Signs in and out with right and wrong credentials until the account is locked. */
export async function callDashboard(gateway: WatchedGateway): Promise<void> {
  const { canaries, secrets } = gateway;
  const signIn = (name: string, email: string, password: string, shows: string[] = []) =>
    gateway.send(name, 'POST', '/dashboard/session', { body: { email, password }, shows });
  const signedIn = await signIn('200 sign-in', OWNER_EMAIL, secrets.ownerPassword, ['a CSRF token', 'a session']);
  const cookie = `gw_admin_session=${canaries.plant('a session', tokenIn(cookieIn(signedIn)!))}`;
  const csrf = canaries.plant('a CSRF token', (JSON.parse(signedIn.text) as { csrf_token: string }).csrf_token);
  await gateway.send('200 session', 'GET', '/dashboard/session', {
    headers: { cookie },
    shows: ['a CSRF token', 'a session'],
  });
  const changed = { current_password: canaries.plant('a wrong current password'), new_password: secrets.ownerPassword };
  // Each request that passes the CSRF check gets a renewed session cookie.
  const change = (name: string, headers: Record<string, string>, shows: string[] = []) =>
    gateway.send(name, 'POST', '/dashboard/password', { headers: { cookie, ...headers }, body: changed, shows });
  await change('403 no CSRF token', {});
  await change('403 wrong CSRF token', { 'x-csrf-token': canaries.plant('a wrong CSRF token') });
  await change('401 wrong current password', { 'x-csrf-token': csrf }, ['a session']);
  await gateway.send('401 wrong session', 'GET', '/dashboard/session', {
    headers: { cookie: `gw_admin_session=${canaries.plant('a wrong session')}` },
  });
  await gateway.send('200 keys by session', 'GET', '/admin/api-keys', { headers: { cookie } });
  await gateway.send('204 sign-out', 'DELETE', '/dashboard/session', { headers: { cookie, 'x-csrf-token': csrf } });
  await signIn('401 password as email', secrets.ownerPassword, canaries.plant('a wrong password'));
  for (let nth = 0; nth < 4; nth++) await signIn('401 wrong', OWNER_EMAIL, canaries.plant(`wrong password ${nth}`));
  await signIn('429 locked', OWNER_EMAIL, secrets.ownerPassword);
}

/** Waits until each event of the keys was delivered once. */
export const whenDelivered = ({ receiver }: WatchedGateway, events: number): Promise<number> =>
  until(() => receiver.received.length >= events);
