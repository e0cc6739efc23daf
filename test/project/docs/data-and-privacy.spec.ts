import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { RETENTION } from '../../../src/scheduler/retention.data.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

/** The rows of the table of retention times: the tables that a row names, and how long they are kept. */
const ROWS = sectionOf('How long is it kept?')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [names, kept] = line.split('|').slice(1, 3) as [string, string];
    return { tables: [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name!), kept: kept.trim() };
  });

function sectionOf(title: string): string {
  const page = readFileSync('docs/data-and-privacy.md', 'utf8');
  return page.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!;
}

let database: ScratchDatabase;
let client: Client;
beforeAll(async () => {
  database = await createScratchDatabase();
  client = new Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('the page states once for every table how long its rows are kept', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const documented = ROWS.flatMap(({ tables }) => tables);
  expect(documented.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test.each(RETENTION.map(({ table, days }) => [table, days] as const))(
  'the page states the retention time of `%s`: %d days',
  (table, days) => {
    const { kept } = ROWS.find(({ tables }) => tables.includes(table))!;
    expect(kept).toMatch(new RegExp(`\\b${days} day`));
  },
);
