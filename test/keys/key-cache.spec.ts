import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Changes, ChangeListener } from '../../src/changes/changes.js';
import { KeyCache } from '../../src/keys/key-cache.js';
import type { Outage } from '../../src/quota/outage.service.js';
import type { KeyReads, ReadKey } from '../../src/keys/stores/api-key.store.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';

class Notices {
  tell: ChangeListener = () => undefined;
  subscribe(_topic: string, listener: ChangeListener): void {
    this.tell = listener;
  }
}

/** Answers when the test says so, so that every order of events can be had. */
class SlowReads {
  readonly reads: { hash: string; answer: (key: KeySnapshot | null) => void; fail: (error: Error) => void }[] = [];
  read(hash: string): Promise<ReadKey | null> {
    return new Promise((answer, fail) => {
      const read = (key: KeySnapshot | null) => answer(key === null ? null : ({ key, counts: {} } as ReadKey));
      this.reads.push({ hash, answer: read, fail });
    });
  }
}

const snapshot = (version: number, id = 'k1') => ({ id, version, status: 'active' }) as KeySnapshot;
let notices: Notices;
let store: SlowReads;
let cache: KeyCache;
/** The keys by whose counts an outage could go on. */
let counted: Set<string>;
let outage: { away: boolean };

beforeEach(() => {
  notices = new Notices();
  store = new SlowReads();
  counted = new Set();
  outage = {
    away: false,
    ...{ learn: (id: string) => void counted.add(id), forget: (id: string) => void counted.delete(id) },
  };
  cache = new KeyCache(store as unknown as KeyReads, notices as unknown as Changes, outage as Outage);
});

async function known(hash: string, key: KeySnapshot | null): Promise<void> {
  const loaded = cache.load(hash);
  store.reads.at(-1)!.answer(key);
  await loaded;
}

describe('find', () => {
  test('does not know a hash before it was loaded, then has the key or knows that there is none', async () => {
    expect(cache.find('a')).toBeUndefined();
    await known('a', snapshot(1));
    await known('b', null);
    expect(cache.find('a')).toEqual(snapshot(1));
    expect(cache.find('b')).toBeNull();
  });
});

describe('load', () => {
  test('reads once for all who ask at the same time', async () => {
    const loads = [cache.load('a'), cache.load('a'), cache.load('a')];
    expect(store.reads).toHaveLength(1);
    store.reads[0]!.answer(snapshot(1));
    expect(await Promise.all(loads)).toEqual([snapshot(1), snapshot(1), snapshot(1)]);
  });

  test('is 503, never 401, when the database fails, and the next one reads again', async () => {
    const load = cache.load('a');
    store.reads[0]!.fail(new Error('gone'));
    await expect(load).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(cache.find('a')).toBeUndefined();
    await known('a', snapshot(1));
    expect(cache.find('a')).toEqual(snapshot(1));
  });

  test('reads again what was read across a change, and has it for an outage', async () => {
    const load = cache.load('a');
    notices.tell('k1');
    store.reads[0]!.answer(snapshot(1));
    expect(await load).toEqual(snapshot(1));
    expect(cache.find('a')).toBeUndefined();
    expect(counted).toEqual(new Set(['k1']));
  });
});

describe('reload', () => {
  test('never shares a read that began before it', async () => {
    const before = cache.load('a');
    const reload = cache.reload('a');
    const another = cache.reload('a');
    store.reads[0]!.answer(snapshot(1));
    await before;
    await new Promise(setImmediate);
    expect(store.reads).toHaveLength(2);
    store.reads[1]!.answer(snapshot(2));
    expect(await Promise.all([reload, another])).toEqual([snapshot(2), snapshot(2)]);
    expect(cache.find('a')).toEqual(snapshot(2));
  });

  test('forgets a key whose secret was rotated away', async () => {
    await known('old', snapshot(1));
    const reload = cache.reload('old');
    expect(cache.find('old')).toBeUndefined();
    store.reads.at(-1)!.answer(null);
    expect(await reload).toBeNull();
    expect(cache.find('old')).toBeNull();
  });

  test('reads although the read before it failed', async () => {
    const before = cache.load('a');
    const reload = cache.reload('a');
    store.reads[0]!.fail(new Error('gone'));
    await expect(before).rejects.toMatchObject({ code: 'service_unavailable' });
    await new Promise(setImmediate);
    store.reads[1]!.answer(snapshot(2));
    expect(await reload).toEqual(snapshot(2));
  });
});

describe('a change', () => {
  test('of a key has this key read anew at once, and no other', async () => {
    await known('a', snapshot(1));
    await known('b', snapshot(1, 'k2'));
    notices.tell('k1');
    expect(cache.find('a')).toBeUndefined();
    expect(cache.find('b')).toEqual(snapshot(1, 'k2'));
    expect(store.reads.map(({ hash }) => hash)).toEqual(['a', 'b', 'a']);
    store.reads.at(-1)!.answer(snapshot(2));
    await new Promise(setImmediate);
    expect(cache.find('a')).toEqual(snapshot(2));
  });

  test('that came while the key was being read has it read once more', async () => {
    await known('a', snapshot(1));
    notices.tell('k1');
    notices.tell('k1');
    store.reads[1]!.answer(snapshot(2));
    await new Promise(setImmediate);
    expect(cache.find('a')).toBeUndefined();
    store.reads[2]!.answer(snapshot(3));
    await new Promise(setImmediate);
    expect(cache.find('a')).toEqual(snapshot(3));
    expect(store.reads).toHaveLength(3);
  });

  test('that took the key away, or its secret, leaves nothing to go on with', async () => {
    await known('a', snapshot(1));
    notices.tell('k1');
    store.reads[1]!.answer(null);
    await new Promise(setImmediate);
    expect([cache.find('a'), counted.size]).toEqual([null, 0]);
  });

  test('that may have been missed has all read anew', async () => {
    await known('a', snapshot(1));
    await known('b', null);
    notices.tell(null);
    expect(cache.find('a')).toBeUndefined();
    expect(cache.find('b')).toBeUndefined();
  });

  test('of the secret drops the old one when the new one is first seen, notice or not', async () => {
    await known('old', snapshot(1));
    await known('new', snapshot(2));
    expect(cache.find('old')).toBeUndefined();
    notices.tell('k1');
    expect(cache.find('new')).toBeUndefined();
  });
});

describe('while the database is away (D22)', () => {
  const lost = async (hash: string) => {
    const load = cache.load(hash);
    store.reads.at(-1)!.fail(new Error('gone'));
    return load.then(
      (key) => key,
      (error: { code: string }) => error.code,
    );
  };

  test.each([
    ['notices may have been missed', () => [notices.tell(null), notices.tell(null)]],
    ['it could not be read any more after a notice', () => notices.tell('k1')],
  ])('a key is as it was last read, also where %s', async (_name, happen) => {
    await known('a', snapshot(1));
    happen();
    expect(await lost('a')).toEqual(snapshot(1));
    expect(counted).toEqual(new Set(['k1']));
  });

  test('one that a stale verdict has shown to have changed is not known any more', async () => {
    await known('a', snapshot(1));
    void cache.reload('a').catch(() => undefined);
    expect(counted).toEqual(new Set());
    expect(await lost('a')).toBe('service_unavailable');
  });

  test('nobody waits for a read: a key is as it was last read, any other is 503, also where one is under way', async () => {
    await known('a', snapshot(1));
    notices.tell(null);
    const waiting = cache.load('b');
    const before = store.reads.length;
    outage.away = true;
    expect(await cache.load('a')).toEqual(snapshot(1));
    await expect(cache.load('b')).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(store.reads).toHaveLength(before);
    store.reads.at(-1)!.answer(snapshot(2, 'k2'));
    expect(await waiting).toEqual(snapshot(2, 'k2'));
    outage.away = false;
    await known('a', snapshot(3));
    expect(cache.find('a')).toEqual(snapshot(3));
  });

  test('a hash that was found unknown is asked for again: nobody is refused as wrong', async () => {
    await known('a', null);
    expect(cache.find('a')).toBeNull();
    outage.away = true;
    expect(cache.find('a')).toBeUndefined();
    expect(await lost('a')).toBe('service_unavailable');
  });
});

test('of more than 100,000 keys those asked for longest ago are forgotten, with their counts', async () => {
  for (let n = 0; n <= 100_000; n++) {
    if (n === 100_000) cache.find('hash0');
    await known(`hash${n}`, snapshot(1, `k${n}`));
  }
  expect(counted.size).toBe(100_000);
  expect([cache.find('hash0'), cache.find('hash1')]).toEqual([snapshot(1, 'k0'), undefined]);
  expect(counted.has('k1')).toBe(false);
});
