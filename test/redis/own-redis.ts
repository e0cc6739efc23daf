import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { until } from '../support/until.js';

const PROGRAMS = ['redis-server', 'valkey-server'];
const program = process.env.TEST_REDIS_URL && PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0);

/** For specs that stop and start a server of their own: skipped, and reported as such, where its program is not there. */
export const describeWithOwnRedis = program ? describe : describe.skip;

/** A Redis or Valkey that keeps nothing on disk, to be stopped, killed and started again on a port that stays. */
export class OwnRedis {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly options: readonly string[],
  ) {}

  static async start(...options: string[]): Promise<OwnRedis> {
    const redis = new OwnRedis(await freePort(), await mkdtemp(join(tmpdir(), 'gateway-redis-')), options);
    await redis.startAgain();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Empty. */
  async startAgain(): Promise<void> {
    const where = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder];
    const memoryOnly = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0'];
    this.child = spawn(program as string, [...where, ...memoryOnly, ...this.options], { stdio: 'ignore' });
    await until(() => this.answers(), 10_000);
  }

  /** SIGSTOP makes it hang; SIGCONT lets it go on. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async drop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write('PING\r\n'));
      socket.once('data', (data) => {
        resolve(data.toString().startsWith('+PONG'));
        socket.destroy();
      });
      socket.once('error', () => resolve(false));
    });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
