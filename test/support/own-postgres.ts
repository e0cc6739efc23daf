import { mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres.js';
import { until } from './until.js';
import { FaultProxy } from './fault-proxy.js';

const START_MS_MAX = 60_000;
export const CONNECTIONS = 40;
const SETTINGS = { max_connections: String(CONNECTIONS), fsync: 'off' };

/** A separate PostgreSQL behind a proxy that a test can suspend, kill and restart. Linux only. */
export class OwnPostgres {
  private constructor(
    private readonly folder: string,
    private readonly server: EmbeddedPostgres,
    readonly proxy: FaultProxy,
  ) {}

  /** @param place parent of the data folder */
  static async start(place = tmpdir()): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(place, 'gateway-outage-'));
    const server = await startEmbeddedPostgres(folder, () => undefined, SETTINGS);
    return new OwnPostgres(folder, server, await FaultProxy.start(server.url));
  }

  get url(): string {
    return this.proxy.url;
  }

  /** Connects directly to the server, for the test itself. */
  async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.server.url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async query<R extends object>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    const client = await this.connect();
    try {
      return (await client.query<R>(sql, parameters)).rows;
    } finally {
      await client.end();
    }
  }

  hang(): Promise<void> {
    return this.signal('SIGSTOP');
  }

  goOn(): Promise<void> {
    return this.signal('SIGCONT');
  }

  /** Kills the server, as in a power failure, and rejects connections until `startAgain`. */
  async crash(): Promise<void> {
    await this.signal('SIGKILL');
    await this.proxy.disconnect();
  }

  /** Waits until the embedded server has restarted automatically and recovered, and then accepts connections again. */
  async startAgain(): Promise<void> {
    await until(
      () =>
        this.query('select 1').then(
          () => true,
          () => false,
        ),
      START_MS_MAX,
    );
    await this.proxy.reconnect();
  }

  async drop(): Promise<void> {
    await this.goOn();
    await this.proxy.disconnect().catch(() => undefined);
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  private async signal(signal: NodeJS.Signals): Promise<void> {
    for (const pid of await this.processes()) {
      try {
        process.kill(pid, signal);
      } catch {}
    }
  }

  /** Finds the processes by their working directory, which is the data folder. */
  private async processes(): Promise<number[]> {
    const folder = await realpath(this.folder);
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      pids.map((pid) =>
        readlink(`/proc/${pid}/cwd`).then(
          (cwd) => cwd.startsWith(folder),
          () => false,
        ),
      ),
    );
    return pids.filter((_, at) => found[at]).map(Number);
  }
}
