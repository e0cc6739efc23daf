import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApp } from '../../../src/start/app.factory.js';
import { Config } from '../../../src/platform/config/config.js';
import type { GatewayRouteSpec } from '../../../src/platform/routes/route-spec.js';
import { enabledRoutes } from '../../support/enabled-routes.js';
import { nameOf, pathOf, placesOf } from '../../support/vendor-schemas/body-places.js';
import { vendorTypes } from '../../support/vendor-schemas/request-methods.js';

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

/** Fields named `model` that do not contain a catalog model. */
const NOT_MODELS: Readonly<Record<string, string>> = {
  'openai.audio.voices.create: model': 'the version of the program that creates voices: `auto`, `2026-10-08`',
};

let app: Awaited<ReturnType<typeof createApp>>;
const specs = new Map<string, GatewayRouteSpec>();
beforeAll(async () => {
  app = await createApp(config);
  for (const { method, spec } of enabledRoutes(app))
    if (method === 'POST' && spec?.kind === 'gateway') specs.set(spec.endpoint.replace(/\{\w+\}/g, '{}'), spec);
});
afterAll(() => app.close());

test('every served route whose body names a model in a vendor’s schema has a model gate', () => {
  const { checker, methods } = vendorTypes();
  const naming = methods.flatMap(({ name, endpoint, body }) => {
    const spec = specs.get(endpoint);
    if (spec === undefined) return [];
    const place = placesOf(checker, body).find((each) => each.isTypedAsModel || /^models?$/.test(nameOf(each)));
    return place === undefined ? [] : [{ spec, title: `${name}: ${pathOf(place)}` }];
  });
  expect(new Set(naming.map(({ spec }) => spec.endpoint)).size).toBeGreaterThan(20);
  const open = naming.filter(({ spec }) => spec.model === 'none').map(({ title }) => title);
  expect(open).toEqual(Object.keys(NOT_MODELS));
});
