import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { contact, readRunningFile, urlOf } from './server-address.js';
import { type ServerPlan, ServerProcess } from './server-process.js';

const DATABASE = 'gateway';
const OWNER_LOCK = `hashtextextended('gateway-owner', 0)`;
const LOOK_AGAIN_MS = 500;
const STOP_MS_MAX = 20_000;
const STOP_LOOK_MS = 50;

/**
 * The server while this process owns it. Owning it is a lock in the server itself, held by a connection: gone in the
 * moment its owner dies, however he does. Where server or connection die, both are made again on the same port.
 */
export class EmbeddedServer {
  private owner: Client | null = null;
  private stopping = false;

  /** @param child null for a server that another process had started and left behind */
  constructor(
    private readonly plan: ServerPlan,
    private readonly port: number,
    private child: ServerProcess | null,
  ) {}

  get url(): string {
    return urlOf(this.plan.cluster, this.port, DATABASE);
  }

  /** @returns false where another process owns it; `client` is ended then */
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

  /** Fast shutdown: open transactions are rolled back, all that was committed is on the disk. */
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
        const answer = await contact(this.plan.cluster, this.port);
        if (answer.kind === 'connected' && (await this.own(answer.client))) return;
        if (answer.kind === 'stranger') await this.launchAgain();
      } catch (error) {
        this.plan.log(`The embedded PostgreSQL could not be taken over again: ${String(error)}`);
      }
      if (!this.stopping) await pause(LOOK_AGAIN_MS);
    }
  }

  private async launchAgain(): Promise<void> {
    if (this.stopping) return;
    this.plan.log('The embedded PostgreSQL has ended by itself; starting it again');
    const child = new ServerProcess(this.plan, this.port);
    this.child = child;
    if (!(await child.whenReady())) this.plan.log(`The embedded PostgreSQL did not start: ${child.lastWords}`);
  }

  private async stopAdopted(): Promise<void> {
    const { cluster } = this.plan;
    const running = await readRunningFile(cluster);
    // It answered to the cluster's password on the port that this file names: the file is its own, and so is the pid.
    if (running?.port !== this.port) return;
    process.kill(running.pid, 'SIGINT');
    const deadline = Date.now() + STOP_MS_MAX;
    while ((await readRunningFile(cluster)) && Date.now() < deadline) await pause(STOP_LOOK_MS);
  }
}

async function ensureDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`create database ${DATABASE}`);
}
