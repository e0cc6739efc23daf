import { expect, test } from '@jest/globals';
import { TestGateway } from '../../support/gateway.js';
import { createEmptyDatabase } from '../../support/scratch-database.js';

test('a gateway that reports ready on an empty database serves its first request', async () => {
  const database = await createEmptyDatabase();
  const gateway = await TestGateway.start({}, { databaseUrl: database.url });
  const ready = await gateway.call('GET', '/health/ready');
  const key = await gateway.createKey();
  const first = await gateway.chat(key);
  await gateway.stop();
  await gateway.upstream.stop();
  await database.drop();
  expect([ready.status, first.status]).toEqual([200, 200]);
});
