import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
// @ts-expect-error The tools are plain JavaScript.
import { findPgBouncer } from '../../tools/pgbouncer.js';
import { until } from './until.js';

export type PoolMode = 'session' | 'transaction' | 'statement';

const PROGRAM = findPgBouncer() as string | null;
export const PGBOUNCER = PROGRAM !== null;
const UNPRIVILEGED_ID = 65534;

/** A pgbouncer in front of one database. It accepts every client without a password. */
export class PgBouncer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    private readonly settings: Settings,
    private readonly log: { text: string },
  ) {}

  /** @param more further lines of the section `[pgbouncer]` */
  static async start(databaseUrl: string, mode: PoolMode, more: readonly string[] = []): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-pgbouncer-'));
    const settings = { databaseUrl, port: await freePort(), more };
    await writeSettings(folder, settings, mode);
    await chmod(folder, 0o755);
    // pgbouncer does not run as root.
    const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
    const child = spawn(PROGRAM!, [join(folder, 'pgbouncer.ini')], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
    const log = { text: '' };
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log.text += text));
    const pooler = new PgBouncer(child, folder, settings, log);
    await pooler.untilConnected();
    return pooler;
  }

  get url(): string {
    const url = new URL(this.settings.databaseUrl);
    url.host = `127.0.0.1:${this.settings.port}`;
    return url.href;
  }

  /** Changes the mode as an operator does. Connections stay open. */
  async changeMode(mode: PoolMode): Promise<void> {
    await writeSettings(this.folder, this.settings, mode);
    const before = this.log.text.length;
    this.process.kill('SIGHUP');
    await until(() => this.log.text.includes('RELOAD', before) || this.log.text.includes('re-reading', before));
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null) {
      this.process.kill('SIGKILL');
      await once(this.process, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async untilConnected(): Promise<void> {
    await until(async () => {
      if (this.process.exitCode !== null) throw new Error(`pgbouncer ended: ${this.log.text}`);
      const client = new Client({ connectionString: this.url });
      try {
        await client.connect();
        await client.end();
        return true;
      } catch {
        return false;
      }
    });
  }
}

interface Settings {
  readonly databaseUrl: string;
  readonly port: number;
  readonly more: readonly string[];
}

async function writeSettings(folder: string, { databaseUrl, port, more }: Settings, mode: PoolMode): Promise<void> {
  const { hostname, port: serverPort, pathname, username, password } = new URL(databaseUrl);
  const name = decodeURIComponent(pathname.slice(1));
  const quoted = (value: string) => `'${decodeURIComponent(value).replaceAll("'", "''")}'`;
  const target = [
    `host=${hostname}`,
    `port=${serverPort || 5432}`,
    `dbname=${quoted(name)}`,
    `user=${quoted(username)}`,
    ...(password === '' ? [] : [`password=${quoted(password)}`]),
  ];
  const lines = [
    '[databases]',
    `${name} = ${target.join(' ')}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 60',
    'max_client_conn = 300',
    ...more,
    '',
  ];
  await writeFile(join(folder, 'pgbouncer.ini'), lines.join('\n'), { mode: 0o644 });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
