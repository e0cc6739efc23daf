import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Config } from '../../../src/platform/config/config.js';
import { ModelCatalog } from '../../../src/model-policy/catalog.service.js';
import type { Attempt } from '../../../src/platform/request-context/request-context.js';
import { StatsWriter } from '../../../src/stats/stats-writer.service.js';
import { CircuitBreaker } from '../../../src/upstream/circuit-breaker.js';
import { UpstreamClient } from '../../../src/upstream/upstream-client.js';
import { UpstreamPressure } from '../../../src/upstream/upstream-pressure.js';
import type { Upstream } from '../../../src/upstream/upstream.js';
import { TestGateway } from '../../support/gateway.js';
import { MODELS, chatCompletion } from '../../support/scripted-upstream-responses.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';

/** A field of the file is as in `GW_UPSTREAMS`. The base URL is added. */
interface GivenUpstream {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface RoutedFile {
  readonly upstreams: readonly GivenUpstream[];
  readonly routes?: readonly object[];
  readonly failover_deadline?: number;
}

export interface LoggedRequest {
  readonly key_id: string;
  readonly status: number;
  readonly model: string | null;
  readonly error_code: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly usage_source: string;
  readonly upstream: string | null;
  readonly attempts: readonly Attempt[] | null;
}

const READ_LOG = `
  select key_id, status, model, error_code, input_tokens, output_tokens, usage_source, upstream, attempts
    from request_logs where id = $1`;

/** A gateway in this process with one scripted provider for each upstream of its file. */
export class RoutedGateway {
  private constructor(
    readonly gateway: TestGateway,
    readonly providers: Map<string, ScriptedUpstream>,
    private readonly folder: string,
  ) {}

  static async start(
    file: RoutedFile,
    env: Record<string, string> = {},
    given: { databaseUrl?: string; providers?: ReadonlyMap<string, ScriptedUpstream> } = {},
  ): Promise<RoutedGateway> {
    const providers = new Map(given.providers);
    for (const { name } of file.upstreams) if (!providers.has(name)) providers.set(name, await startUpstream());
    const folder = mkdtempSync(join(tmpdir(), 'upstreams-'));
    const path = join(folder, 'upstreams.json');
    writeFileSync(path, textOf(file, providers));
    const single = { GW_UPSTREAM_BASE_URL: '', GW_UPSTREAM_API_KEY: '' };
    const gateway = await TestGateway.start(
      { ...single, GW_UPSTREAMS: path, ...env },
      { upstream: [...providers.values()][0]!, ...given },
    );
    await until(() => gateway.app.get(ModelCatalog).settled);
    return new RoutedGateway(gateway, providers, folder);
  }

  provider(name: string): ScriptedUpstream {
    return this.providers.get(name)!;
  }

  /** Replaces the file in use, as the file watch does. */
  reload(file: RoutedFile): void {
    writeFileSync(join(this.folder, 'upstreams.json'), textOf(file, this.providers));
    const source = this.gateway.app.get(Config).upstreams!;
    const read = source.read();
    if ('problems' in read) throw new Error(read.problems.join('\n'));
    source.reloads.apply(read.file);
  }

  /** How many requests to this route each provider got. */
  counts(route = 'POST /v1/chat/completions'): Record<string, number> {
    return Object.fromEntries(
      [...this.providers].map(([name, { requests }]) => [name, requests.filter((one) => one.route === route).length]),
    );
  }

  get upstreams(): readonly Upstream[] {
    return this.gateway.app.get(UpstreamClient).all;
  }

  upstream(name: string): Upstream {
    return this.gateway.app.get(UpstreamClient).byName(name)!;
  }

  /**
   * Forgets all requests, failures and rejections, and restores the scripts of the providers.
   * @param now the clock of the pauses and the circuit breakers
   */
  reset(now?: () => number): void {
    for (const provider of this.providers.values()) provider.reset();
    for (const upstream of this.upstreams) {
      forgetPressure(upstream, now);
      Object.assign(upstream, { breaker: new CircuitBreaker(now) });
    }
  }

  /** Waits until no upstream has a running or waiting request. A leaked permit makes it fail. */
  async idle(): Promise<void> {
    await until(() => this.runningNow === 0 && this.upstreams.every(({ permits }) => permits.waiting === 0));
  }

  /** Waits until this many upstream requests run. */
  async running(count: number): Promise<void> {
    await until(() => this.runningNow === count);
  }

  get runningNow(): number {
    const { app } = this.gateway;
    const totalOf = (name: string) =>
      app.get(UpstreamClient).list.find(({ spec }) => spec.name === name)!.spec.connections ??
      app.get(Config).upstreamConnections;
    return this.upstreams.reduce((sum, { name, permits }) => sum + totalOf(name) - permits.free, 0);
  }

  /** Starts a stopped provider again, at the same address. Its requests and scripts are lost. */
  async restart(name: string): Promise<void> {
    this.providers.set(name, await startUpstream(Number(new URL(this.provider(name).url).port)));
  }

  /** Waits for the record of a response. */
  async logOf(response: { readonly headers: Headers }): Promise<LoggedRequest> {
    return this.logOfId(response.headers.get('x-request-id')!);
  }

  async logOfId(requestId: string): Promise<LoggedRequest> {
    const read = async () => {
      await this.gateway.app.get(StatsWriter).flush();
      return this.gateway.app.get(DataSource).query<LoggedRequest[]>(READ_LOG, [requestId]);
    };
    await until(async () => (await read()).length > 0);
    const [row, ...others] = await read();
    expect(others).toEqual([]);
    return row!;
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await Promise.all([...new Set(this.providers.values())].map((provider) => provider.stop()));
    rmSync(this.folder, { recursive: true });
  }
}

/** Clears the pressure in the history too, so that a reload does not restore it. */
function forgetPressure(upstream: Upstream, now?: () => number): void {
  const pressure = new UpstreamPressure(now);
  Object.assign(upstream, { pressure });
  Object.assign(upstream.history, { pressure, lastError: null });
}

function textOf(file: RoutedFile, providers: ReadonlyMap<string, ScriptedUpstream>): string {
  const upstreams = file.upstreams.map((upstream) => ({ base_url: providers.get(upstream.name)!.url, ...upstream }));
  return JSON.stringify({ ...file, upstreams }, null, 2);
}

/** A model list without the others of the scripted provider. */
export const onlyModels = (provider: ScriptedUpstream, ...ids: string[]): void =>
  provider.on('GET', '/v1/models', () => ({
    status: 200,
    body: {
      object: 'list',
      data: MODELS.filter(({ id }) => ids.includes(id)).map((row) => ({ object: 'model', ...row })),
    },
  }));

export const respondsWith = (provider: ScriptedUpstream, status: number, headers: Record<string, string> = {}): void =>
  provider.on('POST', '/v1/chat/completions', ({ json }) =>
    status === 200
      ? { status, body: chatCompletion(String((json as { model?: unknown }).model)), headers }
      : { status, body: { error: { message: `status ${status}` } }, headers },
  );
