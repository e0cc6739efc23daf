import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Changes, ChangeListener } from '../../src/platform/changes/changes.js';
import { KeyCache } from '../../src/keys/key-cache.js';
import type { Outage } from '../../src/quota/outage.service.js';
import type { KeyReads, ReadKey } from '../../src/keys/stores/api-key.store.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { fakeOnly } from '../support/fake-timers.js';

class FakeChanges {
  notify: ChangeListener = () => undefined;
  subscribe(_topic: string, listener: ChangeListener): void {
    this.notify = listener;
  }
}

/** The test answers these reads, so it controls the order of events. */
class SlowReads {
  readonly reads: { hash: string; response: (key: KeySnapshot | null) => void; fail: (error: Error) => void }[] = [];
  read(hash: string): Promise<ReadKey | null> {
    return new Promise((response, fail) => {
      const read = (key: KeySnapshot | null) => response(key === null ? null : ({ key, counts: {} } as ReadKey));
      this.reads.push({ hash, response: read, fail });
    });
  }
}

const snapshot = (version: number, id = 'k1') => ({ id, version, status: 'active' }) as KeySnapshot;
let notifications: FakeChanges;
let store: SlowReads;
let cache: KeyCache;
/** The keys whose counts are known to the outage mode. */
let counted: Set<string>;
let outage: Pick<Outage, 'learn' | 'forget'> & { isActive: boolean };

beforeEach(() => {
  notifications = new FakeChanges();
  store = new SlowReads();
  counted = new Set();
  outage = {
    isActive: false,
    learn: ({ id }: KeySnapshot) => void counted.add(id),
    forget: (id: string) => void counted.delete(id),
  };
  cache = new KeyCache(store as unknown as KeyReads, notifications as unknown as Changes, outage as Outage);
});

afterEach(() => {
  jest.useRealTimers();
});

async function known(hash: string, key: KeySnapshot | null): Promise<void> {
  const loaded = cache.load(hash);
  store.reads.at(-1)!.response(key);
  await loaded;
}

describe('KeyCache.find', () => {
  test('find returns undefined before the load, and then the key, or null for an unknown hash', async () => {
    expect(cache.find('a')).toBeUndefined();
    await known('a', snapshot(1));
    await known('b', null);
    expect(cache.find('a')).toEqual(snapshot(1));
    expect(cache.find('b')).toBeNull();
  });

  test('an unknown hash is read again after 5 s, even without a notification', async () => {
    fakeOnly('performance', 'setTimeout', 'clearTimeout');
    // The fake clock starts at 0, and the cache keeps an entry from that moment for ever.
    jest.advanceTimersByTime(1);
    cache = new KeyCache(store as unknown as KeyReads, notifications as unknown as Changes, outage as Outage);
    await known('a', null);
    jest.advanceTimersByTime(4000);
    expect(cache.find('a')).toBeNull();
    jest.advanceTimersByTime(2000);
    expect(cache.find('a')).toBeUndefined();
    await known('a', snapshot(1));
    expect(cache.find('a')).toEqual(snapshot(1));
  });
});

describe('KeyCache.load', () => {
  test('concurrent loads of a hash share one read', async () => {
    const loads = [cache.load('a'), cache.load('a'), cache.load('a')];
    expect(store.reads).toHaveLength(1);
    store.reads[0]!.response(snapshot(1));
    expect(await Promise.all(loads)).toEqual([snapshot(1), snapshot(1), snapshot(1)]);
  });

  test('a load fails with 503, not 401, if the database fails, and the next load reads again', async () => {
    const load = cache.load('a');
    store.reads[0]!.fail(new Error('gone'));
    await expect(load).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(cache.find('a')).toBeUndefined();
    await known('a', snapshot(1));
    expect(cache.find('a')).toEqual(snapshot(1));
  });

  test('a key that changes during its load is returned but not cached, and is known for an outage', async () => {
    const load = cache.load('a');
    notifications.notify('k1');
    store.reads[0]!.response(snapshot(1));
    expect(await load).toEqual(snapshot(1));
    expect(cache.find('a')).toBeUndefined();
    expect(counted).toEqual(new Set(['k1']));
  });
});

describe('KeyCache.reload', () => {
  test('a reload never shares a read that started before it', async () => {
    const before = cache.load('a');
    const reload = cache.reload('a');
    const another = cache.reload('a');
    store.reads[0]!.response(snapshot(1));
    await before;
    await new Promise(setImmediate);
    expect(store.reads).toHaveLength(2);
    store.reads[1]!.response(snapshot(2));
    expect(await Promise.all([reload, another])).toEqual([snapshot(2), snapshot(2)]);
    expect(cache.find('a')).toEqual(snapshot(2));
  });

  test('a reload of a rotated raw key removes the key from the cache', async () => {
    await known('old', snapshot(1));
    const reload = cache.reload('old');
    expect(cache.find('old')).toBeUndefined();
    store.reads.at(-1)!.response(null);
    expect(await reload).toBeNull();
    expect(cache.find('old')).toBeNull();
  });

  test('a reload reads even if the previous read failed', async () => {
    const before = cache.load('a');
    const reload = cache.reload('a');
    store.reads[0]!.fail(new Error('gone'));
    await expect(before).rejects.toMatchObject({ code: 'service_unavailable' });
    await new Promise(setImmediate);
    store.reads[1]!.response(snapshot(2));
    expect(await reload).toEqual(snapshot(2));
  });
});

describe('KeyCache after a change', () => {
  test('only the changed key is read again, immediately', async () => {
    await known('a', snapshot(1));
    await known('b', snapshot(1, 'k2'));
    notifications.notify('k1');
    expect(cache.find('a')).toBeUndefined();
    expect(cache.find('b')).toEqual(snapshot(1, 'k2'));
    expect(store.reads.map(({ hash }) => hash)).toEqual(['a', 'b', 'a']);
    store.reads.at(-1)!.response(snapshot(2));
    await new Promise(setImmediate);
    expect(cache.find('a')).toEqual(snapshot(2));
  });

  test('a change during a read causes one more read', async () => {
    await known('a', snapshot(1));
    notifications.notify('k1');
    notifications.notify('k1');
    store.reads[1]!.response(snapshot(2));
    await new Promise(setImmediate);
    expect(cache.find('a')).toBeUndefined();
    store.reads[2]!.response(snapshot(3));
    await new Promise(setImmediate);
    expect(cache.find('a')).toEqual(snapshot(3));
    expect(store.reads).toHaveLength(3);
  });

  test('a key that was deleted or rotated leaves no counts for an outage', async () => {
    await known('a', snapshot(1));
    notifications.notify('k1');
    store.reads[1]!.response(null);
    await new Promise(setImmediate);
    expect([cache.find('a'), counted.size]).toEqual([null, 0]);
  });

  test('all keys are read again if changes might have been missed', async () => {
    await known('a', snapshot(1));
    await known('b', null);
    notifications.notify(null);
    expect(cache.find('a')).toBeUndefined();
    expect(cache.find('b')).toBeUndefined();
  });

  test('the first load of a rotated raw key removes the old one, even without a notification', async () => {
    await known('old', snapshot(1));
    await known('new', snapshot(2));
    expect(cache.find('old')).toBeUndefined();
    notifications.notify('k1');
    expect(cache.find('new')).toBeUndefined();
  });
});

describe('KeyCache during a database outage (D22)', () => {
  const lost = async (hash: string) => {
    const load = cache.load(hash);
    store.reads.at(-1)!.fail(new Error('gone'));
    return load.then(
      (key) => key,
      (error: { code: string }) => error.code,
    );
  };

  test.each([
    ['changes might have been missed', () => [notifications.notify(null), notifications.notify(null)]],
    ['it could not be read after a change', () => notifications.notify('k1')],
  ])('a key is used as it was last read, even if %s', async (_name, happen) => {
    await known('a', snapshot(1));
    happen();
    expect(await lost('a')).toEqual(snapshot(1));
    expect(counted).toEqual(new Set(['k1']));
  });

  test('a key that is reloaded after a stale verdict returns 503 if the read fails', async () => {
    await known('a', snapshot(1));
    void cache.reload('a').catch(() => undefined);
    expect(counted).toEqual(new Set());
    expect(await lost('a')).toBe('service_unavailable');
  });

  test('loads do not wait for reads: a known key is returned, and any other returns 503', async () => {
    await known('a', snapshot(1));
    notifications.notify(null);
    const waiting = cache.load('b');
    const before = store.reads.length;
    outage.isActive = true;
    expect(await cache.load('a')).toEqual(snapshot(1));
    await expect(cache.load('b')).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(store.reads).toHaveLength(before);
    store.reads.at(-1)!.response(snapshot(2, 'k2'));
    expect(await waiting).toEqual(snapshot(2, 'k2'));
    outage.isActive = false;
    await known('a', snapshot(3));
    expect(cache.find('a')).toEqual(snapshot(3));
  });

  test('a hash that was cached as unknown returns 503 instead of 401', async () => {
    await known('a', null);
    expect(cache.find('a')).toBeNull();
    outage.isActive = true;
    expect(cache.find('a')).toBeUndefined();
    expect(await lost('a')).toBe('service_unavailable');
  });
});

test('the cache keeps the 100,000 most recently used keys and their counts', async () => {
  for (let n = 0; n <= 100_000; n++) {
    if (n === 100_000) cache.find('hash0');
    await known(`hash${n}`, snapshot(1, `k${n}`));
  }
  expect(counted.size).toBe(100_000);
  expect([cache.find('hash0'), cache.find('hash1')]).toEqual([snapshot(1, 'k0'), undefined]);
  expect(counted.has('k1')).toBe(false);
});
