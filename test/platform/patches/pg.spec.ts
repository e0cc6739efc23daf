import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client, type ClientConfig } from 'pg';
import { onErrorCode } from '../../../src/platform/patches/pg-error-codes.js';
import { closeIfSilent, isIdle } from '../../../src/platform/patches/pg-silent-server.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

const HANG = 'select pg_sleep(600)';

let scratch: ScratchDatabase;
let client: Client;

beforeAll(async () => {
  scratch = await createScratchDatabase();
});
afterAll(() => scratch.drop());

afterEach(() => client.end());

async function connect(options: ClientConfig = {}): Promise<void> {
  client = new Client({ connectionString: scratch.url, ...options });
  client.on('error', () => undefined);
  await client.connect();
}

test('is still needed: after a timeout of pg, the next statement waits behind the hanging one', async () => {
  await connect({ query_timeout: 50 });
  await expect(client.query(HANG)).rejects.toThrow('timeout');
  expect(isIdle(client)).toBe(false);
  await expect(client.query('select 1')).rejects.toThrow('timeout');
});

test('a connection is closed if the server is silent during a statement', async () => {
  await connect();
  closeIfSilent(client, 100);
  await expect(client.query(HANG)).rejects.toThrow('The database did not respond within 100 ms');
});

test('is still needed: pg emits no event for the error of a statement', async () => {
  await connect();
  const events: unknown[] = [];
  for (const event of ['error', 'notice', 'end'] as const) client.on(event as 'error', (found) => events.push(found));
  await expect(client.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
  expect(events).toEqual([]);
});

test('server errors with the given code are reported', async () => {
  await connect();
  let reported = 0;
  onErrorCode(client, '22012', () => reported++);
  await expect(client.query('select nothing')).rejects.toMatchObject({ code: '42703' });
  expect(reported).toBe(0);
  await expect(client.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
  expect(reported).toBe(1);
});
