import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { Permits } from './permits.js';
import { HEADER_VALUE, upstreamRequestHeaders } from './request-headers.js';
import { collectSmall, type SmallAnswer } from './small-fetch.js';
import { UpstreamCall } from './upstream-call.js';
import type { UpstreamExchange, UpstreamRequest, UpstreamSink } from './upstream-exchange.js';
import { notSendable } from './upstream-failure.js';
import type { UpstreamOrigin } from './upstream-origin.js';
import { UpstreamPool } from './upstream-pool.js';

/** Requests that wait for a free connection at most. */
const WAITERS_MAX = 10_000;

/** A request for `fetchSmall`: whole in both directions. */
export interface SmallRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base URL: `/models`. */
  readonly path: string;
  /** Sent beside the credential; a flat list of lower-case names and values. */
  readonly headers?: readonly string[];
  readonly body?: Buffer;
  /** Of the answer, decoded. */
  readonly bytesMax: number;
  /** For the whole exchange. */
  readonly timeoutMs: number;
}

/** What metrics and health want to know. */
export interface UpstreamState {
  readonly freeConnections: number;
  readonly waiting: number;
  readonly breakerOpen: boolean;
}

/** The only way to the provider: every request goes to the configured address, with the account's credential. */
@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  private readonly origin: UpstreamOrigin;

  constructor(private readonly config: Config) {
    if (config.upstreamBaseUrl === null) throw new Error('GW_UPSTREAM_BASE_URL is not set');
    const { origin, pathname } = new URL(config.upstreamBaseUrl);
    const { upstreamConnections: connections, upstreamConnectTimeoutMs: connectTimeoutMs } = config;
    this.origin = {
      basePath: pathname.replace(/\/+$/, ''),
      pool: new UpstreamPool(origin, { connections, connectTimeoutMs }),
      permits: new Permits(connections, WAITERS_MAX),
      breaker: new CircuitBreaker(),
      limits: {
        connectMs: connectTimeoutMs,
        headMs: config.upstreamHeadTimeoutMs,
        idleMs: config.upstreamIdleTimeoutMs,
      },
    };
  }

  /**
   * Sends a request; everything about it comes to `sink`. Waits for a free connection as long as the connect limit
   * (503 then), and as long again to connect (502). Tried anew only where it surely did not reach the upstream.
   */
  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamExchange {
    const call = new UpstreamCall(this.origin, request, sink);
    // Arguments that undici refuses would cost a connection of its pool for good.
    if (isSendable(request)) call.start();
    else sink.onError(notSendable());
    return call;
  }

  /**
   * A whole small exchange, for what the gateway asks on its own behalf.
   * @returns whatever status the upstream gave
   * @throws GatewayError 502 or 503
   */
  fetchSmall({ method, path, headers = [], body, bytesMax, timeoutMs }: SmallRequest): Promise<SmallAnswer> {
    const request: UpstreamRequest = {
      method,
      path,
      headers: [...headers, ...upstreamRequestHeaders({}, this.config.upstreamApiKey)],
      body: body ?? null,
    };
    return collectSmall((sink) => this.send(request, sink), { bytesMax, timeoutMs });
  }

  state(): UpstreamState {
    const { permits, breaker } = this.origin;
    return { freeConnections: permits.free, waiting: permits.waiting, breakerOpen: breaker.open };
  }

  // After the server has stopped: a running request still needs its connection until then.
  async onApplicationShutdown(): Promise<void> {
    await this.origin.pool.destroy();
  }
}

function isSendable({ method, path, headers }: UpstreamRequest): boolean {
  if (!/^[A-Z]+$/.test(method) || !/^\/[\x21-\xff]*$/.test(path)) return false;
  for (let at = 1; at < headers.length; at += 2) if (!HEADER_VALUE.test(headers[at] ?? '')) return false;
  return true;
}
