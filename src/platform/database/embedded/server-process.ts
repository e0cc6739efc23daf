import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import type { Cluster } from './cluster-files.js';
import type { RunAs } from './run-as.js';
import { contact } from './server-address.js';

const READY_TIMEOUT_MS = 120_000;
const READY_POLL_MS = 20;
const START_LINES_MAX = 50;
/** A fast shutdown writes all data to disk first. After this time the server is considered hung. */
const FAST_SHUTDOWN_TIMEOUT_MS = 20_000;

/** Memory and disk limits are small, because the server shares the machine with the gateway and other programs. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '16MB',
  max_connections: '100',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // By default the server logs every failed statement. The gateway logs those that matter.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

export class ServerProcess {
  private readonly child: ChildProcess;
  private readonly startLines: string[] = [];
  private ready = false;
  private stopping = false;
  readonly ended: Promise<void>;
  private hasEnded = false;

  constructor(
    private readonly plan: ServerPlan,
    private readonly port: number,
  ) {
    const { cluster, binaries, runAs } = plan;
    const settings = Object.entries({ ...SETTINGS, port: String(port), ...plan.settings });
    const args = ['-D', cluster.folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const run = runAs.run(binaries.postgres, args, true);
    // The server has its own process group, so that Ctrl-C does not stop it before the gateway has written its buffered rows.
    this.child = spawn(run.file, run.args, { ...run.options, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.hasEnded = true;
        resolve();
      };
      this.child.once('close', end);
      this.child.once('error', end);
    });
    this.listen(plan.log);
  }

  /** Returns false if the server did not become ready and has been stopped. `lastWords` then contains its output. */
  async whenReady(): Promise<boolean> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!this.hasEnded && Date.now() < deadline) {
      const contacted = await contact(this.plan.cluster, this.port);
      if (contacted.kind === 'connected') {
        await contacted.client.end();
        this.ready = true;
        return true;
      }
      await pause(READY_POLL_MS);
    }
    await this.stop();
    return false;
  }

  get lastWords(): string {
    return this.startLines.join('\n');
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.child.ref();
    this.child.kill('SIGINT');
    const timer = setTimeout(() => this.child.kill('SIGQUIT'), FAST_SHUTDOWN_TIMEOUT_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private listen(log: (line: string) => void): void {
    const { stderr } = this.child;
    if (!stderr) return;
    createInterface({ input: stderr }).on('line', (line) => {
      if (!this.ready) {
        this.startLines.push(line);
        this.startLines.splice(0, this.startLines.length - START_LINES_MAX);
      } else if (!this.stopping) {
        log(line);
      }
    });
    // Neither the child nor its output keeps this process alive. The caller stops the child.
    this.child.unref();
    (stderr as unknown as { unref?: () => void }).unref?.();
  }
}

export interface ServerPlan {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}
