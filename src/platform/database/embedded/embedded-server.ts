import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { contact, readRunningFile, urlOf } from './server-address.js';
import { type ServerPlan, ServerProcess } from './server-process.js';

const DATABASE = 'gateway';
const OWNER_LOCK = `hashtextextended('gateway-owner', 0)`;
const RECOVER_INTERVAL_MS = 500;
const STOP_TIMEOUT_MS = 20_000;
const STOP_POLL_MS = 50;

/**
 * The server while this process owns it. Ownership is an advisory lock held by a connection, so it ends with the owner's
 * process. A lost server or connection is restored on the same port.
 */
export class EmbeddedServer {
  private owner: Client | null = null;
  private stopping = false;

  /** @param child null for a server that another process started and left behind */
  constructor(
    private readonly plan: ServerPlan,
    private readonly port: number,
    private child: ServerProcess | null,
  ) {}

  get url(): string {
    return urlOf(this.plan.cluster, this.port, DATABASE);
  }

  /** @returns false if another process owns the server; `client` is then closed */
  async own(client: Client): Promise<boolean> {
    const { rows } = await client.query<{ owned: boolean }>(`select pg_try_advisory_lock(${OWNER_LOCK}) as owned`);
    if (rows[0]?.owned !== true) {
      await client.end();
      return false;
    }
    await ensureDatabase(client);
    this.owner = client;
    client.once('end', () => void this.recover());
    return true;
  }

  async stop(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    await this.owner?.end();
    await (this.child ? this.child.stop() : this.stopAdopted());
  }

  private async recover(): Promise<void> {
    this.owner = null;
    while (!this.stopping) {
      try {
        const contacted = await contact(this.plan.cluster, this.port);
        if (contacted.kind === 'connected' && (await this.own(contacted.client))) return;
        if (contacted.kind === 'stranger') await this.relaunch();
      } catch (error) {
        this.plan.log(`The embedded PostgreSQL could not be recovered: ${String(error)}`);
      }
      if (!this.stopping) await pause(RECOVER_INTERVAL_MS);
    }
  }

  private async relaunch(): Promise<void> {
    if (this.stopping) return;
    this.plan.log('The embedded PostgreSQL stopped unexpectedly. Restarting it');
    const child = new ServerProcess(this.plan, this.port);
    this.child = child;
    if (!(await child.whenReady())) this.plan.log(`The embedded PostgreSQL did not restart: ${child.lastWords}`);
  }

  private async stopAdopted(): Promise<void> {
    const { cluster } = this.plan;
    const running = await readRunningFile(cluster);
    // The server on this port accepted the cluster's password, so the process ID in the file is the server's.
    if (running?.port !== this.port) return;
    process.kill(running.pid, 'SIGINT');
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while ((await readRunningFile(cluster)) && Date.now() < deadline) await pause(STOP_POLL_MS);
  }
}

async function ensureDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`create database ${DATABASE}`);
}
