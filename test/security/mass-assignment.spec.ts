import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { declaredRoutes } from '../../src/platform/routes/declared-routes.js';
import { errorCodeIn } from '../support/responses.js';
import { ADMIN_KEY, TestGateway } from '../support/gateway.js';
import { createOperator, OPERATOR_PASSWORD } from '../support/operator-session.js';
import { requestHead, Wire, type WireResponse } from '../support/wire.js';

/** Fields that a caller might try to set in addition to the documented ones. */
const UNKNOWN_FIELDS = [
  'id',
  'key',
  'key_hash',
  'keyHash',
  'key_hint',
  'version',
  'status',
  'created_at',
  'updated_at',
  'revoked_at',
  'last_used_at',
  'is_expired',
  'used',
  'count',
  'minute_count',
  'day_count',
  'month_count',
  'token_count',
  'password_hash',
  'passwordHash',
  'last_login_at',
  'email_key',
  'operator_id',
  'actor_type',
  'actor_id',
  'secret',
  'secret_encrypted',
  'disabled_reason',
  'updated_by',
  'availability',
  'category',
  'provider',
  'Name',
  'ROLE',
  'enabled ',
  'constructor',
  'toString',
  '__proto__',
  'prototype',
  '',
];
const TABLES = [
  'api_keys',
  'key_quota',
  'teams',
  'operators',
  'webhooks',
  'webhook_deliveries',
  'limits',
  'limit_counters',
  'limit_grants',
  'model_policies',
  'model_prices',
  'notification_reads',
  'audit_logs',
  'events',
  'job_runs',
];

const LIMIT = { scope: 'account', measure: 'requests', period: 'day', amount: 1_000_000 };

let gateway: TestGateway;
/** For thousands of requests, `fetch` takes more CPU time than the gateway. */
let wire: Wire;
let keyId: string;
/** Every mutation of the Admin API with a valid body, or null if it takes no body. */
let bodies: Readonly<Record<string, Record<string, unknown> | null>>;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_WEBHOOK_ALLOW_PRIVATE: 'true' });
  wire = await Wire.open(gateway.port);
  keyId = (await gateway.createKey()).id;
  const operator = { email: 'new@example.com', name: 'New', role: 'viewer', password: OPERATOR_PASSWORD };
  const webhook = { url: 'https://example.com/hook', events: ['*'] };
  bodies = {
    'POST /admin/api-keys': { name: 'x' },
    'PATCH /admin/api-keys/:id': { rpm_limit: 5 },
    'POST /admin/api-keys/:id/suspend': null,
    'POST /admin/api-keys/:id/unsuspend': null,
    'POST /admin/api-keys/:id/rotate': null,
    'POST /admin/api-keys/:id/revoke': null,
    'POST /admin/api-keys/:id/reset-quota': { window: 'day' },
    'POST /admin/api-keys/bulk-suspend': { ids: [keyId] },
    'POST /admin/api-keys/bulk-unsuspend': { ids: [keyId] },
    'POST /admin/api-keys/bulk-revoke': { ids: [keyId] },
    'POST /admin/teams': { name: 'Checkout', tags: ['production'] },
    'PATCH /admin/teams/:id': { tags: [] },
    'DELETE /admin/teams/:id': null,
    'POST /admin/limits': LIMIT,
    'POST /admin/limits/simulate': LIMIT,
    'PATCH /admin/limits/:id': { amount: 5 },
    'DELETE /admin/limits/:id': null,
    'POST /admin/limits/:id/reset': null,
    'POST /admin/limits/:id/top-ups': { amount: 5 },
    'DELETE /admin/limits/:id/top-ups/:top_up_id': null,
    'POST /admin/model-allowlist': { model: 'gpt-4o-mini', enabled: true },
    'DELETE /admin/model-allowlist/*': null,
    'POST /admin/models/*': null,
    'POST /admin/prices': { model: 'x', prices: { input: '1' } },
    'POST /admin/prices/import': { prices: [{ model: 'y', prices: { input: '1' } }] },
    'POST /admin/prices/recompute': {},
    'DELETE /admin/prices/:id': null,
    'POST /admin/costs/reconciliation': { csv: 'date,amount_value,line_item\n2026-07-01,1.5,gpt-5\n' },
    'POST /admin/upstreams/:name/test': null,
    'POST /admin/upstreams/:name/drain': null,
    'POST /admin/upstreams/:name/resume': null,
    'POST /admin/cache/purge': null,
    'POST /admin/jobs/daily/run': null,
    'POST /admin/webhooks': webhook,
    'PATCH /admin/webhooks/:id': { enabled: false },
    'DELETE /admin/webhooks/:id': null,
    'POST /admin/webhooks/:id/test': null,
    'POST /admin/webhooks/:id/deliveries/:delivery_id/retry': null,
    'POST /admin/notifications/:id/read': null,
    'POST /admin/notifications/read-all': null,
    'POST /admin/lost-changes/apply': { ids: [keyId] },
    'POST /admin/lost-changes/discard': { ids: [keyId] },
    'POST /admin/operators': operator,
    'PATCH /admin/operators/:id': { name: 'Other' },
    'POST /admin/operators/:id/password': { new_password: 'another-password-77' },
    'DELETE /admin/operators/:id': null,
    'DELETE /admin/sessions/:id': null,
    'DELETE /admin/sessions': null,
  };
});
afterAll(async () => {
  wire.close();
  await gateway.stop();
});

async function targetOf(route: string): Promise<string> {
  if (route.includes('/api-keys/')) return keyId;
  if (route.includes('/operators/')) return (await createOperator(gateway, 'viewer')).id;
  if (route.includes('/webhooks/')) {
    const made = await gateway.admin<{ id: string }>('POST', '/admin/webhooks', bodies['POST /admin/webhooks']!);
    return made.body.id;
  }
  if (route.includes('/limits/')) {
    const { body } = await gateway.admin<{ id: number }>('POST', '/admin/limits', LIMIT);
    return String(body.id);
  }
  if (route.includes('/teams/')) {
    const { body } = await gateway.admin<{ id: string }>('POST', '/admin/teams', { name: randomUUID() });
    return body.id;
  }
  return randomUUID();
}

const addressOf = (path: string, id: string) =>
  path
    .replace(':id', id)
    .replace(':name', 'openai')
    .replace(':delivery_id', randomUUID())
    .replace(':top_up_id', '1')
    .replace('models/*', 'models/gpt-4o-mini/probe')
    .replace('*', 'gpt-4o-mini');

async function stored(): Promise<string> {
  const hashes = TABLES.map(
    (table) => `(select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from ${table} t)`,
  );
  const [row] = await gateway.app
    .get(DataSource)
    .query<[{ state: string }]>(`select concat_ws(' ', ${hashes.join(', ')}) as state`);
  return row.state;
}

/** Returns JSON with one more field, even one named `__proto__`. */
const withUnknownField = (body: object, unknownField: string, value: unknown) =>
  `{${[JSON.stringify(body).slice(1, -1), `${JSON.stringify(unknownField)}:${JSON.stringify(value)}`].filter((part) => part !== '').join(',')}}`;

function send(method: string, address: string, json: string): Promise<WireResponse> {
  const length = `Content-Length: ${Buffer.byteLength(json)}`;
  const lines = [`Authorization: Bearer ${ADMIN_KEY}`, 'Content-Type: application/json', length];
  wire.write(requestHead(method, address, ...lines) + json);
  return wire.response();
}

test('the test covers every mutation of the Admin API', () => {
  const mutations = declaredRoutes(gateway.app).filter(
    ({ method, spec }) => spec?.kind === 'admin' && method !== 'GET',
  );
  expect(Object.keys(bodies).sort()).toEqual(mutations.map(({ method, path }) => `${method} ${path}`).sort());
});

test('an unknown field in a mutation is rejected by name, and nothing is written', async () => {
  for (const [route, body] of Object.entries(bodies)) {
    const [method, path] = route.split(' ') as [string, string];
    const address = addressOf(path, await targetOf(route));
    const before = await stored();
    for (const [at, unknownField] of UNKNOWN_FIELDS.entries()) {
      const value = ['x', 1, true, null, { set: true }][at % 5];
      const response = await send(method, address, withUnknownField(body ?? {}, unknownField, value));
      expect([route, unknownField, errorCodeIn(response)]).toEqual([
        route,
        unknownField,
        `400 validation_error ${unknownField}`,
      ]);
    }
    expect([route, await stored()]).toEqual([route, before]);
  }
});

test('the same mutations succeed without the unknown field', async () => {
  for (const [route, body] of Object.entries(bodies)) {
    if (body === null) continue;
    const [method, path] = route.split(' ') as [string, string];
    const response = await gateway.admin(method, addressOf(path, await targetOf(route)), body);
    expect([route, response.status < 300]).toEqual([route, true]);
  }
});
