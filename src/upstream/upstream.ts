import type { Api, FallbackReason, UpstreamSpec } from '../platform/config/upstreams/upstreams-file.js';
import type { ConnectionPermits } from './connection-permits.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { UpstreamPool } from './upstream-pool.js';
import { HeadLatencies } from './head-latencies.js';
import { ConfiguredQuery } from './query-string.js';
import { noFailures, type FailureCounts } from './upstream-failure.js';
import { UpstreamPressure } from './upstream-pressure.js';

/** The connections to one server. Two addresses on one server can share them. */
export interface UpstreamServer {
  readonly pool: UpstreamPool;
  readonly permits: ConnectionPermits;
  readonly breaker: CircuitBreaker;
}

interface UpstreamTimeLimits {
  /** The timeout for getting a free connection, and again for connecting. */
  readonly connectMs: number;
  /** The timeout for the response headers, from the start of the request or the end of a streamed body. */
  readonly headMs: number;
  readonly idleMs: number;
}

interface UpstreamIdentity {
  /** `default` and `messages` without `GW_UPSTREAMS`. */
  readonly name: string;
  /** Whether clients and operators see the name. */
  readonly isNamed: boolean;
  readonly apis: readonly Api[];
  readonly baseUrl: URL;
  readonly completions: UpstreamSpec['completions'];
  /** Added to each request, without `?`. It replaces parameters of the same name. Empty for none. */
  readonly query: string;
  readonly accountHeaders: AccountHeaders;
}

/** Why a request was not served, for operators. */
export interface LastError {
  readonly at: Date;
  /** Null without a response. An error inside a response with a success status has the status that it stands for. */
  readonly status: number | null;
  /** Null for a request without a model. */
  readonly model: string | null;
  /** The provider's message, redacted and shortened, or the reason why there was no response. */
  readonly message: string;
}

/** Counts, latencies and rate-limit figures of an upstream. They survive a change of its configuration. */
interface UpstreamHistory {
  readonly failures: FailureCounts;
  readonly pressure: UpstreamPressure;
  /** Only with `GW_UPSTREAMS`. */
  readonly latencies: HeadLatencies;
  /** Requests that were sent here, and those that went on to another upstream. Only with `GW_UPSTREAMS`. */
  attempts: number;
  failovers: number;
  /** The last failure that lowered the share. */
  lastError: LastError | null;
  /** Requests that a fallback model got here. Only with `GW_UPSTREAMS`. */
  readonly fallbacks: Record<FallbackReason, number>;
}

const newHistory = (): UpstreamHistory => ({
  failures: noFailures(),
  pressure: new UpstreamPressure(),
  latencies: new HeadLatencies(),
  attempts: 0,
  failovers: 0,
  lastError: null,
  fallbacks: { context_length: 0, content_filter: 0 },
});

/** A flat list of lower-case names and values for each API, including the credential. */
export type AccountHeaders = Readonly<Record<Api, readonly string[]>>;

/** One address of a provider account, with its credential. */
export class Upstream {
  readonly name: string;
  readonly isNamed: boolean;
  readonly apis: readonly Api[];
  readonly completions: UpstreamSpec['completions'];
  readonly failures: FailureCounts;
  readonly pressure: UpstreamPressure;
  readonly pool: UpstreamPool;
  readonly permits: ConnectionPermits;
  readonly breaker: CircuitBreaker;
  readonly baseUrl: URL;
  /** Replaced when the credential changes. */
  accountHeaders: AccountHeaders;
  /** Set only by requests for the model catalog, because a client's request can be rejected for other reasons. */
  accountRefused = false;
  private readonly basePath: string;
  private readonly query: ConfiguredQuery;

  constructor(
    identity: UpstreamIdentity,
    readonly server: UpstreamServer,
    readonly limits: UpstreamTimeLimits,
    readonly history: UpstreamHistory = newHistory(),
  ) {
    this.name = identity.name;
    this.isNamed = identity.isNamed;
    this.apis = identity.apis;
    this.completions = identity.completions;
    this.baseUrl = identity.baseUrl;
    this.accountHeaders = identity.accountHeaders;
    this.basePath = identity.baseUrl.pathname.replace(/\/+$/, '');
    this.query = new ConfiguredQuery(identity.query);
    this.failures = history.failures;
    this.pressure = history.pressure;
    this.pool = server.pool;
    this.permits = server.permits;
    this.breaker = server.breaker;
  }

  /** The provider rejects the account or a model, for requests of clients or of the gateway itself. */
  get isRefused(): boolean {
    return this.accountRefused || this.pressure.status === 'refused';
  }

  /** @param path relative to the base URL, with the client's query */
  pathOf(path: string): string {
    return this.basePath + this.query.addTo(path);
  }
}
