import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Config } from '../../../src/platform/config/config.js';
import { connectClient } from '../../../src/platform/database/database-client.js';
import { databaseProblem } from '../../../src/platform/database/database-problem.rules.js';
import { Database } from '../../../src/platform/database/database.service.js';
import { startDatabaseApp } from '../../support/database-app.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

let database: ScratchDatabase;
const servers: { server: Server; sockets: Set<Socket> }[] = [];
beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    if (server.listening) await once(server, 'close');
  }
});

/** Starts a host that accepts connections and never responds. */
async function silentHost(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  servers.push({ server, sockets });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port on which nothing listens. */
const CLOSED = '127.0.0.1:1';

function urlOf(hosts: readonly string[], parameters = ''): string {
  const own = new URL(database.url);
  const credentials = own.username === '' ? '' : `${own.username}${own.password && `:${own.password}`}@`;
  const url = `postgres://${credentials}${hosts.map((host) => host || own.host).join(',')}${own.pathname}?${parameters}`;
  return Config.from({ DATABASE_URL: url }).databaseUrl!;
}

async function connects(url: string): Promise<boolean> {
  const client = await connectClient({ connectionString: url, connectionTimeoutMillis: 60_000 });
  const { rows } = await client.query('select 1 as one');
  await client.end();
  return rows.length === 1;
}

describe('a URL with several hosts', () => {
  test('connections skip hosts that reject them or do not respond within connect_timeout', async () => {
    expect(await connects(urlOf([CLOSED, ''], 'application_name=closed'))).toBe(true);
    const silent = await silentHost();
    expect(await connects(urlOf([silent, CLOSED, ''], 'connect_timeout=1'))).toBe(true);
  });

  test('the error after all hosts have failed names all of them', async () => {
    const url = urlOf([CLOSED, '127.0.0.1:2']);
    const error: unknown = await connectClient({ connectionString: url }).catch((reason: unknown) => reason);
    expect(databaseProblem(error, url).message).toContain('nothing is listening on 127.0.0.1:1, 127.0.0.1:2');
  });

  test('a rejected login ends the search, as in libpq', async () => {
    const missing = new URL(urlOf(['', CLOSED]));
    missing.pathname = '/missing';
    await expect(connectClient({ connectionString: missing.href })).rejects.toMatchObject({ code: '3D000' });
  });

  test('a server of another kind than target_session_attrs is an error with the remedy', async () => {
    const url = urlOf([''], 'target_session_attrs=standby');
    const error: unknown = await connectClient({ connectionString: url }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'GW_SESSION_TARGET' });
    expect(databaseProblem(error, url)).toMatchObject({
      message: expect.stringContaining('the server is a primary, but target_session_attrs is standby'),
      advice: expect.stringContaining('change its target_session_attrs'),
    });
  });

  test.each(['any', 'read-write', 'primary', 'prefer-standby'])('a primary suffices for %s', async (target) => {
    expect(await connects(urlOf([CLOSED, ''], `target_session_attrs=${target}`))).toBe(true);
  });

  test('a primary with read-only sessions suffices for read-only, and not for read-write', async () => {
    const options = `options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
    expect(await connects(urlOf([''], `${options}&target_session_attrs=read-only`))).toBe(true);
    await expect(connects(urlOf([''], `${options}&target_session_attrs=read-write`))).rejects.toMatchObject({
      code: 'GW_SESSION_TARGET',
    });
  });

  test('every connection of a gateway reaches the server', async () => {
    const app = await startDatabaseApp(urlOf([CLOSED, ''], 'target_session_attrs=read-write'), {});
    await app.get(Database).whenReady();
    expect(app.get(Database).state).toBe('ready');
    await app.close();
  });
});
