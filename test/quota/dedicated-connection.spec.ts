import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DedicatedConnection } from '../../src/platform/database/dedicated-connection.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { CutProxy } from './cut-proxy.js';
import { until } from '../support/until.js';

let database: ScratchDatabase;
let proxy: CutProxy;
let connection: DedicatedConnection;

beforeAll(async () => {
  database = await createEmptyDatabase();
  proxy = await CutProxy.before(database.url);
});
afterEach(() => connection.stop());
afterAll(async () => {
  proxy.close();
  await database.drop();
});

const OPTIONS = { name: 'a test', session: { statement_timeout: '1234', enable_seqscan: 'off' } };

async function begin(options: Partial<ConstructorParameters<typeof DedicatedConnection>[1]> = {}): Promise<void> {
  connection = new DedicatedConnection(proxy.url, { ...OPTIONS, ...options });
  connection.start();
  await until(() => connection.client !== null);
}

async function pid(client = connection.client): Promise<number> {
  const { rows } = await client!.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

describe('DedicatedConnection', () => {
  test('applies its name and session settings before the first use', async () => {
    await begin();
    const { rows } = await connection.client!.query(
      `select current_setting('application_name') as name, current_setting('statement_timeout') as timeout,
              current_setting('enable_seqscan') as seqscan`,
    );
    expect(rows).toEqual([{ name: 'a test', timeout: '1234ms', seqscan: 'off' }]);
  });

  test('reconnects and runs `onConnect` again after each kind of disconnect', async () => {
    const prepared: number[] = [];
    const lost: Error[] = [];
    await begin({
      onConnect: async (client) => void prepared.push(await pid(client)),
      onLost: (error) => lost.push(error),
    });
    const ends = [
      () => Promise.resolve(proxy.cut()),
      () => connection.client!.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined),
      () => Promise.resolve(connection.destroy(new Error('given up'))),
    ];
    for (const end of ends) {
      const before = lost.length;
      await end();
      await until(() => lost.length > before && connection.client !== null);
    }
    expect(new Set(prepared).size).toBe(4);
    expect(lost.map(({ message }) => message)).toEqual([
      expect.stringContaining('terminated'),
      expect.stringContaining('terminat'),
      'given up',
    ]);
  });

  test('rejects the running query and has no client immediately after `destroy`', async () => {
    await begin();
    const before = await pid();
    const query = connection.client!.query('select pg_sleep(60)');
    connection.destroy(new Error('too slow'));
    expect(connection.client).toBeNull();
    await expect(query).rejects.toThrow('too slow');
    await until(() => connection.client !== null);
    expect(await pid()).not.toBe(before);
  });

  test('retries while the server refuses connections', async () => {
    proxy.refuse(true);
    connection = new DedicatedConnection(proxy.url, OPTIONS);
    connection.start();
    await until(() => connection.lastError !== null);
    expect(connection.client).toBeNull();
    proxy.refuse(false);
    await until(() => connection.client !== null);
  });

  test('reconnects if `onConnect` fails', async () => {
    let attempts = 0;
    await begin({
      onConnect: async () => {
        attempts += 1;
        if (attempts < 3) throw new Error('not yet');
      },
    });
    expect(attempts).toBe(3);
  });

  test('stops while a query is running and while it is connecting', async () => {
    await begin();
    const query = expect(connection.client!.query('select pg_sleep(60)')).rejects.toThrow();
    await connection.stop();
    await query;
    expect(connection.client).toBeNull();

    proxy.hang(true);
    connection = new DedicatedConnection(proxy.url, OPTIONS);
    connection.start();
    await connection.stop();
    proxy.hang(false);
  });
});
