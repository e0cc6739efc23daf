import { appendFile, chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres.js';
import { until } from './until.js';

const SETTINGS = {
  max_connections: '60',
  wal_level: 'replica',
  hot_standby: 'on',
  fsync: 'off',
  hot_standby_feedback: 'on',
};

/** A primary and a streaming standby, each with its own data folder. The standby is a copy of the stopped primary. */
export class ReplicatedPostgres {
  private constructor(
    private readonly folder: string,
    private readonly primaryServer: EmbeddedPostgres,
    private readonly standbyServer: EmbeddedPostgres,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-replicated-'));
    // PostgreSQL runs as another user if the tests run as root.
    await chmod(folder, 0o711);
    const [primaryFolder, standbyFolder] = [join(folder, 'primary'), join(folder, 'standby')];
    const start = (dataDir: string) => startEmbeddedPostgres(dataDir, () => undefined, SETTINGS);
    await (await start(primaryFolder)).stop();
    await cp(primaryFolder, standbyFolder, { recursive: true, preserveTimestamps: true });
    const primary = await start(primaryFolder);
    const data = join(standbyFolder, 'postgres');
    await chmod(data, 0o700);
    const { hostname, port, username, password } = new URL(primary.url);
    await appendFile(
      join(data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password} application_name=standby'\n`,
    );
    await appendFile(join(data, 'standby.signal'), '');
    return new ReplicatedPostgres(folder, primary, await start(standbyFolder));
  }

  get primary(): string {
    return this.primaryServer.url;
  }

  get standby(): string {
    return this.standbyServer.url;
  }

  onPrimary<R extends object>(sql: string): Promise<R[]> {
    return query(this.primary, sql);
  }

  onStandby<R extends object>(sql: string): Promise<R[]> {
    return query(this.standby, sql);
  }

  /** Waits until the standby has replayed everything that the primary has written. */
  async replicated(): Promise<void> {
    const [{ lsn }] = (await this.onPrimary<{ lsn: string }>('select pg_current_wal_lsn() as lsn')) as [
      { lsn: string },
    ];
    await until(async () => {
      const [row] = await this.onStandby<{ done: boolean }>(`select pg_last_wal_replay_lsn() >= '${lsn}' as done`);
      return row!.done;
    });
  }

  /** From now on, the standby receives nothing, as with a slow network. A promotion then loses all later changes. */
  async stopReplication(): Promise<void> {
    await this.onStandby(`alter system set primary_conninfo = ''`);
    await this.onStandby('select pg_reload_conf()');
    await until(async () => (await this.onStandby('select from pg_stat_wal_receiver')).length === 0);
  }

  /** The old primary stays writable, as in a split brain. */
  async promote(): Promise<void> {
    await this.onStandby('select pg_promote()');
    await until(async () => {
      const [row] = await this.onStandby<{ standby: boolean }>('select pg_is_in_recovery() as standby');
      return row!.standby === false;
    });
  }

  async drop(): Promise<void> {
    await Promise.all([this.primaryServer.stop(), this.standbyServer.stop()]);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function query<R extends object>(url: string, sql: string): Promise<R[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}
