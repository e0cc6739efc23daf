import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Config } from '../../src/platform/config/config.js';
import type { Database } from '../../src/platform/database/database.service.js';
import type { AdminActor } from '../../src/platform/request-context/caller-session.js';
import type { DailyJob } from '../../src/scheduler/daily-job.service.js';
import type { ProbeJob } from '../../src/scheduler/probe-job.service.js';
import type { Occasion } from '../../src/scheduler/job.js';
import { JobSchedule } from '../../src/scheduler/job-schedule.js';

const HOUR = 3_600_000;

beforeEach(() => {
  Logger.overrideLogger(false);
  jest.useFakeTimers({ now: Date.parse('2028-02-28T22:30:00.000Z') });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Records which runs the schedule starts, and why. Every run fails, as it does while the database is unavailable. */
function scheduled(env: Record<string, string> = {}) {
  const started: string[] = [];
  const jobNamed = (name: string) => ({
    start: async (actor: AdminActor, occasion: Occasion) => {
      started.push(`${iso(Date.now())} ${name} ${occasion.kind} ${termsOf(occasion)}`);
      expect(actor.type).toBe('system');
      throw new Error('the database is unavailable');
    },
  });
  const ready = Promise.withResolvers<void>();
  const registry = new SchedulerRegistry();
  const schedule = new JobSchedule(
    Config.from(env),
    { whenReady: () => ready.promise } as Database,
    registry,
    jobNamed('daily') as unknown as DailyJob,
    jobNamed('probes') as unknown as ProbeJob,
  );
  schedule.onApplicationBootstrap();
  return { schedule, started, ready, registry };
}
const termsOf = (occasion: Occasion): string => {
  if (occasion.kind === 'due') return iso(occasion.dueAtMs);
  return occasion.kind === 'missed' ? `${occasion.withinMs / HOUR} h` : '';
};
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);

test('the daily job starts once the database is available, daily at 03:00 UTC, and hourly while overdue', async () => {
  const { schedule, started, ready } = scheduled();
  await jest.advanceTimersByTimeAsync(0.25 * HOUR);
  expect(started).toEqual([]);
  ready.resolve();
  await jest.advanceTimersByTimeAsync(5 * HOUR);
  expect(started).toEqual([
    '2028-02-28T22:45 daily missed 24 h',
    '2028-02-28T23:45 daily missed 25 h',
    '2028-02-29T00:45 daily missed 25 h',
    '2028-02-29T01:45 daily missed 25 h',
    '2028-02-29T02:45 daily missed 25 h',
    '2028-02-29T03:00 daily due 2028-02-29T03:00',
    '2028-02-29T03:45 daily missed 25 h',
  ]);
  await jest.advanceTimersByTimeAsync(48 * HOUR);
  expect(started.filter((line) => line.includes('due'))).toEqual([
    '2028-02-29T03:00 daily due 2028-02-29T03:00',
    '2028-03-01T03:00 daily due 2028-03-01T03:00',
    '2028-03-02T03:00 daily due 2028-03-02T03:00',
  ]);
  schedule.onModuleDestroy();
  const before = started.length;
  await jest.advanceTimersByTimeAsync(48 * HOUR);
  expect(started).toHaveLength(before);
});

test('the cron settings register cron jobs in UTC, and shutdown removes them', async () => {
  const { schedule, started, ready, registry } = scheduled({
    GW_DAILY_CRON: '15 23 28 * *',
    GW_PROBE_CRON: '0 0 23 * * *',
  });
  ready.resolve();
  await jest.advanceTimersByTimeAsync(0);
  expect([[...registry.getCronJobs().keys()], registry.getIntervals()]).toEqual([
    ['daily', 'probes'],
    ['overdue daily job'],
  ]);
  await jest.advanceTimersByTimeAsync(HOUR);
  expect(started.filter((line) => line.includes('due'))).toEqual([
    '2028-02-28T23:00 probes due 2028-02-28T23:00',
    '2028-02-28T23:15 daily due 2028-02-28T23:15',
  ]);
  schedule.onModuleDestroy();
  expect([registry.getCronJobs().size, registry.getIntervals()]).toEqual([0, []]);
});

test('a schedule stopped before the database is available starts nothing', async () => {
  const { schedule, started, ready, registry } = scheduled();
  schedule.onModuleDestroy();
  ready.resolve();
  await jest.advanceTimersByTimeAsync(30 * HOUR);
  expect([started, registry.getIntervals()]).toEqual([[], []]);
});
