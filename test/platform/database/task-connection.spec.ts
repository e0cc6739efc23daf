import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TaskConnection } from '../../../src/platform/database/task-connection.js';
import { createEmptyDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { FaultProxy } from '../../support/fault-proxy.js';
import { until } from '../../support/until.js';

const TERMS = { name: 'own-connection-spec', statementMsMax: 60_000 };
const OURS = `select query from pg_stat_activity where application_name = '${TERMS.name}' and datname = current_database()`;
const NEVER = new AbortController().signal;

let scratch: ScratchDatabase;
let observer: Client;
beforeAll(async () => {
  scratch = await createEmptyDatabase();
  observer = new Client({ connectionString: scratch.url });
  await observer.connect();
});
afterAll(async () => {
  await observer.end();
  await scratch.drop();
});

const none = async () => (await observer.query(OURS)).rows.length === 0;
const at = (query: string) => async () =>
  (await observer.query<{ query: string }>(OURS)).rows.some((row) => row.query === query);

describe('TaskConnection.during', () => {
  test('the connection has the given timeouts and settings, and the result is returned', async () => {
    const terms = { ...TERMS, statementMsMax: 1234, session: { lock_timeout: '567', jit: 'off' } };
    const settings = ['statement_timeout', 'lock_timeout', 'jit', 'TimeZone', 'idle_session_timeout'];
    const outcome = await TaskConnection.during(scratch.url, terms, NEVER, (connection) =>
      connection.query<{ at: string }>('select current_setting(name) as at from unnest($1::text[]) name', [settings]),
    );
    expect(outcome.map((row) => row.at)).toEqual(['1234ms', '567ms', 'off', 'UTC', '0']);
    await until(none);
  });

  test('the connection is closed if the work throws, and a later abort has no effect', async () => {
    const stop = new AbortController();
    const failing = TaskConnection.during(scratch.url, TERMS, stop.signal, (connection) =>
      connection.query('select 1/0'),
    );
    await expect(failing).rejects.toThrow('division by zero');
    await until(none);
    stop.abort();
  });

  test('an aborted signal ends the connection during a statement', async () => {
    const stop = new AbortController();
    const waiting = TaskConnection.during(scratch.url, TERMS, stop.signal, (connection) =>
      connection.query('select pg_sleep(60)'),
    );
    const cut = expect(waiting).rejects.toThrow('Connection terminated');
    await until(at('select pg_sleep(60)'));
    stop.abort();
    await cut;
    // The server continues to sleep, because it detects a closed connection only when it sends a result.
    await observer.query(OURS.replace('select query', 'select pg_terminate_backend(pid)'));
    await until(none);
  });

  test('the work does not start if the signal aborts while the connection is established', async () => {
    let begun = false;
    const stop = new AbortController();
    const work = TaskConnection.during(scratch.url, TERMS, stop.signal, () => Promise.resolve((begun = true)));
    stop.abort(new Error('too late'));
    await expect(work).rejects.toThrow('too late');
    expect(begun).toBe(false);
    await until(none);
  });
});

test('a connection remains usable after a statement timeout', async () => {
  const outcome = TaskConnection.during(scratch.url, { ...TERMS, statementMsMax: 50 }, NEVER, async (connection) => {
    await expect(connection.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    return connection.query<{ one: number }>('select 1 as one');
  });
  expect(await outcome).toEqual([{ one: 1 }]);
});

test('a connection to a silent server is closed and not re-established', async () => {
  const proxy = await FaultProxy.start(scratch.url);
  const connection = await TaskConnection.open(proxy.url, { ...TERMS, statementMsMax: 1 });
  proxy.hang();
  await expect(connection.query('select 1')).rejects.toThrow('The database did not respond within the timeout');
  await until(() => connection.lost.aborted);
  proxy.resume();
  await expect(connection.query('select 1')).rejects.toThrow();
  await connection.close();
  await proxy.disconnect();
});

test('TaskConnection.open throws the connection error if the database is unreachable', async () => {
  const proxy = await FaultProxy.start(scratch.url);
  await proxy.disconnect();
  await expect(TaskConnection.open(proxy.url, TERMS)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
