import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp } from '../../src/app.factory.js';
import { Config } from '../../src/config/config.js';
import { MODEL_ENDPOINTS } from '../../src/model-policy/registry/endpoints.data.js';
import { declaredRoutes, type DeclaredRoute } from '../../src/routes/declared-routes.js';
import type { AdminRouteSpec, GatewayRouteSpec } from '../../src/routes/route-spec.js';
import { routerRoutes } from '../support/router-routes.js';

type App = Awaited<ReturnType<typeof createApp>>;

/** Needs neither a database nor an upstream: the table is there before anybody is asked. */
const config = Config.from({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
  GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef',
});
/** Bodies that name a model though their route is no model's own (D9). */
const MODEL_IN_PASS_THROUGH = ['/v1/assistants', '/v1/assistants/{assistant_id}', '/v1/threads/{thread_id}/runs'];
/** The page of the dashboard, which shows nothing before somebody has signed in. */
const PAGE = ['GET /dashboard', 'GET /dashboard/*', 'HEAD /dashboard', 'HEAD /dashboard/*'];
/** Marks and sessions of one's own (D33). */
const VIEWERS_OWN = [
  'DELETE /admin/sessions/:id',
  'POST /admin/notifications/:id/read',
  'POST /admin/notifications/read-all',
];

let app: App;
let routes: readonly DeclaredRoute[];
let gateway: readonly (DeclaredRoute & { spec: GatewayRouteSpec })[];
let admin: readonly (DeclaredRoute & { spec: AdminRouteSpec })[];
beforeAll(async () => {
  app = await createApp(config);
  routes = declaredRoutes(app);
  gateway = routes.flatMap((route) => (route.spec?.kind === 'gateway' ? [{ ...route, spec: route.spec }] : []));
  admin = routes.flatMap((route) => (route.spec?.kind === 'admin' ? [{ ...route, spec: route.spec }] : []));
});
afterAll(() => app.close());

const named = (list: readonly DeclaredRoute[]) => list.map(({ method, path }) => `${method} ${path}`).sort();

describe('the table of routes', () => {
  test('is not empty, and every route declares what it is', () => {
    expect(named(routes)).toContain('POST /v1/chat/completions');
    expect(named(routes.filter(({ spec }) => spec === undefined))).toEqual([]);
  });

  test('no two handlers share a method and a path', () => {
    expect(named(routes)).toEqual([...new Set(named(routes))]);
  });

  test('open to everybody are these and no others', () => {
    const open = [
      ...PAGE,
      ...['GET /health', 'GET /health/live', 'GET /health/ready'],
      ...['HEAD /health', 'HEAD /health/live', 'HEAD /health/ready'],
    ];
    expect(named(routes.filter(({ spec }) => spec?.kind === 'public'))).toEqual(open.sort());
  });

  test('each kind of route has a place of its own, and is nowhere else', () => {
    const kinds = { v1: 'gateway', admin: 'admin', dashboard: 'dashboard', health: 'public' } as Record<string, string>;
    const elsewhere = named(routes.filter(({ path, spec }) => spec?.kind !== kinds[path.split('/')[1]!]));
    expect(elsewhere).toEqual(PAGE);
  });

  test('without a session the dashboard takes a sign-in and nothing else', () => {
    const open = routes.filter(({ spec }) => spec?.kind === 'dashboard' && spec.session === 'none');
    expect(named(open)).toEqual(['POST /dashboard/session']);
  });

  test('every route under /v1 but GET /v1/usage counts against the quota', () => {
    expect(named(gateway.filter(({ spec }) => spec.quota !== 'counted'))).toEqual(['GET /v1/usage']);
  });

  test('exactly the bodies that the gateway reads go through the model gate', () => {
    const read = gateway.filter(({ spec }) => ['json', 'multipart', 'either'].includes(spec.body));
    expect(named(gateway.filter(({ spec }) => spec.model !== 'none'))).toEqual(named(read));
  });

  test('the specified routes that take a model are these', () => {
    const specified = gateway.filter(({ spec }) => spec.enabledBy === undefined);
    const takes = ({ method, spec }: (typeof gateway)[number]) =>
      method === 'POST' &&
      (MODEL_ENDPOINTS.some((endpoint) => endpoint === spec.endpoint) || MODEL_IN_PASS_THROUGH.includes(spec.endpoint));
    expect(named(specified.filter(takes)).length).toBeGreaterThan(0);
    expect(named(specified.filter((route) => takes(route) !== (route.spec.model !== 'none')))).toEqual([]);
  });

  test('the endpoint that statistics name is the path, its parameters in braces', () => {
    for (const { path, spec } of gateway) {
      expect(spec.endpoint.replace(/\{\w+\}/g, '*')).toBe(path.replace(/:\w+/g, '*'));
    }
  });

  test('no body may be larger than 26 MiB', () => {
    for (const { spec } of gateway) expect(spec.bodyBytesMax).toBeLessThanOrEqual(26 * 1024 * 1024);
  });

  test('admin routes that change something are for admins at the least, but for what is a viewer’s own', () => {
    const ofViewers = admin.filter(({ method, spec }) => method !== 'GET' && spec.role === 'viewer');
    expect(named(ofViewers).filter((route) => !VIEWERS_OWN.includes(route))).toEqual([]);
    expect(named(ofViewers)).toContain('DELETE /admin/sessions/:id');
  });

  test('owners alone manage operators, and have no other route to themselves', () => {
    const ofOwners = named(admin.filter(({ spec }) => spec.role === 'owner'));
    expect(ofOwners.length).toBeGreaterThan(3);
    expect(ofOwners).toEqual(named(admin.filter(({ path }) => /^\/admin\/operators(\/|$)/.test(path))));
  });
});

test('besides its controllers the server knows the API description and its pages only', () => {
  const own = new Set(routes.map(({ path }) => path));
  const others = routerRoutes(app).flatMap(({ path }) => (own.has(path) ? [] : [path]));
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter((path) => !/^\/(docs(\/|-json|-yaml|$)|openapi\.json$)/.test(path))).toEqual([]);
});
