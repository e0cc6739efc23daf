import { beforeEach, expect, test } from 'vitest';
import { KeyReads } from '../../src/keys/key-reads.js';
import type { ApiKeyStore, ReadKey } from '../../src/keys/stores/api-key.store.js';

type Found = ReadonlyMap<string, ReadKey>;

/** Statements that end when the test says so. */
class SlowStore {
  readonly statements: { hashes: readonly string[]; end: (found: Found) => void; fail: (error: Error) => void }[] = [];
  readByHashes(hashes: readonly string[]): Promise<Found> {
    return new Promise((end, fail) => this.statements.push({ hashes, end, fail }));
  }
  sizes = () => this.statements.map(({ hashes }) => hashes.length);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const hashes = (count: number, prefix = 'h') => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const NONE: Found = new Map();
const read = (id: string) => ({ key: { id }, counts: {} }) as unknown as ReadKey;

let store: SlowStore;
let reads: KeyReads;
beforeEach(() => {
  store = new SlowStore();
  reads = new KeyReads(store as unknown as ApiKeyStore);
});

test('who asks in one turn of the event loop is answered by one statement, each with its own key', async () => {
  const asked = ['a', 'b', 'c'].map((hash) => reads.byHash(hash));
  await turn();
  expect(store.sizes()).toEqual([3]);
  store.statements[0]!.end(new Map([['b', read('of b')]]));
  expect(await Promise.all(asked)).toEqual([null, read('of b'), null]);
});

test('however many ask, two statements of 500 keys are under way and nobody is left behind', async () => {
  const asked = hashes(3000).map((hash) => reads.byHash(hash));
  await turn();
  expect(store.sizes()).toEqual([500, 500]);
  for (let ended = 0; ended < store.statements.length; ended++) {
    expect(store.statements.length - ended).toBeLessThanOrEqual(2);
    store.statements[ended]!.end(NONE);
    await turn();
  }
  expect(store.sizes()).toEqual(Array<number>(6).fill(500));
  expect(await Promise.all(asked)).toEqual(Array<null>(3000).fill(null));
});

test('a read begins after it was asked for: it joins no statement under way', async () => {
  const early = reads.byHash('a');
  await turn();
  const late = reads.byHash('a');
  store.statements[0]!.end(NONE);
  expect(await early).toBeNull();
  await turn();
  store.statements[1]!.end(new Map([['a', read('new')]]));
  expect(await late).toEqual(read('new'));
});

test('one that hangs holds up its own keys only; one that fails is told to its own only', async () => {
  void reads.byHash('hangs');
  await turn();
  const asked = reads.byHash('fails');
  await turn();
  store.statements[1]!.fail(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  const next = reads.byHash('next');
  await turn();
  store.statements[2]!.end(NONE);
  expect(await next).toBeNull();
});

test('no more than 10,000 wait; who comes later is refused at once', async () => {
  const asked = hashes(10_000).map((hash) => reads.byHash(hash));
  await expect(reads.byHash('late')).rejects.toThrow('too many');
  await turn();
  // A thousand of them are being read.
  void reads.byHash('in time');
  for (let ended = 0; ended < store.statements.length; ended++) {
    store.statements[ended]!.end(NONE);
    await turn();
  }
  await Promise.all(asked);
  expect(store.statements.flatMap((statement) => statement.hashes).at(-1)).toBe('in time');
});
