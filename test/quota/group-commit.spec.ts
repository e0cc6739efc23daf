import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import type { Admission } from '../../src/quota/admission.service.js';
import type { AdmitResult, AdmitEntry, StoredCounts } from '../../src/quota/verdict.rules.js';
import type { QuotaStore } from '../../src/quota/ledger/quota-store.js';
import { admissionOf } from '../support/open-store.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';

const key = (id: string, version = 1): KeySnapshot => ({
  id,
  version,
  name: id,
  status: 'active',
  allowedModels: null,
  expiresAtMs: null,
  lastUsedAtMs: null,
  teamId: null,
  tags: [],
  rpmLimit: 1e6,
  rpdLimit: 1e6,
  monthlyLimit: null,
  monthlyTokenLimit: null,
  tokenCounting: 'specification',
});
const counts = (version: number): StoredCounts => ({
  version,
  nowMs: 0,
  minute: 0,
  minuteUsed: 0,
  day: 0,
  dayUsed: 0,
  month: 0,
  monthUsed: 0,
  tokens: 0,
  additionalTokens: 0,
});

/** A store whose calls wait for `answer` or `fail`. */
class HeldStore implements Pick<QuotaStore, 'admit' | 'readCounts' | 'unavailableSinceMs' | 'onLimitsSeen'> {
  readonly calls: (readonly AdmitEntry[])[] = [];
  readonly reads: (readonly string[])[] = [];
  readonly withinMs: (number | undefined)[] = [];
  unavailableSinceMs: number | null = null;
  private held: PromiseWithResolvers<void>[] = [];

  async admit(entries: readonly AdmitEntry[], withinMs?: number): Promise<ReadonlyMap<string, AdmitResult>> {
    this.calls.push(entries);
    this.withinMs.push(withinMs);
    await this.hold();
    return new Map(
      entries.map((entry) => [entry.keyId, { kind: 'decided', granted: entry.count, counts: counts(entry.version) }]),
    );
  }

  async readCounts(keyIds: readonly string[]): Promise<ReadonlyMap<string, StoredCounts>> {
    this.reads.push(keyIds);
    await this.hold();
    return new Map(keyIds.filter((id) => id !== 'deleted').map((id) => [id, counts(5)]));
  }

  async response(): Promise<void> {
    for (const { resolve } of this.held.splice(0)) resolve();
    await turn();
    await turn();
  }

  async fail(error: Error): Promise<void> {
    for (const { reject } of this.held.splice(0)) reject(error);
    await turn();
  }

  onLimitsSeen(): void {}

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

const sentBatches = () =>
  store.calls.map((call) => call.map(({ keyId, version, count }) => `${keyId}.${version} ${count}`));

describe('admission by group commit', () => {
  test('requests that arrive during a store call are sent together in the next call', async () => {
    const first = [admission.admit(key('a')), admission.admit(key('b')), admission.admit(key('a'))];
    await turn();
    const second = [admission.admit(key('a'))];
    await turn();
    second.push(admission.admit(key('c')));
    await turn();
    expect(sentBatches()).toEqual([['a.1 2', 'b.1 1']]);
    await store.response();
    expect(sentBatches()).toEqual([
      ['a.1 2', 'b.1 1'],
      ['a.1 1', 'c.1 1'],
    ]);
    await store.response();
    const verdicts = await Promise.all([...first, ...second]);
    expect(verdicts.map((verdict) => verdict.kind === 'admitted' && verdict.figures.day.used)).toEqual([1, 1, 2, 1, 1]);
  });

  test('a store call has at most 200 keys, and the remaining keys follow in the next calls', async () => {
    const all = Array.from({ length: 450 }, (_, i) => admission.admit(key(`k${i}`)));
    await turn();
    for (let i = 0; i < 3; i++) await store.response();
    expect((await Promise.all(all)).every(({ kind }) => kind === 'admitted')).toBe(true);
    expect(store.calls.map((call) => call.length)).toEqual([200, 200, 50]);
  });

  test('only the newer of two versions of a key is sent, and the older one is stale', async () => {
    const [older, newer] = [admission.admit(key('a', 1)), admission.admit(key('a', 2))];
    const late = admission.admit(key('a', 1));
    expect([await older, await late]).toEqual([{ kind: 'stale' }, { kind: 'stale' }]);
    await turn();
    expect(sentBatches()).toEqual([['a.2 1']]);
    await store.response();
    expect((await newer).kind).toBe('admitted');
  });
});

describe('reads of key counts', () => {
  test('reads are sent with the next flush, once per key', async () => {
    const reads = [admission.readKey(key('a')), admission.readKey(key('a', 2)), admission.readKey(key('deleted'))];
    const verdict = admission.admit(key('b'));
    await turn();
    expect([store.reads, sentBatches()]).toEqual([[['a', 'deleted']], [['b.1 1']]]);
    await store.response();
    expect((await Promise.all(reads)).map((read) => read?.version)).toEqual([5, 5, undefined]);
    expect((await verdict).kind).toBe('admitted');
  });

  test('a read that is requested during another read of the key is sent separately', async () => {
    const first = admission.readKey(key('a'));
    await turn();
    const second = admission.readKey(key('a'));
    await store.response();
    await first;
    expect(store.reads).toEqual([['a'], ['a']]);
    await store.response();
    expect((await second)?.version).toBe(5);
  });
});

describe('503 service_unavailable', () => {
  const unavailable = (cause: string) =>
    expect.objectContaining({
      code: 'service_unavailable',
      cause: expect.objectContaining({ message: expect.stringContaining(cause) }),
    });

  test('a request returns 503 if a live store rejects its call, and the next request is admitted', async () => {
    const lost = [admission.admit(key('a')), admission.readKey(key('a'))].map((call) =>
      expect(call).rejects.toEqual(unavailable('statement timeout')),
    );
    await turn();
    const next = admission.admit(key('a'));
    await store.fail(new Error('statement timeout'));
    await Promise.all(lost);
    await turn();
    await store.response();
    expect((await next).kind).toBe('admitted');
  });

  test('a request returns 503 if the store omits its key', async () => {
    jest.spyOn(store, 'admit').mockResolvedValueOnce(new Map());
    await expect(admission.admit(key('a'))).rejects.toEqual(unavailable('locked'));
  });

  test('requests return 503 if too many keys are queued before them', async () => {
    const first = admission.admit(key('first'));
    await turn();
    const all = Array.from({ length: 300 }, (_, i) => admission.admit(key(`k${i}`)));
    const late = all.slice(200).map((call) => expect(call).rejects.toEqual(unavailable('waiting for admission')));
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 1600);
    await store.response();
    await Promise.all(late);
    await store.response();
    expect((await Promise.all([first, ...all.slice(0, 200)])).every(({ kind }) => kind === 'admitted')).toBe(true);
    expect(store.calls.map((call) => call.length)).toEqual([1, 200]);
  });

  test('a request returns 503 if 20,000 requests are already waiting', async () => {
    const all = Array.from({ length: 20_000 }, () => admission.admit(key('a')));
    await expect(admission.admit(key('a'))).rejects.toEqual(unavailable('Too many requests are waiting'));
    await turn();
    await store.response();
    expect((await Promise.all(all)).length).toBe(20_000);
  });
});

describe('the timeout of a store call', () => {
  test('the timeout shrinks with the wait of the oldest request, down to 550 ms', async () => {
    const begun = Math.ceil(performance.now());
    const clock = jest.spyOn(performance, 'now').mockReturnValue(begun);
    const calls = [admission.admit(key('a'))];
    await turn();
    for (const waitedMs of [700, 5000]) {
      calls.push(admission.admit(key('a')));
      clock.mockReturnValue(performance.now() + waitedMs);
      await store.response();
    }
    await store.response();
    await Promise.all(calls);
    expect(store.withinMs).toEqual([1900, 1200, 550]);
  });
});
