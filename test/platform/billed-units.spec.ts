import { expect, test } from '@jest/globals';
import { USAGE_KIND_NAMES } from '../../src/costs/usage-kinds.data.js';
import { BILLED_UNITS } from '../../src/platform/routes/billed-units.data.js';
import { PASS_THROUGH } from '../../src/proxy/pass-through/pass-through.routes.data.js';
import { isMeteredRoute } from '../../src/quota/limits/estimate/route-estimates.js';
import { ROUTE_ESTIMATES } from '../../src/quota/limits/estimate/route-estimates.data.js';

const ROUTES = PASS_THROUGH.flatMap(({ routes }) => routes);

test('the routes that the provider bills are those that limits count or reject', () => {
  expect([...BILLED_UNITS.keys()].sort()).toEqual([...ROUTE_ESTIMATES.keys()].sort());
});

test('each unit is a kind of usage that can have a price', () => {
  const units = [...BILLED_UNITS.values()].flatMap((billed) => [...billed.units, ...billed.unreported]);
  const names = new Set<string>([...USAGE_KIND_NAMES, 'tokens']);
  expect(units.filter((unit) => !names.has(unit))).toEqual([]);
});

test('each billed route that is passed through has a reader, so that its units are recorded', () => {
  const unread = ROUTES.filter(
    ({ method, path, usage, laterUsage }) =>
      method === 'POST' && BILLED_UNITS.has(path) && (usage ?? laterUsage) === undefined,
  );
  expect(unread.map(({ path }) => path)).toEqual([]);
});

test('a route that limits cannot meter has units that count as unmeasured, or a known number of them', () => {
  const unmetered = [...ROUTE_ESTIMATES].filter(([, kind]) => !isMeteredRoute(kind)).map(([endpoint]) => endpoint);
  const known = unmetered.filter((endpoint) => BILLED_UNITS.get(endpoint)!.unreported.length === 0);
  expect(known).toEqual([
    // Its usage belongs to the run.
    '/v1/threads/{thread_id}/runs/{run_id}/submit_tool_outputs',
    '/v1/containers',
    '/v1/vector_stores/{vector_store_id}/search',
  ]);
});
