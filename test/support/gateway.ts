import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/start/app.factory.js';
import { Config } from '../../src/platform/config/config.js';
import { Database } from '../../src/platform/database/database.service.js';
import { Readiness } from '../../src/start/health/readiness.service.js';
import { createScratchDatabase } from './scratch-database.js';
import { startUpstream, type ScriptedUpstream } from './scripted-upstream.js';
import { until } from './until.js';

export const ADMIN_KEY = 'admin_gw_cbd07e340fed93d7593b665c125018b03c10bdf86c175729';
export const SECRET_KEY = 'TyyIf6mT3WnBOczH+K0Lq9FDlGSAoX4fkkFRRblXIS0=';
export const UPSTREAM_KEY = 'upstream-credential-of-the-account';

export interface Response<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

export interface Key {
  readonly id: string;
  readonly key: string;
}

/** The whole application in this process, with a scratch database and a scripted upstream, listening on a free port. */
export class TestGateway {
  private constructor(
    private running: NestFastifyApplication | undefined,
    readonly url: string,
    readonly upstream: ScriptedUpstream,
    readonly databaseUrl: string,
    private readonly drop: () => Promise<void>,
  ) {}

  get app(): NestFastifyApplication {
    if (this.running === undefined) throw new Error('The gateway has stopped');
    return this.running;
  }

  /**
   * @param env settings by the names of their environment variables
   * @param given a shared upstream or database; without it a new one is created
   */
  static async start(
    env: Record<string, string> = {},
    given: { upstream?: ScriptedUpstream; databaseUrl?: string } = {},
  ) {
    const upstream = given.upstream ?? (await startUpstream());
    const scratch = given.databaseUrl === undefined ? await createScratchDatabase() : undefined;
    const databaseUrl = given.databaseUrl ?? scratch!.url;
    const config = Config.from({
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      // Each connection costs 15 ms of CPU time.
      GW_DATABASE_POOL: '4',
      GW_UPSTREAM_BASE_URL: upstream.url,
      GW_UPSTREAM_API_KEY: UPSTREAM_KEY,
      GW_ADMIN_KEY: ADMIN_KEY,
      GW_LOG_SAMPLE_RATE: '1',
      GW_VERSION: 'test',
      LOG_LEVEL: 'silent',
      ...env,
    });
    const app = await createApp(config);
    await app.listen(0, '127.0.0.1');
    await app.get(Database).whenReady();
    await until(() => app.get(Readiness).ready().database !== 'connecting');
    const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    return new TestGateway(app, url, upstream, databaseUrl, async () => {
      if (given.upstream === undefined) await upstream.stop();
      await scratch?.drop();
    });
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async stop(): Promise<void> {
    const { app } = this;
    app.getHttpServer().closeAllConnections();
    await app.close();
    // Node never unloads a spec file, so its variables would keep the application in memory. Each one takes 3 MB.
    this.running = undefined;
    await this.drop();
  }

  /** Sends an object as JSON, and text and bytes unchanged. */
  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    { key, headers = {}, body, form, signal }: CallOptions = {},
  ): Promise<Response<T>> {
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${typeof key === 'string' ? key : key.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: form ?? ((raw ? body : JSON.stringify(body)) as RequestInit['body']),
      signal,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) as T };
  }

  admin<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Response<T>> {
    return this.call<T>(method, path, { key: ADMIN_KEY, body });
  }

  async createKey(fields: Record<string, unknown> = {}): Promise<Key & Record<string, unknown>> {
    const response = await this.admin<Key & Record<string, unknown>>('POST', '/admin/api-keys', {
      name: 'test',
      rpm_limit: 1_000_000,
      rpd_limit: 1_000_000,
      ...fields,
    });
    if (response.status !== 201) throw new Error(`The key was not created: ${response.status} ${response.text}`);
    return response.body;
  }

  chat(key: Key | string, fields: Record<string, unknown> = {}, options: CallOptions = {}): Promise<Response> {
    return this.call('POST', '/v1/chat/completions', {
      key,
      body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }], ...fields },
      ...options,
    });
  }
}

interface CallOptions {
  readonly key?: Key | string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Sent instead of a body, as `multipart/form-data`. */
  readonly form?: FormData;
  readonly signal?: AbortSignal;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
