import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KeysDatabase } from './keys-database.js';

let db: KeysDatabase;
beforeAll(async () => {
  db = await KeysDatabase.create();
});
afterAll(() => db.close());

test('the entity says what the migration made: generating a migration finds nothing to do', async () => {
  const { upQueries } = await db.source.driver.createSchemaBuilder().log();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});
