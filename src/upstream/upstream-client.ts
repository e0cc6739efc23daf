import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { credentialHeaders, type Credentials, type UpstreamName } from './account.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { noFailures, type FailureCounts, notSendable } from './upstream-failure.js';
import { ConnectionPermits } from '../fairness/connection-permits.js';
import { HEADER_VALUE, upstreamRequestHeaders } from './request-header-allowlist.js';
import { bufferResponse, type BufferedResponse } from './buffered-response.js';
import { UpstreamCall } from './upstream-call.js';
import { GATEWAY_ITSELF, type UpstreamRequest, type UpstreamSink } from './upstream-exchange.js';
import { hasTlsFiles, tlsFilesOf, upstreamConnector, type TlsFiles } from './upstream-connector.js';
import { type UpstreamOrigin, UpstreamPool } from './upstream-pool.js';

const WAITERS_MAX = 10_000;

/** Request and response are held in memory. */
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
  readonly upstream?: UpstreamName;
}

interface UpstreamState {
  readonly freeConnections: number;
  readonly waiting: number;
  readonly breakerOpen: boolean;
}

@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  /** Set only by requests for the model catalog, because a client's request can be rejected for other reasons. */
  accountRefused = false;

  private readonly origins: Readonly<Record<UpstreamName, UpstreamOrigin>>;
  private credentials: Readonly<Record<UpstreamName, readonly string[]>>;

  constructor(config: Config) {
    if (config.upstreamBaseUrl === null) throw new Error('GW_UPSTREAM_BASE_URL is not set');
    this.origins = originsOf(config.upstreamBaseUrl, config.upstreamMessagesBaseUrl ?? config.upstreamBaseUrl, config);
    let account: Credentials = config;
    this.credentials = credentialsOf(account);
    config.reloads.subscribe((values) => {
      account = { ...account, ...values };
      this.credentials = credentialsOf(account);
    });
  }

  /** @param own headers that replace client headers of the same name; lower-case names, without framing and credentials */
  requestHeaders(
    incoming: IncomingHttpHeaders,
    upstream: UpstreamName,
    own?: Readonly<Record<string, string>>,
  ): string[] {
    return upstreamRequestHeaders(incoming, { credential: this.credentials[upstream], upstream, own });
  }

  /**
   * Sends a request and reports its progress to `sink`. It waits for a free connection up to the connect timeout (then 503),
   * and again as long to connect (then 502). It is retried only if it cannot have reached the upstream.
   */
  send(request: UpstreamRequest, sink: UpstreamSink, upstream: UpstreamName = 'default'): void {
    if (isSendable(request)) new UpstreamCall(this.origins[upstream], request, sink).start();
    else sink.onError(notSendable());
  }

  /** Sends a request on the gateway's own behalf. The response can have any status. @throws GatewayError 502 or 503 */
  fetchSmall({ upstream = 'default', ...options }: SmallRequest): Promise<BufferedResponse> {
    const { method, path, headers = [], body = null, bytesMax, timeoutMs } = options;
    const request = {
      holder: GATEWAY_ITSELF,
      method,
      path,
      headers: [...headers, ...this.requestHeaders({}, upstream)],
      body,
    };
    return bufferResponse((sink) => this.send(request, sink, upstream), { bytesMax, timeoutMs });
  }

  state(upstream: UpstreamName = 'default'): UpstreamState {
    const { permits, breaker } = this.origins[upstream];
    return { freeConnections: permits.free, waiting: permits.waiting, breakerOpen: breaker.open };
  }

  failuresOf(upstream: UpstreamName): Readonly<FailureCounts> {
    return this.origins[upstream].failures;
  }

  countErrorObject(upstream: UpstreamName): void {
    this.origins[upstream].failures.error_object += 1;
  }

  refusedBy(upstream: UpstreamName): number {
    return this.origins[upstream].permits.refused;
  }

  /** Two addresses on one server share connections, and count as one. */
  get servers(): readonly UpstreamName[] {
    return this.origins.default.pool === this.origins.messages.pool ? ['default'] : ['default', 'messages'];
  }

  connectionsOf(upstream: UpstreamName): number {
    return this.origins[upstream].pool.connected;
  }

  // The server has stopped by now. Running requests needed their connections until then.
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.origins.default.pool.destroy(), this.origins.messages.pool.destroy()]);
  }
}

const credentialsOf = (account: Credentials): Record<UpstreamName, readonly string[]> => ({
  default: credentialHeaders(account, 'default'),
  messages: credentialHeaders(account, 'messages'),
});

/** Two base URLs on one server share connections, permits and circuit breaker, unless they have different certificates. */
function originsOf(url: string, messagesUrl: string, config: Config): Readonly<Record<UpstreamName, UpstreamOrigin>> {
  const main = originOf(new URL(url), config, tlsFilesOf(config, 'default'));
  const messages = new URL(messagesUrl);
  const files = tlsFilesOf(config, 'messages');
  const shared = messages.origin === new URL(url).origin && !hasTlsFiles(files);
  return {
    default: main,
    messages: shared
      ? { ...main, basePath: basePathOf(messages), failures: noFailures() }
      : originOf(messages, config, files),
  };
}

function originOf(url: URL, config: Config, files: TlsFiles): UpstreamOrigin {
  const { upstreamConnections: connections } = config;
  return {
    basePath: basePathOf(url),
    pool: new UpstreamPool(url.origin, upstreamConnector(config, url, files), connections),
    permits: new ConnectionPermits(connections, WAITERS_MAX),
    breaker: new CircuitBreaker(),
    limits: {
      connectMs: config.upstreamConnectTimeoutMs,
      headMs: config.upstreamHeadTimeoutMs,
      idleMs: config.upstreamIdleTimeoutMs,
    },
    failures: noFailures(),
  };
}

const basePathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

function isSendable({ method, path, headers }: UpstreamRequest): boolean {
  if (!/^[A-Z]+$/.test(method) || !/^\/[\x21-\xff]*$/.test(path)) return false;
  for (let at = 1; at < headers.length; at += 2) if (!HEADER_VALUE.test(headers[at] ?? '')) return false;
  return true;
}
