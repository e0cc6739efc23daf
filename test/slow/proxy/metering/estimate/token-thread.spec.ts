import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { performance } from 'node:perf_hooks';
import type { EstimateJob } from '../../../../../src/proxy/metering/estimate/estimate-job.js';
import { until } from '../../../../support/until.js';
import { TokenThread } from '../../../../../src/proxy/metering/estimate/token-estimator.service.js';

let deaths: Error[];
let thread: TokenThread;
beforeEach(() => {
  deaths = [];
  thread = new TokenThread((error) => deaths.push(error));
});
afterEach(() => thread.stop());

const jobOf = (text: string): EstimateJob => {
  const bytes = Buffer.from(JSON.stringify({ input: text }));
  return { model: 'gpt-4o', request: { bytes, totalBytes: bytes.length }, response: null };
};
const HELLO = jobOf('hello world');
/** A job that the thread cannot count, because it has no bytes. */
const POISON = { ...HELLO, request: { bytes: null as unknown as Uint8Array, totalBytes: 1 } };

test('the event loop stays mostly idle while the thread counts tokens', async () => {
  await thread.count(HELLO);
  const before = performance.eventLoopUtilization();
  expect((await thread.count(jobOf('xqzjkvbwpfgm'.repeat(20_000))))!.input).toBeGreaterThan(50_000);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.6);
});

test('the thread survives a job that cannot be counted', async () => {
  expect(await thread.count(POISON)).toBeNull();
  expect(await thread.count(HELLO)).toEqual({ input: 2, output: 0 });
  expect(deaths).toEqual([]);
});

test('stopping the thread resolves a running count with null', async () => {
  const counted = thread.count(HELLO);
  thread.stop();
  expect(await counted).toBeNull();
});

test('a thread that crashes returns null, and restarts after a delay', async () => {
  expect(await thread.count(HELLO)).toEqual({ input: 2, output: 0 });
  expect(await thread.count(null as unknown as EstimateJob)).toBeNull();
  expect(deaths).toHaveLength(1);
  // A thread that crashes immediately must not be restarted for every job.
  expect(await thread.count(HELLO)).toBeNull();
  await until(async () => (await thread.count(HELLO)) !== null);
  expect(deaths).toHaveLength(1);
});
