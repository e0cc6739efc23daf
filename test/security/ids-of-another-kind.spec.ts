import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { declaredRoutes, type DeclaredRoute } from '../../src/platform/routes/declared-routes.js';
import { errorCodeIn } from '../support/responses.js';
import { TestGateway } from '../support/gateway.js';
import { createOperator, OperatorSession } from '../support/operator-session.js';

let gateway: TestGateway;
let ids: Readonly<Record<string, string>>;
let deletedIds: readonly string[];
let routes: readonly DeclaredRoute[];
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_WEBHOOK_ALLOW_PRIVATE: 'true' });
  routes = declaredRoutes(gateway.app).filter(({ path }) => path.startsWith('/admin/') && path.includes(':id'));
  const operator = await OperatorSession.of(gateway, 'admin');
  const sessions = await operator.call<{ sessions: { id: string }[] }>('GET', '/admin/sessions');
  ids = {
    'api-keys': (await gateway.createKey()).id,
    operators: (await createOperator(gateway, 'viewer')).id,
    webhooks: await newWebhook(),
    teams: await newTeam(),
    sessions: sessions.body.sessions[0]!.id,
  };
  deletedIds = [await deletedOperator(), await deletedWebhook()];
});
afterAll(() => gateway.stop());

async function newTeam(): Promise<string> {
  return (await gateway.admin<{ id: string }>('POST', '/admin/teams', { name: 'Checkout' })).body.id;
}
async function newWebhook(): Promise<string> {
  const webhook = { url: 'https://example.com/hook', events: ['*'] };
  return (await gateway.admin<{ id: string }>('POST', '/admin/webhooks', webhook)).body.id;
}
async function deletedWebhook(): Promise<string> {
  const id = await newWebhook();
  await gateway.admin('DELETE', `/admin/webhooks/${id}`);
  return id;
}
async function deletedOperator(): Promise<string> {
  const { id } = await createOperator(gateway, 'viewer');
  await gateway.admin('DELETE', `/admin/operators/${id}`);
  return id;
}

const BODIES: Readonly<Record<string, object>> = {
  'PATCH /admin/api-keys/:id': { rpm_limit: 5 },
  'PATCH /admin/teams/:id': { name: 'x' },
  'PATCH /admin/webhooks/:id': { enabled: true },
  'PATCH /admin/operators/:id': { name: 'x' },
  'POST /admin/operators/:id/password': { new_password: 'another-password-77' },
};

/** Sends a request that is valid except for the ID. */
const callWith = (id: string, { method, path }: DeclaredRoute) =>
  gateway.admin(method, path.replace(':id', id).replace(':delivery_id', randomUUID()), BODIES[`${method} ${path}`]);
const resourceOf = ({ path }: DeclaredRoute) => path.split('/')[2]!;

test('an ID of one kind returns 404 on every route of another kind', async () => {
  expect(routes.length).toBeGreaterThan(20);
  const read = async () => JSON.stringify((await gateway.admin('GET', `/admin/api-keys/${ids['api-keys']}`)).body);
  const before = await read();
  for (const route of routes)
    for (const [kind, id] of Object.entries(ids)) {
      if (kind === resourceOf(route)) continue;
      const response = await callWith(id, route);
      expect([route.method, route.path, kind, errorCodeIn(response)]).toEqual([
        route.method,
        route.path,
        kind,
        '404 not_found',
      ]);
    }
  expect(await read()).toBe(before);
});

test('the ID of a deleted object gets the same response as an ID that never existed', async () => {
  for (const route of routes) {
    const never = await callWith(randomUUID(), route);
    expect([route.path, errorCodeIn(never)]).toEqual([route.path, '404 not_found']);
    for (const id of deletedIds) {
      const response = await callWith(id, route);
      const withoutId = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
      expect([route.path, withoutId(response.text)]).toEqual([route.path, withoutId(never.text)]);
    }
  }
});

test('an invalid ID returns 404 and does not cause a database error', async () => {
  const none = [
    '0',
    '-1',
    '1',
    '9'.repeat(400),
    '-9223372036854775809',
    '1e308',
    'NaN',
    'null',
    'undefined',
    'true',
    '%00',
    "'",
    '%27%20or%201=1--',
    '*',
    '%2a',
    'a'.repeat(1900),
    '{}',
    '[]',
    '%7b%22a%22:1%7d',
    `${randomUUID()}0`,
    randomUUID().replaceAll('-', ''),
    `{${randomUUID()}}`,
    `urn:uuid:${randomUUID()}`,
    `%20${randomUUID()}`,
  ];
  for (const route of routes)
    for (const id of none) {
      const response = await callWith(id, route);
      expect([route.path, id, errorCodeIn(response)]).toEqual([
        route.path,
        id,
        expect.stringMatching(/^404 (not_found|route_not_found)$/),
      ]);
    }
});

test('numbers that are out of range are rejected in queries and bodies, with the name of the field', async () => {
  const numbers = ['-1', '0.5', '1e3', '9'.repeat(30), '2147483648', 'NaN', 'Infinity', '0x10', '١٢', ' 1', ''];
  for (const number of numbers)
    for (const name of ['limit', 'offset'])
      expect([
        name,
        number,
        errorCodeIn(await gateway.admin('GET', `/admin/api-keys?${name}=${encodeURIComponent(number)}`)),
      ]).toEqual([name, number, `400 validation_error ${name}`]);
  for (const number of ['-1', '0', '0.5', '2147483648', '1e400', '"5"', 'true', '[5]'])
    expect([
      number,
      errorCodeIn(await gateway.admin('POST', '/admin/api-keys', `{"name":"x","rpm_limit":${number}}`)),
    ]).toEqual([number, '400 validation_error rpm_limit']);
});
