import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CONFIG, World, listed } from './fakes.js';

const ids = (world: World) => (world.catalog.copy === null ? null : [...world.catalog.copy.keys()]);
const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);

let world: World;
const warnings: unknown[] = [];
beforeEach(() => {
  jest.useFakeTimers();
  warnings.length = 0;
  Logger.overrideLogger({ log: () => {}, error: () => {}, warn: (message: unknown) => void warnings.push(message) });
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

test('the list is read at the start, then once a TTL, and kept in the database', async () => {
  world.upstream.lists('a', 'b');
  await started();
  expect(ids(world)).toEqual(['a', 'b']);
  expect(world.catalogStore.row?.models.map(({ id }) => id)).toEqual(['a', 'b']);
  world.upstream.lists('b', 'c');
  await seconds(59);
  expect(ids(world)).toEqual(['a', 'b']);
  await seconds(8);
  expect(ids(world)).toEqual(['b', 'c']);
  expect(world.upstream.asked).toBe(2);
});

describe('a list that comes in pages', () => {
  /** Pages of one model each; `last` says that nothing follows. */
  const pages = (ids: readonly string[], last = ids.at(-1)) => {
    world.upstream.answer = ({ path }) => {
      const after = new URLSearchParams(path.split('?')[1]).get('after_id');
      const id = ids[after === null ? 0 : ids.indexOf(after) + 1]!;
      const page = { data: [listed(id)], has_more: id !== last, last_id: id };
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(page)) });
    };
  };

  test('is read to its end', async () => {
    pages(['a', 'b/1', 'c&d']);
    await started();
    expect(ids(world)).toEqual(['a', 'b/1', 'c&d']);
    expect(world.upstream.asked).toBe(3);
  });

  test('and has none is no list: what was there stays', async () => {
    world.catalogStore.holds('old');
    world.upstream.answer = () =>
      Promise.resolve({
        ...{ status: 200, headers: {} },
        body: Buffer.from(JSON.stringify({ data: [listed('a')], has_more: true, last_id: 'a' })),
      });
    await started();
    expect(ids(world)).toEqual(['old']);
    expect(world.upstream.asked).toBeLessThanOrEqual(101);
    expect(warnings.join()).toContain('too many pages');
  });
});

describe('the last good copy serves', () => {
  test.each<[string, () => void]>([
    ['cannot be reached', () => world.upstream.fails()],
    ['answers with an error', () => world.upstream.says('{"error": {}}', 500)],
    ['answers with a redirect', () => world.upstream.says('{"data": [{"id": "z"}]}', 302)],
    ['lists nothing', () => world.upstream.lists()],
    ['lists nothing usable', () => world.upstream.lists({ name: 'no id' })],
    ['answers with a page', () => world.upstream.says('<html>')],
    ['answers with another object', () => world.upstream.says('{"models": ["z"]}')],
    ['answers with null', () => world.upstream.says('null')],
    ['lists too many', () => world.upstream.lists(...Array.from({ length: 10_001 }, (_, n) => `m${n}`))],
  ])('while the upstream %s', async (_what, breakUpstream) => {
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

  test('also after a restart with the upstream away', async () => {
    world.catalogStore.holds('old');
    await started();
    expect(ids(world)).toEqual(['old']);
    expect(world.catalog.settled).toBe(true);
  });

  test('also when the database takes longer to answer than the upstream to refuse', async () => {
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

  test('also with the database away', async () => {
    world.catalogStore.away = true;
    world.upstream.lists('a');
    await started();
    expect(ids(world)).toEqual(['a']);
    expect(warnings).toHaveLength(1);
  });
});

test('an outage is asked about less and less often, 30 s apart at most, and told of once', async () => {
  await started();
  await seconds(600);
  const askedInTenMinutes = world.upstream.asked;
  expect(askedInTenMinutes).toBeGreaterThan(15);
  expect(askedInTenMinutes).toBeLessThan(35);
  await seconds(30);
  expect(world.upstream.asked).toBeGreaterThan(askedInTenMinutes);
  expect(warnings).toHaveLength(1);
  world.upstream.lists('a');
  await seconds(30);
  expect(ids(world)).toEqual(['a']);
});

test('who asks while a refresh is under way gets one that began later, shared by all who ask', async () => {
  world.upstream.lists('a');
  await started();
  const before = world.upstream.asked;
  const answers: (() => void)[] = [];
  world.upstream.answer = () =>
    new Promise((resolve) => {
      const n = answers.length;
      const body = Buffer.from(JSON.stringify({ data: [{ id: `answer ${n}` }] }));
      answers.push(() => resolve({ status: 200, headers: {}, body }));
    });
  const first = world.catalog.refresh();
  const later = [world.catalog.refresh(), world.catalog.refresh()];
  answers[0]!();
  await first;
  await seconds(0);
  answers[1]!();
  expect(await Promise.all(later)).toEqual([true, true]);
  expect(world.upstream.asked - before).toBe(2);
  expect(ids(world)).toEqual(['answer 1']);
});

test('what another process has read is taken from the database, and the upstream not asked again for it', async () => {
  world.upstream.lists('a');
  await started();
  await seconds(50);
  world.catalogStore.holds('b');
  world.changes.tell('catalog');
  await seconds(0);
  expect(ids(world)).toEqual(['b']);
  await seconds(50);
  expect(world.upstream.asked).toBe(1);
});

test('a start with an old stored copy asks the upstream once', async () => {
  world.catalogStore.holds('old');
  world.catalogStore.row = { ...world.catalogStore.row!, ageMs: 3_600_000 };
  world.upstream.answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { status: 200, headers: {}, body: Buffer.from('{"data": [{"id": "new"}]}') };
  };
  await started();
  expect(ids(world)).toEqual(['old']);
  await seconds(1);
  expect(ids(world)).toEqual(['new']);
  expect(world.upstream.asked).toBe(1);
});

test('an old stored copy that comes late does not replace what the upstream just said', async () => {
  world.upstream.lists('fresh');
  const late = Promise.withResolvers<void>();
  const stale = { models: [listed('stale')], fetchedAt: '0', ageMs: 1 };
  jest.spyOn(world.catalogStore, 'newer').mockImplementationOnce(() => late.promise.then(() => stale));
  await started();
  late.resolve();
  await seconds(0);
  expect(ids(world)).toEqual(['fresh']);
});

test('rows that cannot be used are left out, of equal ids the first stands, missing standard fields are neutral', async () => {
  world.upstream.says(
    JSON.stringify({
      data: [
        { id: 'whole', object: 'model', created: 1_700_000_000, owned_by: 'acme', pricing: {}, gw_available: 'no' },
        { id: 'whole', owned_by: 'second' },
        { id: 'vendor/bare' },
        { id: 'odd', object: 7, created: '1', owned_by: null },
        { id: 'fraction', created: 1.5, owned_by: 'x' },
        { id: 'endless', created: 1e300, owned_by: 'x' },
        { id: 'before', created: -5, owned_by: 'x' },
        ...[null, 7, [], {}, { id: '' }, { id: 7 }, { id: 'x'.repeat(201) }, { id: 'a\u0000b' }, { id: '\ud800' }],
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

test('the upstream is asked for at most 16 MiB, within a time limit', async () => {
  const asked: unknown[] = [];
  world.upstream.answer = (request) => {
    asked.push(request);
    return Promise.reject(new Error('refused'));
  };
  await started();
  expect(asked).toMatchObject([{ method: 'GET', path: '/models', bytesMax: 16 * 1024 * 1024, timeoutMs: 15_000 }]);
});
