import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApp } from '../../../src/start/app.factory.js';
import { Config } from '../../../src/platform/config/config.js';
import { runsModel } from '../../../src/quota/limits/estimate/route-estimates.js';
import type { GatewayRouteSpec } from '../../../src/platform/routes/route-spec.js';
import { enabledRoutes } from '../../support/enabled-routes.js';

const PAGE = 'docs/behaviour/route-models.md';

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
let specs: readonly GatewayRouteSpec[];
beforeAll(async () => {
  app = await createApp(config);
  specs = enabledRoutes(app).flatMap(({ method, spec }) =>
    method === 'POST' && spec?.kind === 'gateway' ? [spec] : [],
  );
});
afterAll(() => app.close());

/** The section of the page in which a route belongs. */
function sectionOf(spec: GatewayRouteSpec): string {
  const { endpoint, model, requestsIn, runsModelsOf, defaultModelOf } = spec;
  if (endpoint === '/v1/batches') return 'Models in a file';
  if (requestsIn !== undefined) return 'Models in a list of requests';
  if (runsModelsOf !== undefined) return 'Models of a stored object';
  if (defaultModelOf !== undefined) return 'Model in the body, or of an assistant';
  if (model === 'unnamed') return 'Model that the provider chooses';
  if (model === 'gated' || model === 'defaulted') return 'Model in the body';
  return model === 'if-any' ? 'No model, but the body can name some' : 'No model';
}

/** Routes by the section that lists them. */
function documented(): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let section = '';
  for (const line of readFileSync(PAGE, 'utf8').split('\n')) {
    section = /^## (.*)$/.exec(line)?.[1] ?? section;
    const [, cell] = /^\| (`\/v1[^|]*)\|/.exec(line) ?? [];
    for (const [, route] of (cell ?? '').matchAll(/`([^`]+)`/g))
      sections.set(section, [...(sections.get(section) ?? []), route!]);
  }
  return sections;
}

test('the page lists every POST route once, in the section of its model', () => {
  const expected = new Map<string, string[]>();
  for (const spec of specs) expected.set(sectionOf(spec), [...(expected.get(sectionOf(spec)) ?? []), spec.endpoint]);
  const sorted = (routes: ReadonlyMap<string, string[]>) =>
    Object.fromEntries([...routes].map(([section, list]) => [section, list.toSorted()]));
  expect(sorted(documented())).toEqual(sorted(expected));
});

/** Routes that cost something although the gate does not know their model, with the reason. */
const DECIDED: Readonly<Record<string, string>> = {
  '/v1/batches': 'the gate checks every line of the file',
  '/v1/messages/batches': 'the gate checks every request of the list',
  '/v1/fine_tuning/alpha/graders/run': 'only the grader in the body runs',
};

test('the model of a route is in its body or in a stored object, or keys with allowed models cannot use the route', () => {
  const running = specs.filter((spec) => runsModel(spec, 'POST'));
  expect(running.length).toBeGreaterThan(30);
  const undecided = running
    .filter(({ model }) => model === 'none' || model === 'if-any')
    .map(({ endpoint }) => endpoint);
  expect(undecided.toSorted()).toEqual(Object.keys(DECIDED).toSorted());
});

test('a stored object is named by a parameter of its route, or by a field of the body', () => {
  for (const { endpoint, runsModelsOf = '', defaultModelOf = '' } of specs)
    for (const [parameter] of runsModelsOf.matchAll(/\{\w+\}/g))
      expect([endpoint, defaultModelOf]).toEqual([expect.stringContaining(parameter), '']);
});
