import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

const FILES = globSync('src/**/functions/*.sql').sort();
/** Earlier versions, which the release before calls. */
const OF_EARLIER_RELEASES = [
  'limits_admit_1',
  'limits_admit_2',
  'limits_admit_one_1',
  'limits_settle_1',
  'limits_settle_2',
];

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

/** Each function's definition without comments and layout, which can change without a migration. */
async function definitions(): Promise<Record<string, string>> {
  const { rows } = await client.query<{ signature: string; text: string }>(`
    select oid::regprocedure::text as signature, pg_get_functiondef(oid) as text
      from pg_proc where pronamespace = 'public'::regnamespace`);
  return Object.fromEntries(rows.map(({ signature, text }) => [signature, normalized(text)]));
}

const normalized = (text: string): string => text.replace(/--.*/g, '').replace(/\s+/g, ' ').trim();

async function definitionsWith(sql: string): Promise<Record<string, string>> {
  await client.query('begin');
  try {
    await client.query(sql);
    return await definitions();
  } finally {
    await client.query('rollback');
  }
}

describe('functions of the database', () => {
  test.each(FILES)('the migrated database has the function of %s', async (file) => {
    expect(await definitionsWith(readFileSync(file, 'utf8'))).toEqual(await definitions());
  });

  test('every function has a file', async () => {
    const names = Object.keys(await definitions()).map((signature) => signature.replace(/\(.*/, ''));
    expect(names.filter((name) => !OF_EARLIER_RELEASES.includes(name)).sort()).toEqual(
      FILES.map((file) => basename(file, '.sql')).sort(),
    );
  });

  test.each([
    ['a rule', "interval '3 hours'", "interval '4 hours'"],
    ['an argument', 'zone text', 'zone text, day date'],
    ['a property', 'stable', 'volatile'],
  ])('a file that changes %s is detected', async (_, old, text) => {
    const file = readFileSync('src/quota/ledger/functions/limit_period_start.sql', 'utf8');
    expect(file).toContain(old);
    expect(await definitionsWith(file.replace(old, text))).not.toEqual(await definitions());
  });
});
