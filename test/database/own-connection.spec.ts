import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TaskConnection } from '../../src/database/task-connection.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { FickleProxy } from '../support/fickle-proxy.js';
import { until } from '../support/until.js';

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

describe('a piece of work on a connection of its own', () => {
  test('has the limits and settings that it names, and its outcome is handed on', async () => {
    const terms = { ...TERMS, statementMsMax: 1234, session: { lock_timeout: '567', jit: 'off' } };
    const settings = ['statement_timeout', 'lock_timeout', 'jit', 'TimeZone', 'idle_session_timeout'];
    const outcome = await TaskConnection.during(scratch.url, terms, NEVER, (connection) =>
      connection.query<{ at: string }>('select current_setting(name) as at from unnest($1::text[]) name', [settings]),
    );
    expect(outcome.map((row) => row.at)).toEqual(['1234ms', '567ms', 'off', 'UTC', '0']);
    await until(none, 5000);
  });

  test('ends its connection where it throws, and leaves nothing listening to the signal', async () => {
    const stop = new AbortController();
    const failing = TaskConnection.during(scratch.url, TERMS, stop.signal, (connection) =>
      connection.query('select 1/0'),
    );
    await expect(failing).rejects.toThrow('division by zero');
    await until(none, 5000);
    stop.abort();
  });

  test('is cut off in the middle of a statement when the signal aborts', async () => {
    const stop = new AbortController();
    const waiting = TaskConnection.during(scratch.url, TERMS, stop.signal, (connection) =>
      connection.query('select pg_sleep(60)'),
    );
    const cut = expect(waiting).rejects.toThrow('Connection terminated');
    await until(at('select pg_sleep(60)'), 5000);
    stop.abort();
    await cut;
    // The server sleeps on: it looks for its client when it has an answer.
    await observer.query(OURS.replace('select query', 'select pg_terminate_backend(pid)'));
    await until(none, 5000);
  });

  test('does not begin where the signal has aborted while the connection was made', async () => {
    let begun = false;
    const stop = new AbortController();
    const work = TaskConnection.during(scratch.url, TERMS, stop.signal, () => Promise.resolve((begun = true)));
    stop.abort(new Error('too late'));
    await expect(work).rejects.toThrow('too late');
    expect(begun).toBe(false);
    await until(none, 5000);
  });
});

test('a statement past its limit fails alone: the connection is used on', async () => {
  const outcome = TaskConnection.during(scratch.url, { ...TERMS, statementMsMax: 50 }, NEVER, async (connection) => {
    await expect(connection.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    return connection.query<{ one: number }>('select 1 as one');
  });
  expect(await outcome).toEqual([{ one: 1 }]);
});

test('a server that says nothing is given up, and the connection is not made anew', async () => {
  const proxy = await FickleProxy.start(scratch.url);
  const connection = await TaskConnection.open(proxy.url, { ...TERMS, statementMsMax: 1 });
  proxy.hang();
  await expect(connection.query('select 1')).rejects.toThrow('The database did not answer within the limit');
  await until(() => connection.lost.aborted, 5000);
  proxy.resume();
  await expect(connection.query('select 1')).rejects.toThrow();
  await connection.close();
  await proxy.goAway();
});

test('where there is no database it throws what connecting failed by', async () => {
  const proxy = await FickleProxy.start(scratch.url);
  await proxy.goAway();
  await expect(TaskConnection.open(proxy.url, TERMS)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
