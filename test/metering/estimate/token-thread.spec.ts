import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { performance } from 'node:perf_hooks';
import type { EstimateJob } from '../../../src/proxy/metering/estimate/estimate-job.js';
import { until } from '../../support/until.js';
import { TokenThread } from '../../../src/proxy/metering/estimate/token-estimator.service.js';

let deaths: Error[];
let thread: TokenThread;
beforeEach(() => {
  deaths = [];
  thread = new TokenThread((error) => deaths.push(error));
});
afterEach(() => thread.stop());

const jobOf = (text: string): EstimateJob => {
  const bytes = Buffer.from(JSON.stringify({ input: text }));
  return { model: 'gpt-4o', request: { bytes, totalBytes: bytes.length }, answer: null };
};
const HELLO = jobOf('hello world');
/** What the thread cannot even receive. */
const POISON = { ...HELLO, request: { bytes: null as unknown as Uint8Array, totalBytes: 1 } };

test('counts, and leaves the loop of the process free meanwhile', async () => {
  await thread.count(HELLO);
  const before = performance.eventLoopUtilization();
  expect((await thread.count(jobOf('xqzjkvbwpfgm'.repeat(20_000))))!.input).toBeGreaterThan(50_000);
  expect(performance.eventLoopUtilization(before).active).toBeLessThan(100);
});

test('goes on after a job that cannot be counted', async () => {
  expect(await thread.count(POISON)).toBeNull();
  expect(await thread.count(HELLO)).toEqual({ input: 2, output: 0 });
  expect(deaths).toEqual([]);
});

test('does not keep the one waiting whose count is under way at the stop', async () => {
  const counted = thread.count(HELLO);
  thread.stop();
  expect(await counted).toBeNull();
});

test('that dies gives no figure, and after a moment it is begun anew', async () => {
  expect(await thread.count(HELLO)).toEqual({ input: 2, output: 0 });
  expect(await thread.count(null as unknown as EstimateJob)).toBeNull();
  expect(deaths).toHaveLength(1);
  // A thread that cannot live must not be begun for every job.
  expect(await thread.count(HELLO)).toBeNull();
  await until(async () => (await thread.count(HELLO)) !== null, 20_000);
  expect(deaths).toHaveLength(1);
});
