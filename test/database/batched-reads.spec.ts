import { beforeEach, expect, test } from '@jest/globals';
import { BatchedReads } from '../../src/database/batched-reads.js';

type Found = ReadonlyMap<string, string>;

/** Statements that end when the test says so. */
class SlowStore {
  readonly statements: { names: readonly string[]; end: (found: Found) => void; fail: (error: Error) => void }[] = [];
  readAll(names: readonly string[]): Promise<Found> {
    return new Promise((end, fail) => this.statements.push({ names, end, fail }));
  }
  sizes = () => this.statements.map(({ names }) => names.length);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
const NONE: Found = new Map();

let store: SlowStore;
let reads: BatchedReads<string>;
beforeEach(() => {
  store = new SlowStore();
  reads = new BatchedReads((names) => store.readAll(names));
});

test('who asks in one turn of the event loop is answered by one statement, each with its own row', async () => {
  const asked = ['a', 'b', 'c'].map((name) => reads.read(name));
  await turn();
  expect(store.sizes()).toEqual([3]);
  store.statements[0]!.end(new Map([['b', 'of b']]));
  expect(await Promise.all(asked)).toEqual([null, 'of b', null]);
});

test('however many ask, two statements of 500 are under way and nobody is left behind', async () => {
  const asked = names(3000).map((name) => reads.read(name));
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
  const early = reads.read('a');
  await turn();
  const late = reads.read('a');
  store.statements[0]!.end(NONE);
  expect(await early).toBeNull();
  await turn();
  store.statements[1]!.end(new Map([['a', 'new']]));
  expect(await late).toEqual('new');
});

test('one that hangs holds up its own only; one that fails is told to its own only', async () => {
  void reads.read('hangs');
  await turn();
  const asked = reads.read('fails');
  await turn();
  store.statements[1]!.fail(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  const next = reads.read('next');
  await turn();
  store.statements[2]!.end(NONE);
  expect(await next).toBeNull();
});

test('no more than 10,000 wait; who comes later is refused at once', async () => {
  const asked = names(10_000).map((name) => reads.read(name));
  await expect(reads.read('late')).rejects.toMatchObject({ code: 'service_unavailable' });
  await turn();
  // A thousand of them are being read.
  void reads.read('in time');
  for (let ended = 0; ended < store.statements.length; ended++) {
    store.statements[ended]!.end(NONE);
    await turn();
  }
  await Promise.all(asked);
  expect(store.statements.flatMap((statement) => statement.names).at(-1)).toBe('in time');
});
