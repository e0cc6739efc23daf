import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, DatabaseError } from 'pg';
import { SUPERUSER, type Cluster } from './cluster-files.js';

const CONNECT_TIMEOUT_MS = 1000;
const CANNOT_CONNECT_NOW = '57P03';

interface RunningFile {
  readonly pid: number;
  readonly port: number;
}

/** Reads `postmaster.pid`, which a running server keeps in its folder: line 1 is the process ID, line 4 the port. */
export async function readRunningFile(cluster: Cluster): Promise<RunningFile | null> {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port } : null;
}

export function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/**
 * - `busy`: a server is starting or stopping, or did not respond in time.
 * - `stranger`: nothing is listening, or it is not the server of this cluster.
 */
type Contact = { readonly kind: 'connected'; readonly client: Client } | { readonly kind: 'busy' | 'stranger' };

/** Connects with the cluster's password, which only its own server accepts. */
export async function contact(cluster: Cluster, port: number, database = 'postgres'): Promise<Contact> {
  const client = new Client({
    connectionString: urlOf(cluster, port, database),
    application_name: 'gateway-owner',
    // PGSSLMODE is for the server of DATABASE_URL.
    ssl: false,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { kind: 'connected', client };
  } catch (error) {
    await client.end().catch(() => undefined);
    const busy = error instanceof DatabaseError ? error.code === CANNOT_CONNECT_NOW : isTimeout(error);
    return { kind: busy ? 'busy' : 'stranger' };
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
