import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { declaredRoutes } from '../../../../src/platform/routes/declared-routes.js';
import { ADMIN_KEY, TestGateway, UPSTREAM_KEY, type Key } from '../../../support/gateway.js';
import { createOperator, OperatorSession, type Role } from '../../../support/operator-session.js';
import { until } from '../../../support/until.js';
import { Receiver } from '../../../support/webhook-receiver.js';
import { Canaries, randomText } from '../../../security/canary/canaries.js';

type Caller = 'admin key' | Role;
interface Read {
  readonly path: string;
  readonly status: number;
  readonly shown: readonly string[];
}

/** Parts of a webhook's URL that can contain a token. Only callers that can set the URL see them. */
const URL_PARTS = ['URL fragment', 'URL password', 'URL path', 'URL query', 'URL user'];

const canaries = new Canaries();
const secretKey = Buffer.alloc(32, 9).toString('base64');
let receiver: Receiver;
let gateway: TestGateway;
let callers: Readonly<Record<Caller, { readonly headers: Record<string, string>; readonly own: readonly string[] }>>;
let ids: Readonly<Record<string, string>>;

const query = (sql: string, values: unknown[] = []): Promise<unknown> => gateway.app.get(DataSource).query(sql, values);

beforeAll(async () => {
  receiver = await Receiver.start();
  for (const [name, secret] of Object.entries({ ADMIN_KEY, UPSTREAM_KEY, secretKey })) canaries.plant(name, secret);
  gateway = await TestGateway.start({ GW_WEBHOOK_ALLOW_PRIVATE: 'true', GW_SECRET_KEY: secretKey });
  const key = await plantKeys();
  const webhook = await plantWebhook();
  await plantRecordsOfVersion10(webhook);
  callers = {
    'admin key': { headers: { authorization: `Bearer ${ADMIN_KEY}` }, own: [] },
    viewer: await plantOperator('viewer'),
    admin: await plantOperator('admin'),
    owner: await plantOperator('owner'),
  };
  const made = async (path: string, body: object): Promise<string> =>
    String((await gateway.admin<{ id: unknown }>('POST', path, body)).body.id);
  const limit = { scope: 'account', measure: 'requests', period: 'day', amount: 1000 };
  ids = {
    'api-keys': key.id,
    webhooks: webhook,
    teams: await made('/admin/teams', { name: 'team' }),
    limits: await made('/admin/limits', limit),
    'model-allowlist': 'gpt-4o-mini',
    models: 'gpt-4o-mini',
  };
  await gateway.admin('POST', '/admin/model-allowlist', { model: 'gpt-4o-mini', enabled: true });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});

/** Raw keys, prompts, and an error in which the provider repeats its credential. */
async function plantKeys(): Promise<Key> {
  const key = await gateway.createKey({ name: 'caller' });
  canaries.plant('raw key', key.key);
  const rotated = await gateway.admin<{ key: string }>('POST', `/admin/api-keys/${key.id}/rotate`);
  canaries.plant('rotated key', rotated.body.key);
  gateway.upstream.on('POST', '/v1/chat/completions', () => ({
    status: 400,
    body: { error: { message: `wrong credential ${UPSTREAM_KEY}` } },
  }));
  await gateway.chat(rotated.body.key, { messages: [{ role: 'user', content: canaries.plant('prompt') }] });
  await until(async () => {
    const { body } = await gateway.admin<{ total: number }>('GET', '/admin/request-logs');
    return body.total > 0;
  });
  return key;
}

/** A webhook whose receiver answers with the URL that it was called with. */
async function plantWebhook(): Promise<string> {
  const path = `/services/${canaries.plant('URL path')}`;
  const search = `?token=${canaries.plant('URL query')}`;
  receiver.on(path + search, (received, response) => void response.writeHead(500).end(`no hook at ${received.path}`));
  const url = `${receiver.url}${path}${search}#${canaries.plant('URL fragment')}`;
  const made = await gateway.admin<{ id: string; secret: string }>('POST', '/admin/webhooks', { url, events: ['*'] });
  expect(made.status).toBe(201);
  canaries.plant('webhook secret', made.body.secret);
  const { id } = made.body;
  await gateway.admin('PATCH', `/admin/webhooks/${id}`, { url: `${url}2` });
  await gateway.admin('POST', `/admin/webhooks/${id}/test`);
  await until(async () => (await gateway.admin('GET', `/admin/webhooks/${id}/deliveries`)).text.includes('no hook'));
  // The Admin API rejects user names and passwords in URLs, but the database does not.
  const [user, password] = [canaries.plant('URL user'), canaries.plant('URL password')];
  await query(`update webhooks set enabled = false, url = replace(url, 'http://', $1)`, [
    `http://${user}:${password}@`,
  ]);
  return id;
}

/** Rows as version 1.0 wrote them, with the path of the URL. */
async function plantRecordsOfVersion10(webhookId: string): Promise<void> {
  const rows = (await query('select url from webhooks')) as { url: string }[];
  const old = rows[0]!.url.replace(/\?.*/, '?…');
  const metadata = { changes: { url: { old: null, new: old } } };
  await query(
    `insert into audit_logs (created_at, action, actor_type, target_type, target_id, metadata)
     values (now(), 'webhook.created', 'admin_key', 'webhook', $1, $2)`,
    [webhookId, JSON.stringify(metadata)],
  );
  const data = { webhook_id: webhookId, url: old, reason: 'failing' };
  await query(`insert into notifications (id, type, created_at, data) values ($1, 'webhook_disabled', now(), $2)`, [
    randomUUID(),
    JSON.stringify(data),
  ]);
}

async function plantOperator(role: Role) {
  const password = canaries.plant(`password of the ${role}`, `Aa1-${randomText()}`);
  const { email } = await createOperator(gateway, role, { password });
  const session = await OperatorSession.open(gateway, email, password);
  const names = [`session of the ${role}`, `CSRF token of the ${role}`] as const;
  canaries.plant(names[0], session.token);
  canaries.plant(names[1], session.csrfToken);
  return { headers: { cookie: session.cookie }, own: [names[1]] };
}

/** Every route that can be read, with the ID of an object where its path has one, and each format. */
function paths(): string[] {
  const routes = declaredRoutes(gateway.app).filter(
    ({ method, path }) => method === 'GET' && /^\/(admin|d)/.test(path),
  );
  const admin = routes.map(({ path }) => {
    const id = ids[path.split('/')[2]!] ?? '1';
    return path.replace(/:\w+|\*/, id).replace(/:\w+/g, '1');
  });
  return [...admin, '/admin/costs?format=csv', '/admin/limits?format=csv', '/openapi.json', '/health', '/dashboard/'];
}

/** Reads one path after the other, because excess reads of an operator are rejected with 503. */
async function readAll(caller: Caller): Promise<Read[]> {
  const { headers } = callers[caller];
  const reads: Read[] = [];
  for (const path of paths()) {
    const response = await fetch(gateway.url + path, { headers });
    // The cookie of the caller's own session is sent again.
    const sent = [...response.headers].filter(([name]) => name !== 'set-cookie');
    const shown = canaries.in(JSON.stringify(sent) + (await response.text()));
    reads.push({ path, status: response.status, shown });
  }
  return reads;
}

const CALLERS: readonly Caller[] = ['admin key', 'owner', 'admin', 'viewer'];

test.each(CALLERS)('the caller %s reads no secret that it cannot set, on any route', async (caller) => {
  const reads = await readAll(caller);
  const found = reads.filter(({ status }) => status === 200);
  expect(found.length).toBeGreaterThan(caller === 'viewer' || caller === 'admin' ? 30 : 25);
  expect(reads.filter(({ status }) => status >= 500 && status !== 502)).toEqual([]);
  const setsWebhooks = caller !== 'viewer';
  const allowed = (path: string): readonly string[] => {
    if (path === '/dashboard/session') return callers[caller].own;
    if (path.startsWith('/admin/webhooks') && setsWebhooks) return URL_PARTS;
    return [];
  };
  const leaked = reads.filter(({ path, shown }) => shown.some((name) => !allowed(path).includes(name)));
  expect(leaked).toEqual([]);
});

test.each(CALLERS)('the caller %s sees the URL of a webhook only if it can set it', async (caller) => {
  const list = (await readAll(caller)).find(({ path }) => path === '/admin/webhooks')!;
  expect(list).toEqual({ path: '/admin/webhooks', status: 200, shown: caller === 'viewer' ? [] : URL_PARTS });
});

test('a viewer sees the origin of a webhook, and the status of a response without its text', async () => {
  const { headers } = callers.viewer;
  const read = async (path: string) => (await fetch(gateway.url + path, { headers })).text();
  expect(await read(`/admin/webhooks/${ids['webhooks']}`)).toContain(`"url":"${receiver.url}/…"`);
  const deliveries = await read(`/admin/webhooks/${ids['webhooks']}/deliveries`);
  expect(deliveries).toContain('"response_status":500,"response_excerpt":null');
  expect(await read('/admin/audit-logs?action=webhook.created')).toContain(`"new":"${receiver.url}/…"`);
});
