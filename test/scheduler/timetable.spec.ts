import { afterEach, beforeEach, expect, vi, test } from 'vitest';
import { Logger } from '@nestjs/common';
import { Config } from '../../src/config/config.js';
import type { Database } from '../../src/database/database.service.js';
import type { AdminActor } from '../../src/request-context/caller-session.js';
import type { DailyJob } from '../../src/scheduler/daily-job.service.js';
import { DailySchedule } from '../../src/scheduler/daily-schedule.js';
import type { Occasion } from '../../src/scheduler/job.js';

const HOUR = 3_600_000;

beforeEach(() => {
  Logger.overrideLogger(false);
  vi.useFakeTimers({ now: Date.parse('2028-02-28T22:30:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/** When the schedule wanted a run, and why; each is refused, as while the database is away. */
function scheduled(env: Record<string, string> = {}) {
  const wanted: string[] = [];
  const job = {
    start: async (actor: AdminActor, occasion: Occasion) => {
      wanted.push(`${iso(Date.now())} ${occasion.kind} ${termsOf(occasion)}`);
      expect(actor.type).toBe('system');
      throw new Error('the database is away');
    },
  };
  const ready = Promise.withResolvers<void>();
  const schedule = new DailySchedule(
    Config.from(env),
    { whenReady: () => ready.promise } as Database,
    job as unknown as DailyJob,
  );
  schedule.onApplicationBootstrap();
  return { schedule, wanted, ready };
}
const termsOf = (occasion: Occasion): string => {
  if (occasion.kind === 'due') return iso(occasion.dueAtMs);
  return occasion.kind === 'missed' ? `${occasion.withinMs / HOUR} h` : '';
};
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);

test('a run is wanted at the start once the database is there, at 03:00 UTC of each day, and hourly if overdue', async () => {
  const { schedule, wanted, ready } = scheduled();
  await vi.advanceTimersByTimeAsync(0.25 * HOUR);
  expect(wanted).toEqual([]);
  ready.resolve();
  await vi.advanceTimersByTimeAsync(5 * HOUR);
  expect(wanted).toEqual([
    '2028-02-28T22:45 missed 24 h',
    '2028-02-28T23:45 missed 25 h',
    '2028-02-29T00:45 missed 25 h',
    '2028-02-29T01:45 missed 25 h',
    '2028-02-29T02:45 missed 25 h',
    '2028-02-29T03:00 due 2028-02-29T03:00',
    '2028-02-29T03:45 missed 25 h',
  ]);
  await vi.advanceTimersByTimeAsync(48 * HOUR);
  expect(wanted.filter((line) => line.includes('due'))).toEqual([
    '2028-02-29T03:00 due 2028-02-29T03:00',
    '2028-03-01T03:00 due 2028-03-01T03:00',
    '2028-03-02T03:00 due 2028-03-02T03:00',
  ]);
  schedule.onModuleDestroy();
  const before = wanted.length;
  await vi.advanceTimersByTimeAsync(48 * HOUR);
  expect(wanted).toHaveLength(before);
});

test('the timetable is that of GW_DAILY_CRON, in UTC', async () => {
  const { schedule, wanted } = scheduled({ GW_DAILY_CRON: '15 23 28 * *' });
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(wanted).toEqual(['2028-02-28T23:15 due 2028-02-28T23:15']);
  schedule.onModuleDestroy();
});
