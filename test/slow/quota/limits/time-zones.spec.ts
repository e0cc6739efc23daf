import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import type { Database } from '../../../../src/platform/database/database.service.js';
import { ZoneCheck } from '../../../../src/quota/limits/zone-check.service.js';
import { addLimit } from '../../../support/limit-rows.js';
import { QuotaDatabase } from '../../../support/quota-database.js';

type Period = 'day' | 'week' | 'month';

let database: QuotaDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await QuotaDatabase.create();
  source = await new DataSource({ type: 'postgres', url: database.url, installExtensions: false }).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

interface Bounds {
  readonly start: number;
  readonly end: number;
}

interface Sample extends Bounds {
  readonly ms: number;
  /** Offsets from UTC at the sample, at the start and at the end, in seconds. PostgreSQL reads them from the zone itself. */
  readonly offsets: readonly number[];
}

const next = (period: Period) => (period === 'day' ? { days: 1 } : period === 'week' ? { days: 7 } : { months: 1 });

function firstDay(period: Period, day: Temporal.PlainDate): Temporal.PlainDate {
  if (period === 'day') return day;
  return period === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });
}

/** The period around an instant, by Temporal alone. */
function boundsOf(period: Period, zone: string, ms: number): Bounds {
  const day = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  const first = firstDay(period, day);
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds;
  return { start: startOf(first), end: startOf(first.add(next(period))) };
}

const offsetIn = (zone: string, ms: number): number =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 1e9;

function isKnownToNode(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== null;
  } catch {
    return false;
  }
}

/** The data of the two can differ for some years of a zone. */
const isSameData = (zone: string, { ms, start, end, offsets }: Sample): boolean =>
  [ms, start, end].every((each, i) => offsetIn(zone, each) === offsets[i]);

async function zonesOfBoth(): Promise<string[]> {
  const { rows } = await database.client.query<{ name: string }>('select name from pg_timezone_names order by name');
  return rows.map(({ name }) => name).filter((name) => !/^(posix|right)\//.test(name) && isKnownToNode(name));
}

describe('the periods of all time zones', () => {
  test('period starts match an independent calendar, on days with and without a change of clocks', async () => {
    const zones = await zonesOfBoth();
    expect(zones.length).toBeGreaterThan(400);
    const compared = new Set<string>();
    const wrong: string[] = [];
    for (const zone of zones) {
      await database.client.query(`select set_config('TimeZone', $1, false)`, [zone]);
      const { rows } = await database.client.query<Sample & { period: Period }>(SAMPLES, [zone]);
      for (const { period, ...sample } of rows.filter((row) => isSameData(zone, row))) {
        const { start, end } = boundsOf(period, zone, sample.ms);
        if (start !== sample.start || end !== sample.end)
          wrong.push(`${period} in ${zone} at ${new Date(sample.ms).toISOString()}`);
        compared.add(zone);
      }
    }
    await database.client.query('reset TimeZone');
    expect(wrong).toEqual([]);
    expect(compared.size).toBe(zones.length);
  });

  test.each<[Period, string, string, string, string]>([
    // Clocks go back from 1:00 to 0:00, so midnight occurs twice.
    ['day', 'America/Havana', '2027-11-07T03:30Z', '2027-11-06T04:00Z', '2027-11-07T04:00Z'],
    ['day', 'America/Havana', '2027-11-07T04:28Z', '2027-11-07T04:00Z', '2027-11-08T05:00Z'],
    ['day', 'America/Havana', '2027-11-07T05:28Z', '2027-11-07T04:00Z', '2027-11-08T05:00Z'],
    ['day', 'Atlantic/Azores', '2027-10-31T00:30Z', '2027-10-31T00:00Z', '2027-11-01T01:00Z'],
    // Clocks go forward from 0:00 to 1:00, so midnight does not occur.
    ['day', 'America/Havana', '2027-03-14T12:00Z', '2027-03-14T05:00Z', '2027-03-15T04:00Z'],
    ['day', 'Asia/Beirut', '2027-03-28T12:00Z', '2027-03-27T22:00Z', '2027-03-28T21:00Z'],
    // Clocks change by half an hour, by two hours, or not in Ramadan.
    ['day', 'Australia/Lord_Howe', '2027-04-03T20:00Z', '2027-04-03T13:00Z', '2027-04-04T13:30Z'],
    ['week', 'Antarctica/Troll', '2027-10-30T12:00Z', '2027-10-24T22:00Z', '2027-11-01T00:00Z'],
    // The zones are far from UTC, or skip a whole day.
    ['month', 'Pacific/Kiritimati', '2027-12-31T10:30Z', '2027-12-31T10:00Z', '2028-01-31T10:00Z'],
    ['day', 'Pacific/Apia', '2011-12-30T09:00Z', '2011-12-29T10:00Z', '2011-12-30T10:00Z'],
    // PostgreSQL reads these names as abbreviations with the same offset all year.
    ['day', 'CET', '2027-07-10T12:00Z', '2027-07-09T22:00Z', '2027-07-10T22:00Z'],
    ['day', 'MET', '2027-07-10T22:30Z', '2027-07-10T22:00Z', '2027-07-11T22:00Z'],
    ['month', 'EET', '2027-07-31T20:59Z', '2027-06-30T21:00Z', '2027-07-31T21:00Z'],
    ['week', 'WET', '2027-07-10T12:00Z', '2027-07-04T23:00Z', '2027-07-11T23:00Z'],
    ['day', 'EST', '2027-07-10T12:00Z', '2027-07-10T05:00Z', '2027-07-11T05:00Z'],
  ])('a %s in %s around %s has the right start and end', async (period, zone, at, start, end) => {
    const { rows } = await database.client.query<{ start: Date; end: Date }>(
      `select to_timestamp(limit_period_start($1, $2, $3) / 1e6) as start, to_timestamp(limit_period_end($1, $2, $3) / 1e6) as end`,
      [period, zone, at],
    );
    expect(rows).toEqual([{ start: new Date(start), end: new Date(end) }]);
  });
});

describe('the check of time zones', () => {
  const check = () => new ZoneCheck(source, null as unknown as Database, new SchedulerRegistry());
  const warnings = async (work: ZoneCheck) => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const differing = await work.run();
    const messages = warned.mock.calls.map(([message]) => String(message));
    warned.mockRestore();
    return { differing, messages };
  };

  test('a time zone of a limit is logged once if PostgreSQL and Node disagree about it', async () => {
    const work = check();
    await addLimit(database.client, { period: 'day', zone: 'Asia/Tokyo' });
    expect(await warnings(work)).toEqual({ differing: [], messages: [] });
    const limit = await addLimit(database.client, { period: 'day', zone: 'Asia/Kolkata' });
    // As if the database had other data of this zone.
    await database.client.query('create schema other_zones');
    await database.client.query(
      `create function other_zones.limit_period_start(per text, zone text, at timestamptz) returns bigint language sql as
         $$ select public.limit_period_start(per, zone, at) + case zone when 'Asia/Kolkata' then 3600000000 else 0 end $$`,
    );
    await source.query('set search_path = other_zones, public');
    expect(await warnings(work)).toEqual({
      differing: ['Asia/Kolkata'],
      messages: [expect.stringMatching(/different data for the time zones Asia\/Kolkata\..* follow PostgreSQL/)],
    });
    expect((await warnings(work)).messages).toEqual([]);
    await database.client.query('update limits set enabled = false where id = $1', [limit]);
    expect((await warnings(work)).differing).toEqual([]);
  });
});

/** Around each change of clocks, and on some other days. */
const SAMPLES = `
with days as (
  select at, date_part('timezone', at) as zone_offset
    from generate_series(timestamptz '2025-01-01 00:30Z', '2031-01-01Z', interval '24 hours') as at
), chosen as (
  select at, zone_offset, row_number() over w as n,
         zone_offset <> lag(zone_offset) over w or zone_offset <> lead(zone_offset) over w as changes
    from days window w as (order by at)
)
select period, date_part('epoch', at) * 1000 as ms, b.start / 1000.0::float8 as start, b.end / 1000.0::float8 as end,
       array[zone_offset, date_part('timezone', to_timestamp(b.start / 1e6)), date_part('timezone', to_timestamp(b.end / 1e6))] as offsets
  from chosen
 cross join unnest(array['day', 'week', 'month']) as period
 cross join lateral (select limit_period_start(period, $1, at) as start, limit_period_end(period, $1, at) as end) b
 where changes or n % case period when 'day' then 31 else 151 end = 0`;
