import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KeysDatabase } from './keys-database.js';

let db: KeysDatabase;
beforeAll(async () => {
  db = await KeysDatabase.create();
});
afterAll(() => db.close());

test('the ApiKey entity matches the migrated schema', async () => {
  const { upQueries } = await db.source.driver.createSchemaBuilder().log();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});
