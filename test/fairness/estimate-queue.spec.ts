import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { EstimateQueue, type Estimator } from '../../src/fairness/estimate-queue.js';
import { bytesOf, type Estimate, type EstimateJob } from '../../src/proxy/metering/estimate/estimate-job.js';
import { roughEstimate } from '../../src/proxy/metering/estimate/rough-estimate.js';
import { fakeOnly } from '../support/fake-timers.js';

const QUEUE_BYTES_MAX = 32 * 1024 * 1024;
const QUEUE_JOBS_MAX = 5000;

/** Finishes a count when the test calls `say`. */
class SlowCounter implements Estimator<EstimateJob, Estimate> {
  readonly rough = roughEstimate;
  readonly bytesOf = bytesOf;
  readonly jobs: EstimateJob[] = [];
  private answer: ((estimate: Estimate | null) => void) | null = null;

  count(job: EstimateJob): Promise<Estimate | null> {
    this.jobs.push(job);
    return new Promise((resolve) => (this.answer = resolve));
  }

  say(estimate: Estimate | null): Promise<void> {
    this.answer?.(estimate);
    return new Promise((resolve) => setImmediate(resolve));
  }
}

const [KEY, OTHER] = ['a key', 'another'];
/** Four tokens by the bytes. */
const jobOf = (model: string, bytes = Buffer.from('{"input":"0123456789abcdef"}')): EstimateJob => ({
  ...{ model, request: { bytes, totalBytes: bytes.length }, answer: null },
});
const ROUGH = { input: 4, output: 0 };
const made = () => {
  const counter = new SlowCounter();
  return { counter, queue: new EstimateQueue(counter) };
};

test('jobs are counted one at a time, in the order of their coming', async () => {
  const { counter, queue } = made();
  const counted = ['a', 'b', 'c'].map((model) => queue.add(jobOf(model), KEY));
  expect(counter.jobs.map(({ model }) => model)).toEqual(['a']);
  for (const input of [1, 2, 3]) await counter.say({ input, output: 0 });
  expect(counter.jobs.map(({ model }) => model)).toEqual(['a', 'b', 'c']);
  expect((await Promise.all(counted)).map(({ input }) => input)).toEqual([1, 2, 3]);
  const later = queue.add(jobOf('d'), KEY);
  await counter.say({ input: 4, output: 0 });
  expect((await later).input).toBe(4);
});

test('one that cannot be counted gets a rough figure', async () => {
  const { counter, queue } = made();
  const counted = queue.add(jobOf('a'), KEY);
  await counter.say(null);
  expect(await counted).toEqual(ROUGH);
});

test('one that is no JSON at all has a figure too, for its bytes', async () => {
  const { counter, queue } = made();
  const counted = queue.add(jobOf('a', Buffer.from([0xff, 0x00, 0x7b])), KEY);
  await counter.say(null);
  expect(await counted).toEqual({ input: 2, output: 0 });
});

describe('keys take turns', () => {
  test('however many one of them has waiting', async () => {
    const { counter, queue } = made();
    for (const model of ['a1', 'a2', 'a3', 'a4']) void queue.add(jobOf(model), KEY);
    for (const model of ['b1', 'b2']) void queue.add(jobOf(model), OTHER);
    await counter.say(ROUGH);
    void queue.add(jobOf('c1'), 'a third');
    for (let i = 0; i < 6; i++) await counter.say(ROUGH);
    expect(counter.jobs.map(({ model }) => model)).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4']);
  });
});

describe('what waits is bounded, and what comes beyond gets a rough figure at once', () => {
  test('by number', async () => {
    const { counter, queue } = made();
    for (let i = 0; i < QUEUE_JOBS_MAX; i++) void queue.add(jobOf('waits'), `key ${i}`);
    expect(await queue.add(jobOf('beyond'), KEY)).toEqual(ROUGH);
    await counter.say(ROUGH);
    let settled = false;
    void queue.add(jobOf('there is room again'), KEY).then(() => (settled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([settled, queue.overflowed]).toEqual([false, 1]);
  });

  test('by number for each key: it has not more than is left for the others', () => {
    const { queue } = made();
    for (let i = 0; i < QUEUE_JOBS_MAX; i++) void queue.add(jobOf('waits'), KEY);
    expect(queue.overflowed).toBe(QUEUE_JOBS_MAX / 2);
    for (let i = 0; i < QUEUE_JOBS_MAX / 4; i++) void queue.add(jobOf('waits'), OTHER);
    expect(queue.overflowed).toBe(QUEUE_JOBS_MAX / 2);
    void queue.add(jobOf('beyond'), OTHER);
    expect(queue.overflowed).toBe(QUEUE_JOBS_MAX / 2 + 1);
  });

  test('by bytes', async () => {
    const { queue } = made();
    const large = Buffer.concat([
      Buffer.from('{"input":"'),
      Buffer.alloc(QUEUE_BYTES_MAX / 2 - 20, 'x'),
      Buffer.from('"}'),
    ]);
    for (const key of [KEY, OTHER]) void queue.add(jobOf('waits', large), key);
    const { input } = await queue.add(jobOf('beyond', large), 'a third');
    expect(Math.abs(input / (large.length / 4) - 1)).toBeLessThan(0.01);
  });
});

test('the bytes of both sides count, for the key and in all, from a job’s coming until it has its figure', async () => {
  const { counter, queue } = made();
  const quarter = { bytes: new Uint8Array(QUEUE_BYTES_MAX / 4), totalBytes: QUEUE_BYTES_MAX / 4 };
  const half: EstimateJob = { model: null, request: quarter, answer: { ...quarter, format: 'sse' } };
  const byte = jobOf('a byte', Buffer.alloc(1));
  const overflowed: number[] = [];
  const add = (job: EstimateJob, key: string) => {
    void queue.add(job, key);
    overflowed.push(queue.overflowed);
  };
  add(half, KEY);
  add(byte, KEY);
  add({ ...half, answer: null }, OTHER);
  add({ ...half, request: null }, 'a third');
  add(byte, 'a fourth');
  await counter.say(ROUGH);
  add(half, KEY);
  add(byte, KEY);
  expect(overflowed).toEqual([0, 1, 1, 1, 2, 2, 3]);
});

describe('a stop', () => {
  afterEach(() => void jest.useRealTimers());

  test('waits for what is being counted', async () => {
    const { counter, queue } = made();
    const counted = ['a', 'b'].map((model) => queue.add(jobOf(model), KEY));
    const closed = queue.close(60_000);
    await counter.say({ input: 1, output: 0 });
    await counter.say({ input: 2, output: 0 });
    await closed;
    expect((await Promise.all(counted)).map(({ input }) => input)).toEqual([1, 2]);
  });

  test('does not wait longer than it is told to: the rest is rough', async () => {
    const { queue } = made();
    const counted = ['a', 'b', 'c'].map((model) => queue.add(jobOf(model), KEY));
    await queue.close(10);
    expect(await Promise.all(counted)).toEqual([ROUGH, ROUGH, ROUGH]);
  });

  test('leaves rough figures to what comes after it', async () => {
    const { counter, queue } = made();
    await queue.close(10);
    expect(await queue.add(jobOf('late'), KEY)).toEqual(ROUGH);
    expect(counter.jobs).toEqual([]);
  });

  test('waits as long as it is told to, and no timer outlives it', async () => {
    fakeOnly('setTimeout', 'clearTimeout');
    const { counter, queue } = made();
    void queue.add(jobOf('a'), KEY);
    let closed = false;
    const closing = queue.close(3000).then(() => (closed = true));
    await jest.advanceTimersByTimeAsync(2999);
    expect([closed, jest.getTimerCount()]).toEqual([false, 1]);
    await counter.say(ROUGH);
    await closing;
    expect(jest.getTimerCount()).toBe(0);
  });

  test('has nothing to wait for where nothing is being counted', async () => {
    fakeOnly('setTimeout', 'clearTimeout');
    await made().queue.close(3000);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('leaves rough figures to what comes meanwhile', async () => {
    const { counter, queue } = made();
    const counted = queue.add(jobOf('a'), KEY);
    const closed = queue.close(60_000);
    expect(await queue.add(jobOf('late'), KEY)).toEqual(ROUGH);
    await counter.say({ input: 1, output: 0 });
    await closed;
    expect([(await counted).input, queue.overflowed, counter.jobs.length]).toEqual([1, 0, 1]);
  });

  test('that waited long enough lets nothing more be counted', async () => {
    const { counter, queue } = made();
    for (const model of ['a', 'b']) void queue.add(jobOf(model), KEY);
    await queue.close(1);
    await counter.say(ROUGH);
    expect(counter.jobs.length).toBe(1);
  });
});
