import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp } from '../../src/start/app.factory.js';
import { Config } from '../../src/platform/config/config.js';
import { enabledRoutes } from '../support/enabled-routes.js';
import { sdkRoutes } from '../support/sdk-routes.js';
import { EXCLUDED } from '../support/excluded-routes.data.js';

const SDKS = ['openai', '@anthropic-ai/sdk'] as const;
/** The test only reads the route table, so it needs neither a database nor an upstream. */
const config = Config.from({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
  GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef',
  GW_ROUTES: 'all',
  GW_UNBILLED_ROUTES: 'batches,fine_tuning',
});

let app: Awaited<ReturnType<typeof createApp>>;
let served: ReadonlySet<string>;
beforeAll(async () => {
  app = await createApp(config);
  const routes = enabledRoutes(app).filter(({ spec }) => spec?.kind === 'gateway');
  served = new Set(routes.map(({ method, path }) => `${method} ${path.replace(/:\w+|\*$/g, '{}')}`));
});
afterAll(() => app.close());

const isBelow = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
const exclusionsOf = (route: string): string[] => {
  const path = route.split(' ')[1]!;
  return Object.keys(EXCLUDED).filter((entry) => entry === route || isBelow(path, entry));
};

describe.each(SDKS)('SDK routes of %s', (sdk) => {
  test('the routes are found in the compiled SDK', () => {
    expect(sdkRoutes(sdk).length).toBeGreaterThan(250);
    expect(sdkRoutes(sdk)).toContain(sdk === 'openai' ? 'POST /v1/vector_stores/{}/search' : 'POST /v1/messages');
  });

  test('every SDK route is served or explicitly excluded', () => {
    const unknown = sdkRoutes(sdk).filter((route) => !served.has(route) && exclusionsOf(route).length === 0);
    expect(unknown).toEqual([]);
  });

  test('no excluded SDK route is served', () => {
    expect(sdkRoutes(sdk).filter((route) => served.has(route) && exclusionsOf(route).length > 0)).toEqual([]);
  });
});

test('every exclusion matches a route of an SDK', () => {
  const used = new Set(SDKS.flatMap(sdkRoutes).flatMap(exclusionsOf));
  expect(Object.keys(EXCLUDED).filter((entry) => !used.has(entry))).toEqual([]);
});

test('every served route belongs to an SDK or to the specification', () => {
  const known = new Set(SDKS.flatMap(sdkRoutes));
  const others = [...served].filter((route) => !known.has(route));
  const notInSdks = [
    'GET /v1/messages/{}',
    'GET /v1/threads',
    'GET /v1/usage',
    // The SDK requests embeddings outside its resources.
    'POST /v1/embeddings',
    // Only older SDKs cancel a run with this path.
    'POST /v1/evals/{}/runs/{}',
  ];
  expect(others.sort()).toEqual(notInSdks);
});
