import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp } from '../../../src/start/app.factory.js';
import { Config } from '../../../src/platform/config/config.js';
import { MODEL_ENDPOINTS } from '../../../src/model-policy/registry/endpoints.data.js';
import { declaredRoutes, type DeclaredRoute } from '../../../src/platform/routes/declared-routes.js';
import type { AdminRouteSpec, GatewayRouteSpec } from '../../../src/platform/routes/route-spec.js';
import { routerRoutes } from '../../support/router-routes.js';

type App = Awaited<ReturnType<typeof createApp>>;

/** Addresses where nothing listens, because the route table needs neither a database nor an upstream. */
const config = Config.from({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
  GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef',
});
/** Forwarded bodies that contain a model (D9). */
const MODEL_IN_PASS_THROUGH = ['/v1/assistants', '/v1/assistants/{assistant_id}', '/v1/threads/{thread_id}/runs'];
/** The dashboard page, which shows only the sign-in form without a session. */
const PAGE = ['GET /dashboard', 'GET /dashboard/*', 'HEAD /dashboard', 'HEAD /dashboard/*'];
/** Routes for a viewer's own sessions and read marks (D33). */
const VIEWERS_OWN = [
  'DELETE /admin/sessions',
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

describe('route table', () => {
  test('every route declares its kind', () => {
    expect(named(routes)).toContain('POST /v1/chat/completions');
    expect(named(routes.filter(({ spec }) => spec === undefined))).toEqual([]);
  });

  test('no two handlers share a method and a path', () => {
    expect(named(routes)).toEqual([...new Set(named(routes))]);
  });

  test('only the dashboard page and the health routes are public', () => {
    const open = [
      ...PAGE,
      'GET /health',
      'GET /health/live',
      'GET /health/ready',
      'HEAD /health',
      'HEAD /health/live',
      'HEAD /health/ready',
    ];
    expect(named(routes.filter(({ spec }) => spec?.kind === 'public'))).toEqual(open.sort());
  });

  test('each kind of route is only under its own path', () => {
    const kinds = { v1: 'gateway', admin: 'admin', dashboard: 'dashboard', health: 'public' } as Record<string, string>;
    const elsewhere = named(routes.filter(({ path, spec }) => spec?.kind !== kinds[path.split('/')[1]!]));
    expect(elsewhere).toEqual(PAGE);
  });

  test('sign-in is the only dashboard route without a session', () => {
    const open = routes.filter(({ spec }) => spec?.kind === 'dashboard' && spec.session === 'none');
    expect(named(open)).toEqual(['POST /dashboard/session']);
  });

  test('every route under /v1 except GET /v1/usage counts against the quota', () => {
    expect(named(gateway.filter(({ spec }) => spec.quota !== 'counted'))).toEqual(['GET /v1/usage']);
  });

  test('the model gate checks exactly the routes whose bodies are parsed, and those whose model no body names', () => {
    const read = gateway.filter(
      ({ spec }) => ['json', 'multipart', 'either'].includes(spec.body) || spec.model === 'unnamed',
    );
    expect(named(gateway.filter(({ spec }) => spec.model !== 'none'))).toEqual(named(read));
  });

  test('a specified route has a model declaration if and only if it takes a model', () => {
    const specified = gateway.filter(({ spec }) => spec.enabledBy === undefined);
    const takesModel = ({ method, spec }: (typeof gateway)[number]) =>
      method === 'POST' &&
      (MODEL_ENDPOINTS.some((endpoint) => endpoint === spec.endpoint) || MODEL_IN_PASS_THROUGH.includes(spec.endpoint));
    expect(named(specified.filter(takesModel)).length).toBeGreaterThan(0);
    expect(named(specified.filter((route) => takesModel(route) !== (route.spec.model !== 'none')))).toEqual([]);
  });

  test('the endpoint in statistics is the path with parameters in braces', () => {
    for (const { path, spec } of gateway) {
      expect(spec.endpoint.replace(/\{\w+\}/g, '*')).toBe(path.replace(/:\w+/g, '*'));
    }
  });

  test('no route accepts a body above 26 MiB', () => {
    for (const { spec } of gateway) expect(spec.bodyBytesMax).toBeLessThanOrEqual(26 * 1024 * 1024);
  });

  test("admin routes that make changes require the admin role, except a viewer's own sessions and marks", () => {
    const ofViewers = admin.filter(({ method, spec }) => method !== 'GET' && spec.role === 'viewer');
    expect(named(ofViewers).filter((route) => !VIEWERS_OWN.includes(route))).toEqual([]);
    expect(named(ofViewers)).toContain('DELETE /admin/sessions/:id');
  });

  test('the owner role is required exactly for the routes that manage operators', () => {
    const ofOwners = named(admin.filter(({ spec }) => spec.role === 'owner'));
    expect(ofOwners.length).toBeGreaterThan(3);
    expect(ofOwners).toEqual(named(admin.filter(({ path }) => /^\/admin\/operators(\/|$)/.test(path))));
  });
});

test('apart from its controllers, the server only has routes for the API document and its pages', () => {
  const own = new Set(routes.map(({ path }) => path));
  const others = routerRoutes(app).flatMap(({ path }) => (own.has(path) ? [] : [path]));
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter((path) => !/^\/(docs(\/|-json|-yaml|$)|openapi\.json$)/.test(path))).toEqual([]);
});
