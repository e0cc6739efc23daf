import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.js';

import { ADMIN_KEY, SECRET_KEY, UPSTREAM_KEY, type Response, type Key } from './gateway.js';
import { gatewayProgram, programEnv } from './programs.js';

interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A start takes 2 s on an idle machine. */
const START_MS_MAX = 60_000;

/** Matches the log line that contains the address in production. */
const LISTENING = /^\{.*"url":"(http:[^"]+?)\/?".*"msg":"Listening"\}\n/m;

/** A gateway in a separate process, started like `node dist/src/main.js`, but from the sources. */
export class GatewayProcess {
  private static readonly all = new Set<GatewayProcess>();
  /** Resolves when the process has ended and all of its output has been read. */
  readonly ended: Promise<ProcessEnd>;
  stdout = '';
  stderr = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly dataDir: string,
  ) {
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    GatewayProcess.all.add(this);
  }

  /**
   * Starts a process with these settings, a free port and a temporary data folder. It does not inherit the environment of the
   * tests. It leads a process group, as on a terminal.
   */
  static launch(env: Record<string, string> = {}): GatewayProcess {
    const dataDir = env.GW_DATA_DIR ?? mkdtempSync(join(tmpdir(), 'gateway-'));
    const child = spawn(process.execPath, gatewayProgram(), {
      env: { ...programEnv(), PORT: '0', GW_DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    return new GatewayProcess(child, dataDir);
  }

  /** Starts a process with test secrets and waits until it is ready. `env` needs DATABASE_URL and GW_UPSTREAM_BASE_URL. */
  static async start(env: Record<string, string>): Promise<GatewayProcess> {
    const gateway = GatewayProcess.launch({ ...TEST_SETTINGS, ...env });
    await gateway.whenReady();
    return gateway;
  }

  /** Kills all processes that are still running, in `afterEach` and `afterAll`. */
  static async endAll(): Promise<void> {
    await Promise.all([...GatewayProcess.all].map((gateway) => gateway.remove()));
  }

  /**
   * Stops reading stdout, so that its pipe fills up.
   * @param closed closes the pipe instead
   */
  readNoMore(closed = false): void {
    if (closed) this.child.stdout?.destroy();
    else this.child.stdout?.pause();
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** @throws if the gateway has not printed its address yet */
  get url(): string {
    const url = /^ *Gateway +(http:\S+)\/v1$/m.exec(this.stdout)?.[1] ?? LISTENING.exec(this.stdout)?.[1];
    if (url === undefined) throw new Error('The gateway has not announced its address');
    return url;
  }

  whenListening(): Promise<void> {
    return this.inTime(async () => /^ *Health .*\n/m.test(this.stdout) || LISTENING.test(this.stdout));
  }

  async whenReady(): Promise<void> {
    await this.whenListening();
    const isReady = () =>
      this.call('GET', '/health/ready').then(
        ({ status }) => status === 200,
        () => false,
      );
    await this.inTime(isReady);
  }

  /** @param toGroup sends the signal to the whole process group, as Ctrl-C does */
  signal(signal: NodeJS.Signals, toGroup = false): void {
    process.kill(toGroup ? -this.pid : this.pid, signal);
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessEnd> {
    this.signal(signal);
    return this.ended;
  }

  kill(): Promise<ProcessEnd> {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  async call<T = Record<string, unknown>>(method: string, path: string, options: Call = {}): Promise<Response<T>> {
    const { key, body, signal } = options;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as T };
  }

  admin<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Response<T>> {
    return this.call<T>(method, `/admin/api-keys${path}`, { key: ADMIN_KEY, body });
  }

  async createKey(fields: Record<string, unknown> = {}): Promise<Key> {
    const limits = { rpm_limit: 1_000_000, rpd_limit: 1_000_000 };
    const { status, text, body } = await this.admin<Key & Record<string, unknown>>('POST', '', {
      name: 'test',
      ...limits,
      ...fields,
    });
    if (status !== 201) throw new Error(`The key was not created: ${status} ${text}`);
    return { id: body.id, key: body.key };
  }

  chat(key: string, fields: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Response> {
    const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }], ...fields };
    return this.call('POST', '/v1/chat/completions', { key, body, signal });
  }

  private async inTime(isSo: () => Promise<boolean>): Promise<void> {
    let end: ProcessEnd | undefined;
    void this.ended.then((how) => (end = how));
    try {
      await until(async () => end !== undefined || (await isSo()), START_MS_MAX);
    } catch (error) {
      throw new Error(`The gateway did not start in time:\n${this.stdout}${this.stderr}`, { cause: error });
    }
    if (end !== undefined) throw new Error(`The gateway ended with ${end.code ?? end.signal}:\n${this.stderr}`);
  }

  private async remove(): Promise<void> {
    await this.kill();
    GatewayProcess.all.delete(this);
    // An embedded database might still be shutting down in the folder.
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

interface Call {
  readonly key?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export const TEST_SETTINGS = {
  NODE_ENV: 'test',
  GW_ADMIN_KEY: ADMIN_KEY,
  GW_SECRET_KEY: SECRET_KEY,
  GW_UPSTREAM_API_KEY: UPSTREAM_KEY,
  LOG_LEVEL: 'warn',
};
