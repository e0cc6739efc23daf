import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { ListedPrices1790000022400 } from '../../migrations/1790000022400-listed-prices.js';
import { MIGRATIONS } from '../../migrations/all.js';
import { DatabaseClock } from '../support/database-clock.js';
import { addLimit } from '../support/limit-rows.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';

const NOON = Date.UTC(2027, 6, 10, 12);
const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(ListedPrices1790000022400) + 1);

let database: ScratchDatabase;
let client: Client;
let clock: DatabaseClock;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await migrate(before);
  client = new Client({ connectionString: database.url });
  await client.connect();
  clock = await DatabaseClock.install((sql, parameters) => client.query(sql, parameters));
  await DatabaseClock.readOn(client);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function migrate(migrations: typeof MIGRATIONS): Promise<void> {
  const source = await new DataSource({ type: 'postgres', url: database.url, migrations }).initialize();
  await source.runMigrations();
  await source.destroy();
}

/** The counter as an admission at this time finds it. */
async function foundAt(limit: number, ms: number) {
  await clock.put(ms);
  await client.query('select limit_advance(array[$1]::bigint[], $2)', [limit, ms * 1000]);
  const { rows } = await client.query<{ used: number; period: Date; until: Date }>(
    'select used::integer, to_timestamp(period / 1e6) as period, to_timestamp(until / 1e6) as until from limit_counters where limit_id = $1',
    [limit],
  );
  return rows[0]!;
}

test('limits that exist during the upgrade get the right periods, and keep their usage', async () => {
  await clock.put(NOON);
  const summer = await addLimit(client, { period: 'day', zone: 'CET', amount: 100 });
  const utc = await addLimit(client, { period: 'day', amount: 100 });
  const rolling = await addLimit(client, { period: 'rolling_5h', amount: 100 });
  await client.query('update limit_counters set used = 40');
  await client.query('update limit_counters set buckets[(bucket % 60 + 1)::integer] = 40 where limit_id = $1', [
    rolling,
  ]);
  await clock.put(Date.UTC(2027, 10, 7, 3, 57));
  const havana = await addLimit(client, { period: 'day', zone: 'America/Havana', amount: 100 });
  await client.query('update limit_counters set used = 40 where limit_id = $1', [havana]);

  await clock.put(NOON + 60_000);
  await migrate(MIGRATIONS);

  const evening = Date.UTC(2027, 6, 10, 21, 59);
  // The wrong period began at 23:00 UTC. Its usage stays.
  const inSummer = { used: 40, period: new Date('2027-07-09T23:00Z'), until: new Date('2027-07-10T22:00Z') };
  expect(await foundAt(summer, evening)).toEqual(inSummer);
  expect(await foundAt(summer, Date.UTC(2027, 6, 10, 22))).toMatchObject({
    used: 0,
    until: new Date('2027-07-11T22:00Z'),
  });
  expect(await foundAt(utc, evening)).toMatchObject({ used: 40, until: new Date('2027-07-11T00:00Z') });
  expect(await foundAt(rolling, NOON + 5 * 3_600_000 + 299_999)).toMatchObject({ used: 40 });
  expect(await foundAt(rolling, NOON + 5 * 3_600_000 + 300_000)).toMatchObject({ used: 0 });

  // Its day ended at the second midnight.
  expect(await foundAt(havana, Date.UTC(2027, 10, 7, 3, 59))).toMatchObject({
    used: 40,
    until: new Date('2027-11-07T04:00Z'),
  });
  expect(await foundAt(havana, Date.UTC(2027, 10, 7, 4))).toMatchObject({
    used: 0,
    until: new Date('2027-11-08T05:00Z'),
  });
});
