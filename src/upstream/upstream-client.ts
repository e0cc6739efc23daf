import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import type { Api, UpstreamsFile } from '../platform/config/upstreams/upstreams-file.js';
import { bufferResponse, type BufferedResponse } from './buffered-response.js';
import { accountHeaders, accountSecrets, type Credentials } from './credentials.js';
import { HEADER_VALUE } from './flat-headers.js';
import { upstreamRequestHeaders } from './request-headers.js';
import { UpstreamCall } from './upstream-call.js';
import { GATEWAY_ITSELF, NOT_SENT, type UpstreamRequest, type UpstreamSink } from './send-contract.js';
import { notSendable } from './upstream-failure.js';
import { accountUpstreams, upstreamsOfFile, type ConfiguredUpstream } from './upstream-list.js';
import type { UpstreamPool } from './upstream-pool.js';
import type { Upstream } from './upstream.js';

/** The most recently replaced credentials. Responses to requests with an old one can still arrive. */
const SECRETS_MAX = 256;

/** A request whose body and response are held in memory. */
export interface SmallRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** A flat list of lower-case names and values, in addition to the credential. */
  readonly headers?: readonly string[];
  readonly body?: Buffer;
  /** The limit applies after decoding. */
  readonly bytesMax: number;
  /** Limits the whole exchange. */
  readonly timeoutMs: number;
  /** Default: the first upstream. */
  readonly upstream?: Upstream;
  /** Default: the first API of `upstream`. */
  readonly api?: Api;
}

/** Sends requests to the configured upstreams, and replaces upstreams and credentials when the configuration is reloaded. */
@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  private configured: readonly ConfiguredUpstream[];
  private upstreams: readonly Upstream[];
  private firstOf: Readonly<Record<Api, Upstream | undefined>>;
  private knownSecrets: readonly string[];
  /** Pools that a reload has replaced, on which requests can still run. */
  private retired: UpstreamPool[] = [];
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly config: Config) {
    if (config.upstreams === null) {
      this.configured = accountUpstreams(config);
      this.knownSecrets = accountSecrets(config);
    } else {
      this.configured = upstreamsOfFile(config.upstreams.file, config);
      this.knownSecrets = config.upstreams.file.secrets;
    }
    this.upstreams = this.configured.map(({ upstream }) => upstream);
    this.firstOf = firstOf(this.upstreams);
    if (config.upstreams === null) this.reloadCredentials();
    else config.upstreams.reloads.subscribe((file) => this.replace(file));
  }

  /** In the order of the file. Without `GW_UPSTREAMS`: `default` and `messages`. */
  get all(): readonly Upstream[] {
    return this.upstreams;
  }

  /** Like `all`, with their configuration. */
  get list(): readonly ConfiguredUpstream[] {
    return this.configured;
  }

  /** The upstreams that operators and clients see by name: those of `GW_UPSTREAMS`. */
  get named(): readonly ConfiguredUpstream[] {
    return this.configured.filter(({ upstream }) => upstream.isNamed);
  }

  /** The credentials of all accounts, which responses must not contain. */
  get secrets(): readonly string[] {
    return this.knownSecrets;
  }

  byName(name: string): Upstream | undefined {
    return this.upstreams.find((upstream) => upstream.name === name);
  }

  /** The first upstream that serves this API. */
  first(api: Api): Upstream | undefined {
    return this.firstOf[api];
  }

  /** The listener runs after a reload has replaced the upstreams. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** @param routeHeaders headers that replace client headers of the same name; lower-case names, without framing and credentials */
  requestHeaders(
    incoming: IncomingHttpHeaders,
    upstream: Upstream,
    api: Api,
    routeHeaders?: Readonly<Record<string, string>>,
  ): string[] {
    return upstreamRequestHeaders(incoming, { accountHeaders: upstream.accountHeaders[api], api, routeHeaders });
  }

  /**
   * Sends a request and reports its progress to `sink`. It waits for a free connection up to the connect timeout (then 503),
   * and again as long to connect (then 502). It is retried only if it cannot have reached the upstream.
   */
  send(request: UpstreamRequest, sink: UpstreamSink, upstream = this.upstreams[0]!): void {
    if (isSendable(request)) new UpstreamCall(upstream, request, sink).start();
    else sink.onError(notSendable(), NOT_SENT);
  }

  /** Sends a request on the gateway's own behalf. The response can have any status. @throws GatewayError 502 or 503 */
  fetchSmall({ upstream = this.upstreams[0]!, ...options }: SmallRequest): Promise<BufferedResponse> {
    const { method, path, headers = [], body = null, bytesMax, timeoutMs } = options;
    const { api = upstream.apis[0]! } = options;
    const request = {
      holder: GATEWAY_ITSELF,
      method,
      path,
      headers: [...headers, ...this.requestHeaders({}, upstream, api)],
      body,
    };
    return bufferResponse((sink) => this.send(request, sink, upstream), { bytesMax, timeoutMs });
  }

  /** One upstream for each set of connections. Two addresses on one server share them. */
  get servers(): readonly Upstream[] {
    return this.upstreams.filter(({ pool }, at) => this.upstreams.findIndex((other) => other.pool === pool) === at);
  }

  // Runs after the server has stopped, because running requests need their connections until then.
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.servers.map(({ pool }) => pool), ...this.retired].map((pool) => pool.destroy()));
  }

  private reloadCredentials(): void {
    let account: Credentials = this.config;
    this.config.reloads.subscribe((values) => {
      account = { ...account, ...values };
      const headers = accountHeaders(account);
      for (const upstream of this.upstreams) upstream.accountHeaders = headers;
      this.addSecrets(accountSecrets(account));
    });
  }

  private replace(file: UpstreamsFile): void {
    const before = this.upstreams;
    this.configured = upstreamsOfFile(file, this.config, this.configured);
    this.upstreams = this.configured.map(({ upstream }) => upstream);
    this.firstOf = firstOf(this.upstreams);
    this.addSecrets(file.secrets);
    const pools = new Set(this.upstreams.map(({ pool }) => pool));
    const unused = before.map(({ pool }) => pool).filter((pool) => !pools.has(pool));
    for (const pool of unused) pool.retire();
    this.retired = [...this.retired, ...unused].filter((pool) => !pool.empty);
    for (const listener of this.listeners) listener();
  }

  private addSecrets(secrets: readonly string[]): void {
    const old = this.knownSecrets.filter((secret) => !secrets.includes(secret));
    this.knownSecrets = [...secrets, ...old.slice(0, SECRETS_MAX)];
  }
}

const firstOf = (upstreams: readonly Upstream[]): Record<Api, Upstream | undefined> => ({
  openai: upstreams.find(({ apis }) => apis.includes('openai')),
  anthropic: upstreams.find(({ apis }) => apis.includes('anthropic')),
});

function isSendable({ method, path, headers }: UpstreamRequest): boolean {
  if (!/^[A-Z]+$/.test(method) || !/^\/[\x21-\xff]*$/.test(path)) return false;
  for (let at = 1; at < headers.length; at += 2) if (!HEADER_VALUE.test(headers[at] ?? '')) return false;
  return true;
}
