import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp } from '../../src/app.factory.js';
import { Config } from '../../src/config/config.js';
import { enabledRoutes } from '../support/enabled-routes.js';
import { sdkRoutes } from '../support/sdk-routes.js';
import { EXCLUDED } from '../support/excluded-routes.data.js';

const SDKS = ['openai', '@anthropic-ai/sdk'] as const;
/** Needs neither a database nor an upstream: the table exists before anybody is asked. */
const config = Config.from({
  ...{ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: 'postgres://127.0.0.1:1/none' },
  ...{ GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1', GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef' },
  ...{ GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' },
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

describe.each(SDKS)('the routes of %s', (sdk) => {
  test('are found in the compiled SDK, so that none is overlooked', () => {
    expect(sdkRoutes(sdk).length).toBeGreaterThan(250);
    expect(sdkRoutes(sdk)).toContain(sdk === 'openai' ? 'POST /v1/vector_stores/{}/search' : 'POST /v1/messages');
  });

  test('are either served with the same method and path, or excluded for a reason', () => {
    const unknown = sdkRoutes(sdk).filter((route) => !served.has(route) && exclusionsOf(route).length === 0);
    expect(unknown).toEqual([]);
  });

  test('are not served if they are excluded', () => {
    expect(sdkRoutes(sdk).filter((route) => served.has(route) && exclusionsOf(route).length > 0)).toEqual([]);
  });
});

test('every exclusion is about a route of an SDK', () => {
  const used = new Set(SDKS.flatMap(sdkRoutes).flatMap(exclusionsOf));
  expect(Object.keys(EXCLUDED).filter((entry) => !used.has(entry))).toEqual([]);
});

test('every served route belongs to an SDK or to the specification', () => {
  const known = new Set(SDKS.flatMap(sdkRoutes));
  const others = [...served].filter((route) => !known.has(route));
  // The SDK requests embeddings outside of its resources.
  const elsewhere = ['GET /v1/messages/{}', 'GET /v1/threads', 'GET /v1/usage', 'POST /v1/embeddings'];
  expect(others.sort()).toEqual(elsewhere);
});
