import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { EstimateQueue, type Estimator } from '../../../../src/proxy/metering/estimate/estimate-queue.js';
import type { Estimate, EstimateJob } from '../../../../src/proxy/metering/estimate/estimate-job.js';
import { roughEstimate } from '../../../../src/proxy/metering/estimate/rough-estimate.js';
import { bytesOf } from '../../../../src/proxy/metering/estimate/token-estimator.service.js';
import { fakeOnly } from '../../../support/fake-timers.js';

const QUEUE_BYTES_MAX = 32 * 1024 * 1024;
const QUEUE_JOBS_MAX = 5000;

/** Finishes a count when the test calls `finish`. */
class SlowCounter implements Estimator<EstimateJob, Estimate> {
  readonly rough = roughEstimate;
  readonly bytesOf = bytesOf;
  readonly jobs: EstimateJob[] = [];
  private resolve: ((estimate: Estimate | null) => void) | null = null;

  count(job: EstimateJob): Promise<Estimate | null> {
    this.jobs.push(job);
    return new Promise((resolve) => (this.resolve = resolve));
  }

  finish(estimate: Estimate | null): Promise<void> {
    this.resolve?.(estimate);
    return new Promise((resolve) => setImmediate(resolve));
  }
}

const [KEY, OTHER] = ['a key', 'another'];
/** Roughly four tokens. */
const jobOf = (model: string, bytes = Buffer.from('{"input":"0123456789abcdef"}')): EstimateJob => ({
  model,
  request: { bytes, totalBytes: bytes.length },
  response: null,
});
const ROUGH = { input: 4, output: 0 };
const made = () => {
  const counter = new SlowCounter();
  return { counter, queue: new EstimateQueue(counter) };
};

test('counts jobs one at a time in order of arrival', async () => {
  const { counter, queue } = made();
  const counted = ['a', 'b', 'c'].map((model) => queue.add(jobOf(model), KEY));
  expect(counter.jobs.map(({ model }) => model)).toEqual(['a']);
  for (const input of [1, 2, 3]) await counter.finish({ input, output: 0 });
  expect(counter.jobs.map(({ model }) => model)).toEqual(['a', 'b', 'c']);
  expect((await Promise.all(counted)).map(({ input }) => input)).toEqual([1, 2, 3]);
  const later = queue.add(jobOf('d'), KEY);
  await counter.finish({ input: 4, output: 0 });
  expect((await later).input).toBe(4);
});

test('a job that cannot be counted gets a rough estimate', async () => {
  const { counter, queue } = made();
  const counted = queue.add(jobOf('a'), KEY);
  await counter.finish(null);
  expect(await counted).toEqual(ROUGH);
});

test('a request that is not JSON gets a rough estimate', async () => {
  const { counter, queue } = made();
  const counted = queue.add(jobOf('a', Buffer.from([0xff, 0x00, 0x7b])), KEY);
  await counter.finish(null);
  expect(await counted).toEqual({ input: 2, output: 0 });
});

describe('fair scheduling of estimates', () => {
  test('serves keys round-robin, regardless of how many jobs each has', async () => {
    const { counter, queue } = made();
    for (const model of ['a1', 'a2', 'a3', 'a4']) void queue.add(jobOf(model), KEY);
    for (const model of ['b1', 'b2']) void queue.add(jobOf(model), OTHER);
    await counter.finish(ROUGH);
    void queue.add(jobOf('c1'), 'a third');
    for (let i = 0; i < 6; i++) await counter.finish(ROUGH);
    expect(counter.jobs.map(({ model }) => model)).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4']);
  });
});

describe('limits of the estimate queue', () => {
  test('a job beyond the maximum number gets a rough estimate immediately', async () => {
    const { counter, queue } = made();
    for (let i = 0; i < QUEUE_JOBS_MAX; i++) void queue.add(jobOf('waits'), `key ${i}`);
    expect(await queue.add(jobOf('beyond'), KEY)).toEqual(ROUGH);
    await counter.finish(ROUGH);
    let settled = false;
    void queue.add(jobOf('there is room again'), KEY).then(() => (settled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([settled, queue.overflowed]).toEqual([false, 1]);
  });

  test('a key can have only as many waiting jobs as are left for the others', () => {
    const { queue } = made();
    for (let i = 0; i < QUEUE_JOBS_MAX; i++) void queue.add(jobOf('waits'), KEY);
    expect(queue.overflowed).toBe(QUEUE_JOBS_MAX / 2);
    for (let i = 0; i < QUEUE_JOBS_MAX / 4; i++) void queue.add(jobOf('waits'), OTHER);
    expect(queue.overflowed).toBe(QUEUE_JOBS_MAX / 2);
    void queue.add(jobOf('beyond'), OTHER);
    expect(queue.overflowed).toBe(QUEUE_JOBS_MAX / 2 + 1);
  });

  test('a job beyond the maximum bytes gets a rough estimate immediately', async () => {
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

test('the bytes of both sides count towards the limits until the job has its estimate', async () => {
  const { counter, queue } = made();
  const quarter = { bytes: new Uint8Array(QUEUE_BYTES_MAX / 4), totalBytes: QUEUE_BYTES_MAX / 4 };
  const half: EstimateJob = { model: null, request: quarter, response: { ...quarter, format: 'sse' } };
  const byte = jobOf('a byte', Buffer.alloc(1));
  const overflowed: number[] = [];
  const add = (job: EstimateJob, key: string) => {
    void queue.add(job, key);
    overflowed.push(queue.overflowed);
  };
  add(half, KEY);
  add(byte, KEY);
  add({ ...half, response: null }, OTHER);
  add({ ...half, request: null }, 'a third');
  add(byte, 'a fourth');
  await counter.finish(ROUGH);
  add(half, KEY);
  add(byte, KEY);
  expect(overflowed).toEqual([0, 1, 1, 1, 2, 2, 3]);
});

describe('closing the estimate queue', () => {
  afterEach(() => void jest.useRealTimers());

  test('close waits for the queued jobs', async () => {
    const { counter, queue } = made();
    const counted = ['a', 'b'].map((model) => queue.add(jobOf(model), KEY));
    const closed = queue.close(60_000);
    await counter.finish({ input: 1, output: 0 });
    await counter.finish({ input: 2, output: 0 });
    await closed;
    expect((await Promise.all(counted)).map(({ input }) => input)).toEqual([1, 2]);
  });

  test('jobs that are left when close times out get rough estimates', async () => {
    const { queue } = made();
    const counted = ['a', 'b', 'c'].map((model) => queue.add(jobOf(model), KEY));
    await queue.close(10);
    expect(await Promise.all(counted)).toEqual([ROUGH, ROUGH, ROUGH]);
  });

  test('jobs after close get rough estimates', async () => {
    const { counter, queue } = made();
    await queue.close(10);
    expect(await queue.add(jobOf('late'), KEY)).toEqual(ROUGH);
    expect(counter.jobs).toEqual([]);
  });

  test('close waits up to its timeout and leaves no timer', async () => {
    fakeOnly('setTimeout', 'clearTimeout');
    const { counter, queue } = made();
    void queue.add(jobOf('a'), KEY);
    let closed = false;
    const closing = queue.close(3000).then(() => (closed = true));
    await jest.advanceTimersByTimeAsync(2999);
    expect([closed, jest.getTimerCount()]).toEqual([false, 1]);
    await counter.finish(ROUGH);
    await closing;
    expect(jest.getTimerCount()).toBe(0);
  });

  test('close returns immediately if no job is being counted', async () => {
    fakeOnly('setTimeout', 'clearTimeout');
    await made().queue.close(3000);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('jobs that arrive during close get rough estimates', async () => {
    const { counter, queue } = made();
    const counted = queue.add(jobOf('a'), KEY);
    const closed = queue.close(60_000);
    expect(await queue.add(jobOf('late'), KEY)).toEqual(ROUGH);
    await counter.finish({ input: 1, output: 0 });
    await closed;
    expect([(await counted).input, queue.overflowed, counter.jobs.length]).toEqual([1, 0, 1]);
  });

  test('no further job is counted after close has timed out', async () => {
    const { counter, queue } = made();
    for (const model of ['a', 'b']) void queue.add(jobOf(model), KEY);
    await queue.close(1);
    await counter.finish(ROUGH);
    expect(counter.jobs.length).toBe(1);
  });
});
