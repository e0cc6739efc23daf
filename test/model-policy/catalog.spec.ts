import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CONFIG, World, listed } from './fakes.js';

const ids = (world: World) => (world.catalog.copy === null ? null : [...world.catalog.copy.keys()]);
const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);

let world: World;
const warnings: unknown[] = [];
const notes: unknown[] = [];
beforeEach(() => {
  jest.useFakeTimers();
  warnings.length = 0;
  notes.length = 0;
  Logger.overrideLogger({
    log: (...note: unknown[]) => void notes.push(note),
    error: () => {},
    warn: (message: unknown) => void warnings.push(message),
  });
  world = new World({ config: CONFIG.with({ catalogTtlSeconds: 60 }) });
});
afterEach(() => {
  world.stop();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
  Logger.overrideLogger(false);
});

async function started(): Promise<void> {
  world.start();
  await seconds(0);
}

test('fetches the model list at startup and once per TTL, and stores it in the database', async () => {
  world.upstream.lists('a', 'b');
  await started();
  expect(ids(world)).toEqual(['a', 'b']);
  expect(world.catalogStore.row?.models.map(({ id }) => id)).toEqual(['a', 'b']);
  world.upstream.lists('b', 'c');
  await seconds(59);
  expect(ids(world)).toEqual(['a', 'b']);
  await seconds(8);
  expect(ids(world)).toEqual(['b', 'c']);
  expect(world.upstream.requestCount).toBe(2);
});

describe('model lists in pages', () => {
  /** Serves pages of one model each. The list ends with the model `last`. */
  const pages = (ids: readonly string[], last = ids.at(-1)) => {
    world.upstream.respond = ({ path }) => {
      const after = new URLSearchParams(path.split('?')[1]).get('after_id');
      const id = ids[after === null ? 0 : ids.indexOf(after) + 1]!;
      const page = { data: [listed(id)], has_more: id !== last, last_id: id };
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(page)) });
    };
  };

  test('reads all pages of the model list', async () => {
    pages(['a', 'b/1', 'c&d']);
    await started();
    expect(ids(world)).toEqual(['a', 'b/1', 'c&d']);
    expect(world.upstream.requestCount).toBe(3);
  });

  test('a model list without a last page does not replace the current copy', async () => {
    world.catalogStore.holds('old');
    world.upstream.respond = () =>
      Promise.resolve({
        status: 200,
        headers: {},
        body: Buffer.from(JSON.stringify({ data: [listed('a')], has_more: true, last_id: 'a' })),
      });
    await started();
    expect(ids(world)).toEqual(['old']);
    expect(world.upstream.requestCount).toBeLessThanOrEqual(101);
    expect(warnings.join()).toContain('too many pages');
  });
});

describe('last good copy of the catalog', () => {
  test.each<[string, () => void]>([
    ['is unreachable', () => world.upstream.fails()],
    ['returns an error', () => world.upstream.responds('{"error": {}}', 500)],
    ['returns a redirect', () => world.upstream.responds('{"data": [{"id": "z"}]}', 302)],
    ['lists no models', () => world.upstream.lists()],
    ['lists only invalid models', () => world.upstream.lists({ name: 'no id' })],
    ['returns HTML', () => world.upstream.responds('<html>')],
    ['returns an array of strings', () => world.upstream.responds('{"models": ["z"]}')],
    ['returns null', () => world.upstream.responds('null')],
    ['lists more than 10,000 models', () => world.upstream.lists(...Array.from({ length: 10_001 }, (_, n) => `m${n}`))],
  ])('keeps the last good copy while the upstream %s', async (_what, breakUpstream) => {
    world.upstream.lists('a');
    await started();
    breakUpstream();
    expect(await world.catalog.refresh()).toBe(false);
    expect(ids(world)).toEqual(['a']);
    expect(world.catalogStore.row?.models).toEqual([listed('a')]);
    world.upstream.lists('b');
    await seconds(1);
    expect(ids(world)).toEqual(['b']);
  });

  test('serves the stored copy after a restart while the upstream is unavailable', async () => {
    world.catalogStore.holds('old');
    await started();
    expect(ids(world)).toEqual(['old']);
    expect(world.catalog.settled).toBe(true);
  });

  test('waits for the stored copy if the database is slower than the refused upstream request', async () => {
    world.catalogStore.holds('old');
    const { row } = world.catalogStore;
    const slow = jest.spyOn(world.catalogStore, 'newer');
    slow.mockImplementationOnce(() => new Promise((resolve) => setTimeout(() => resolve(row), 100)));
    await started();
    expect(world.catalog.settled).toBe(false);
    await seconds(0.1);
    expect(ids(world)).toEqual(['old']);
    expect(world.catalog.settled).toBe(true);
  });

  test('serves the fetched list while the database is unavailable, and logs one warning', async () => {
    world.catalogStore.unavailable = true;
    world.upstream.lists('a');
    await started();
    expect(ids(world)).toEqual(['a']);
    expect(warnings).toHaveLength(1);
  });
});

test('retries with backoff of up to 30 s during an outage, and logs one warning and its end', async () => {
  await started();
  await seconds(600);
  const requestsInTenMinutes = world.upstream.requestCount;
  expect(requestsInTenMinutes).toBeGreaterThan(15);
  expect(requestsInTenMinutes).toBeLessThan(35);
  await seconds(30);
  expect(world.upstream.requestCount).toBeGreaterThan(requestsInTenMinutes);
  expect(warnings).toEqual(["Cannot read the upstream's model list: refused"]);
  expect(notes).toEqual([]);
  world.upstream.lists('a');
  await seconds(30);
  expect(ids(world)).toEqual(['a']);
  expect(notes).toEqual([["The upstream's model list can be read again: 1 models", 'ModelCatalog']]);
});

test('calls during a refresh share one further refresh that starts afterwards', async () => {
  world.upstream.lists('a');
  await started();
  const before = world.upstream.requestCount;
  const responses: (() => void)[] = [];
  world.upstream.respond = () =>
    new Promise((resolve) => {
      const n = responses.length;
      const body = Buffer.from(JSON.stringify({ data: [{ id: `response ${n}` }] }));
      responses.push(() => resolve({ status: 200, headers: {}, body }));
    });
  const first = world.catalog.refresh();
  const later = [world.catalog.refresh(), world.catalog.refresh()];
  responses[0]!();
  await first;
  await seconds(0);
  responses[1]!();
  expect(await Promise.all(later)).toEqual([true, true]);
  expect(world.upstream.requestCount - before).toBe(2);
  expect(ids(world)).toEqual(['response 1']);
});

test('takes over the list that another process stored, without an upstream request', async () => {
  world.upstream.lists('a');
  await started();
  await seconds(50);
  world.catalogStore.holds('b');
  world.changes.notify('catalog');
  await seconds(0);
  expect(ids(world)).toEqual(['b']);
  await seconds(50);
  expect(world.upstream.requestCount).toBe(1);
});

test('sends one upstream request if the stored copy is old at startup', async () => {
  world.catalogStore.holds('old');
  world.catalogStore.row = { ...world.catalogStore.row!, ageMs: 3_600_000 };
  world.upstream.respond = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { status: 200, headers: {}, body: Buffer.from('{"data": [{"id": "new"}]}') };
  };
  await started();
  expect(ids(world)).toEqual(['old']);
  await seconds(1);
  expect(ids(world)).toEqual(['new']);
  expect(world.upstream.requestCount).toBe(1);
});

test('a stored copy that arrives late does not replace the list from the upstream', async () => {
  world.upstream.lists('fresh');
  const late = Promise.withResolvers<void>();
  const stale = { models: [listed('stale')], fetchedAt: '0', ageMs: 1 };
  jest.spyOn(world.catalogStore, 'newer').mockImplementationOnce(() => late.promise.then(() => stale));
  await started();
  late.resolve();
  await seconds(0);
  expect(ids(world)).toEqual(['fresh']);
});

test('skips invalid rows, keeps the first of equal IDs, and fills in missing fields', async () => {
  world.upstream.responds(
    JSON.stringify({
      data: [
        { id: 'whole', object: 'model', created: 1_700_000_000, owned_by: 'acme', pricing: {}, gw_available: 'no' },
        { id: 'whole', owned_by: 'second' },
        { id: 'vendor/bare' },
        { id: 'odd', object: 7, created: '1', owned_by: null },
        { id: 'fraction', created: 1.5, owned_by: 'x' },
        { id: 'endless', created: 1e300, owned_by: 'x' },
        { id: 'before', created: -5, owned_by: 'x' },
        null,
        7,
        [],
        {},
        { id: '' },
        { id: 7 },
        { id: 'x'.repeat(201) },
        { id: 'a\u0000b' },
        { id: '\ud800' },
        { id: 'x'.repeat(200), owned_by: 'y' },
      ],
    }),
  );
  await started();
  expect([...world.catalog.copy!.values()]).toEqual([
    { id: 'whole', object: 'model', created: 1_700_000_000, owned_by: 'acme' },
    { id: 'vendor/bare', object: 'model', created: 0, owned_by: 'vendor' },
    { id: 'odd', object: 'model', created: 0, owned_by: 'system' },
    { id: 'fraction', object: 'model', created: 1, owned_by: 'x' },
    { id: 'endless', object: 'model', created: 0, owned_by: 'x' },
    { id: 'before', object: 'model', created: 0, owned_by: 'x' },
    { id: 'x'.repeat(200), object: 'model', created: 0, owned_by: 'y' },
  ]);
});

test('limits the model list to 16 MiB and its upstream request to 15 s', async () => {
  const requests: unknown[] = [];
  world.upstream.respond = (request) => {
    requests.push(request);
    return Promise.reject(new Error('refused'));
  };
  await started();
  expect(requests).toMatchObject([{ method: 'GET', path: '/models', bytesMax: 16 * 1024 * 1024, timeoutMs: 15_000 }]);
});
