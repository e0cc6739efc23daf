import { beforeEach, expect, test } from '@jest/globals';
import { BatchedReads } from '../../../src/platform/database/batched-reads.js';

type Found = ReadonlyMap<string, string>;

/** A store whose statements end when the test ends them. */
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

test('reads of one event-loop turn share a statement, and each gets its own row', async () => {
  const asked = ['a', 'b', 'c'].map((name) => reads.read(name));
  await turn();
  expect(store.sizes()).toEqual([3]);
  store.statements[0]!.end(new Map([['b', 'of b']]));
  expect(await Promise.all(asked)).toEqual([null, 'of b', null]);
});

test('all reads complete in statements of 500 rows, two at a time', async () => {
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

test('a read never joins a statement that started before it', async () => {
  const early = reads.read('a');
  await turn();
  const late = reads.read('a');
  store.statements[0]!.end(NONE);
  expect(await early).toBeNull();
  await turn();
  store.statements[1]!.end(new Map([['a', 'new']]));
  expect(await late).toEqual('new');
});

test('hanging and failing statements affect only their own reads', async () => {
  void reads.read('hangs');
  await turn();
  const asked = reads.read('fails');
  await turn();
  store.statements[1]!.fail(new Error('lost'));
  await expect(asked).rejects.toThrow('lost');
  const next = reads.read('next');
  await turn();
  store.statements[2]!.end(NONE);
  expect(await next).toBeNull();
});

test('more than 10,000 waiting reads are rejected with service_unavailable', async () => {
  const asked = names(10_000).map((name) => reads.read(name));
  await expect(reads.read('late')).rejects.toMatchObject({ code: 'service_unavailable' });
  await turn();
  // The statements of a thousand reads have started, so those reads do not wait.
  void reads.read('in time');
  for (let ended = 0; ended < store.statements.length; ended++) {
    store.statements[ended]!.end(NONE);
    await turn();
  }
  await Promise.all(asked);
  expect(store.statements.flatMap((statement) => statement.names).at(-1)).toBe('in time');
});
