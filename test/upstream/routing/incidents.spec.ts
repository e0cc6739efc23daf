import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { UpstreamIncidents } from '../../../src/upstream/routing/upstream-incidents.service.js';
import { respondsWith, RoutedGateway } from './routed-gateway.js';

const FILE = { upstreams: [{ name: 'first' }, { name: 'second' }] };

/** Two processes with the same database and providers. */
let one: RoutedGateway;
let two: RoutedGateway;
beforeAll(async () => {
  one = await RoutedGateway.start(FILE);
  two = await RoutedGateway.start(FILE, {}, { databaseUrl: one.gateway.databaseUrl, providers: one.providers });
  // Only this test runs the checks.
  for (const { gateway } of [one, two]) gateway.app.get(UpstreamIncidents).onModuleDestroy();
});
beforeEach(async () => {
  one.reset();
  two.reset();
  for (const table of ['events', 'notifications', 'upstream_incidents']) await query(`delete from ${table}`);
  // Forgets what earlier checks have seen.
  await check(one, two);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const query = <T>(text: string): Promise<T[]> => one.gateway.app.get(DataSource).query<T[]>(text);

async function check(...processes: readonly RoutedGateway[]): Promise<void> {
  for (const { gateway } of processes) await gateway.app.get(UpstreamIncidents).check();
}

/** The events and the types of notifications since the test began. */
async function published() {
  const events = await query<{ type: string; data: object }>(
    `select type, data from events where type like 'upstream%' order by created_at, id`,
  );
  const notified = await query<{ type: string }>('select type from notifications order by created_at, id');
  expect(notified.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  return events;
}

const chat = async (routed: RoutedGateway) => {
  const key = await routed.gateway.createKey();
  return (await routed.gateway.chat(key)).headers.get('x-gw-upstream');
};

const passAMinute = () => query(`update upstream_incidents set seen_at = seen_at - interval '1 minute'`);

const testOf = async ({ gateway }: RoutedGateway) =>
  (await gateway.admin<{ ok: boolean; message: string }>('POST', '/admin/upstreams/first/test')).body;

const REFUSED = {
  type: 'upstream_refused',
  data: {
    upstream: 'first',
    last_error: { at: expect.any(String), status: 401, model: 'gpt-4o-mini', message: 'status 401' },
  },
};
const RECOVERED = { type: 'upstream_recovered', data: { upstream: 'first', began_at: expect.any(String) } };

test('all processes announce a refused upstream once, and its recovery when none of them sees the incident', async () => {
  respondsWith(one.provider('first'), 401);
  expect(await Promise.all([chat(one), chat(two)])).toEqual(['second', 'second']);
  await check(one, two);
  expect(await published()).toEqual([]);
  await Promise.all([check(one), check(two)]);
  await check(one, two);
  expect(await published()).toEqual([REFUSED]);

  // The second process still sees the incident.
  one.reset();
  await passAMinute();
  await check(two, one);
  expect(await published()).toEqual([REFUSED]);

  two.reset();
  await check(one, two);
  expect(await published()).toEqual([REFUSED]);
  await passAMinute();
  await Promise.all([check(one), check(two)]);
  await check(one, two);
  expect(await published()).toEqual([REFUSED, RECOVERED]);
});

test('a failure that ends before the second check creates no event', async () => {
  respondsWith(one.provider('first'), 401);
  await chat(one);
  await check(one);
  one.reset();
  await check(one);
  await check(one);
  expect(await published()).toEqual([]);
});

test.each([
  ['fails to serve requests', 500],
  ['cannot be reached', null],
])('an upstream that %s is announced as failing, even while it drains', async (_, status) => {
  if (status === null) for (let refused = 0; refused < 5; refused++) one.upstream('first').breaker.onRefused();
  else {
    respondsWith(one.provider('first'), status);
    await chat(one);
    await chat(one);
  }
  await one.gateway.admin('POST', '/admin/upstreams/first/drain');
  await check(one);
  await check(one);
  await one.gateway.admin('POST', '/admin/upstreams/first/resume');
  const last = status === null ? null : expect.objectContaining({ status, message: `status ${status}` });
  expect(await published()).toEqual([{ type: 'upstream_failing', data: { upstream: 'first', last_error: last } }]);
});

test('an error of an earlier request is not the reason why the model list is refused', async () => {
  const { history } = Object.assign(one.upstream('first'), { accountRefused: true });
  history.lastError = { at: new Date(0), status: 429, model: 'gpt-4o-mini', message: 'too many' };
  await check(one);
  await check(one);
  Object.assign(one.upstream('first'), { accountRefused: false });
  expect(await published()).toEqual([{ type: 'upstream_refused', data: { upstream: 'first', last_error: null } }]);
});

test('the test of an upstream reports what another process sees', async () => {
  expect(await testOf(two)).toMatchObject({ ok: true });
  respondsWith(one.provider('first'), 402);
  await chat(one);
  expect(await testOf(one)).toMatchObject({
    ok: false,
    message: 'The upstream returned its model list, but it refuses requests of clients. Last error: status 402',
  });
  await check(one);
  await check(one);
  const { ok, message } = await testOf(two);
  expect(ok).toBe(false);
  expect(message).toMatch(
    /^The upstream returned its model list, but it refuses requests of clients since 20\S+Z\. Last error: status 402$/,
  );
});

test('an incident of a process that has stopped ends', async () => {
  await query(
    `insert into upstream_incidents (upstream, status, began_at, seen_at) values ('first', 'failing', now(), now())`,
  );
  const later = await RoutedGateway.start(FILE, {}, { databaseUrl: one.gateway.databaseUrl, providers: one.providers });
  later.gateway.app.get(UpstreamIncidents).onModuleDestroy();
  await passAMinute();
  expect(await testOf(later)).toMatchObject({ ok: true });
  await check(later);
  expect(await published()).toEqual([RECOVERED]);
  await later.gateway.stop();
});
