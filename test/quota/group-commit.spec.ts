import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import type { Admission } from '../../src/quota/admission.service.js';
import type { AdmitAnswer, AdmitEntry, StoredCounts } from '../../src/quota/quota-counts.js';
import type { QuotaStore } from '../../src/quota/stores/quota-store.js';
import { admissionOf } from '../support/open-store.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';

const key = (id: string, version = 1): KeySnapshot => ({
  ...{ id, version, name: id, status: 'active', allowedModels: null, expiresAtMs: null, lastUsedAtMs: null },
  ...{ rpmLimit: 1e6, rpdLimit: 1e6, monthlyLimit: null, monthlyTokenLimit: null },
});
const counts = (version: number): StoredCounts => ({
  ...{ version, nowMs: 0, minute: 0, minuteUsed: 0, day: 0, dayUsed: 0, month: 0, monthUsed: 0, tokens: 0 },
});

/** Answers when it is told to. */
class HeldStore implements Pick<QuotaStore, 'admit' | 'readCounts' | 'awaySinceMs'> {
  readonly calls: (readonly AdmitEntry[])[] = [];
  readonly looks: (readonly string[])[] = [];
  readonly withinMs: (number | undefined)[] = [];
  awaySinceMs: number | null = null;
  private held: PromiseWithResolvers<void>[] = [];

  async admit(entries: readonly AdmitEntry[], withinMs?: number): Promise<ReadonlyMap<string, AdmitAnswer>> {
    this.calls.push(entries);
    this.withinMs.push(withinMs);
    await this.hold();
    return new Map(
      entries.map((entry) => [entry.keyId, { kind: 'decided', granted: entry.count, counts: counts(entry.version) }]),
    );
  }

  async readCounts(keyIds: readonly string[]): Promise<ReadonlyMap<string, StoredCounts>> {
    this.looks.push(keyIds);
    await this.hold();
    return new Map(keyIds.filter((id) => id !== 'gone').map((id) => [id, counts(5)]));
  }

  async answer(): Promise<void> {
    for (const { resolve } of this.held.splice(0)) resolve();
    await turn();
    await turn();
  }

  async fail(error: Error): Promise<void> {
    for (const { reject } of this.held.splice(0)) reject(error);
    await turn();
  }

  private hold(): Promise<void> {
    const held = Promise.withResolvers<void>();
    this.held.push(held);
    return held.promise;
  }
}

let store: HeldStore;
let admission: Admission;

beforeEach(() => {
  store = new HeldStore();
  admission = admissionOf(store as unknown as QuotaStore);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const asked = () => store.calls.map((call) => call.map(({ keyId, version, count }) => `${keyId}.${version} ${count}`));

describe('group commit', () => {
  test('one call at a time: who comes meanwhile goes in the next one', async () => {
    const first = [admission.admit(key('a')), admission.admit(key('b')), admission.admit(key('a'))];
    await turn();
    const second = [admission.admit(key('a'))];
    await turn();
    second.push(admission.admit(key('c')));
    await turn();
    expect(asked()).toEqual([['a.1 2', 'b.1 1']]);
    await store.answer();
    expect(asked()).toEqual([
      ['a.1 2', 'b.1 1'],
      ['a.1 1', 'c.1 1'],
    ]);
    await store.answer();
    const verdicts = await Promise.all([...first, ...second]);
    expect(verdicts.map((verdict) => verdict.kind === 'admitted' && verdict.figures.day.used)).toEqual([1, 1, 2, 1, 1]);
  });

  test('a call has 200 keys at most, and the rest follows by itself', async () => {
    const all = Array.from({ length: 450 }, (_, i) => admission.admit(key(`k${i}`)));
    await turn();
    for (let i = 0; i < 3; i++) await store.answer();
    expect((await Promise.all(all)).every(({ kind }) => kind === 'admitted')).toBe(true);
    expect(store.calls.map((call) => call.length)).toEqual([200, 200, 50]);
  });

  test('of two versions of a key the newer is asked, the older is stale, whichever came first', async () => {
    const [older, newer] = [admission.admit(key('a', 1)), admission.admit(key('a', 2))];
    const late = admission.admit(key('a', 1));
    expect([await older, await late]).toEqual([{ kind: 'stale' }, { kind: 'stale' }]);
    await turn();
    expect(asked()).toEqual([['a.2 1']]);
    await store.answer();
    expect((await newer).kind).toBe('admitted');
  });
});

describe('looks', () => {
  test('go out with the flush, one a key for all who asked before it', async () => {
    const looks = [admission.readKey(key('a')), admission.readKey(key('a', 2)), admission.readKey(key('gone'))];
    const verdict = admission.admit(key('b'));
    await turn();
    expect([store.looks, asked()]).toEqual([[['a', 'gone']], [['b.1 1']]]);
    await store.answer();
    expect((await Promise.all(looks)).map((look) => look?.version)).toEqual([5, 5, undefined]);
    expect((await verdict).kind).toBe('admitted');
  });

  test('that are asked for while one is under way get one of their own', async () => {
    const first = admission.readKey(key('a'));
    await turn();
    const second = admission.readKey(key('a'));
    await store.answer();
    await first;
    expect(store.looks).toEqual([['a'], ['a']]);
    await store.answer();
    expect((await second)?.version).toBe(5);
  });
});

describe('503 service_unavailable', () => {
  const unavailable = (cause: string) =>
    expect.objectContaining({
      code: 'service_unavailable',
      cause: expect.objectContaining({ message: expect.stringContaining(cause) }),
    });

  test('for those whose call a live store has refused, and only for those', async () => {
    const lost = [admission.admit(key('a')), admission.readKey(key('a'))].map((call) =>
      expect(call).rejects.toEqual(unavailable('statement timeout')),
    );
    await turn();
    const next = admission.admit(key('a'));
    await store.fail(new Error('statement timeout'));
    await Promise.all(lost);
    await turn();
    await store.answer();
    expect((await next).kind).toBe('admitted');
  });

  test('for a key that the store left out', async () => {
    jest.spyOn(store, 'admit').mockResolvedValueOnce(new Map());
    await expect(admission.admit(key('a'))).rejects.toEqual(unavailable('locked'));
  });

  test('for those before whom more keys stand than can be asked in time', async () => {
    const first = admission.admit(key('first'));
    await turn();
    const all = Array.from({ length: 300 }, (_, i) => admission.admit(key(`k${i}`)));
    const late = all.slice(200).map((call) => expect(call).rejects.toEqual(unavailable('wait for admission')));
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 1600);
    await store.answer();
    await Promise.all(late);
    await store.answer();
    expect((await Promise.all([first, ...all.slice(0, 200)])).every(({ kind }) => kind === 'admitted')).toBe(true);
    expect(store.calls.map((call) => call.length)).toEqual([1, 200]);
  });

  test('beyond 20,000 that wait', async () => {
    const all = Array.from({ length: 20_000 }, () => admission.admit(key('a')));
    await expect(admission.admit(key('a'))).rejects.toEqual(unavailable('20000 requests wait'));
    await turn();
    await store.answer();
    expect((await Promise.all(all)).length).toBe(20_000);
  });
});

describe('a call', () => {
  test('has the less time the longer the first of its requests has waited, and never none', async () => {
    // Whole, so that differences are exact.
    const begun = Math.ceil(performance.now());
    const clock = jest.spyOn(performance, 'now').mockReturnValue(begun);
    const calls = [admission.admit(key('a'))];
    await turn();
    for (const waitedMs of [700, 5000]) {
      calls.push(admission.admit(key('a')));
      clock.mockReturnValue(performance.now() + waitedMs);
      await store.answer();
    }
    await store.answer();
    await Promise.all(calls);
    expect(store.withinMs).toEqual([1900, 1200, 550]);
  });
});
