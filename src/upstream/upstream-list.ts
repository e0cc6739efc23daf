import { Config } from '../platform/config/config.js';
import type { TlsFiles, UpstreamsFile, UpstreamSpec } from '../platform/config/upstreams/upstreams-file.js';
import { ConnectionPermits } from './connection-permits.js';
import { accountHeaders, specHeaders } from './credential-headers.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { hasTlsFiles, tlsFilesOf, upstreamConnector } from './upstream-connector.js';
import { UpstreamPool } from './upstream-pool.js';
import { Upstream, type UpstreamServer } from './upstream.js';

const WAITERS_MAX = 10_000;

/** The two addresses of the single account. They are equal unless the messages endpoint is configured separately. */
export function singleAccount(config: Config): Upstream[] {
  if (config.upstreamBaseUrl === null) throw new Error('GW_UPSTREAM_BASE_URL is not set');
  const url = new URL(config.upstreamBaseUrl);
  const messagesUrl = new URL(config.upstreamMessagesBaseUrl ?? config.upstreamBaseUrl);
  const files = tlsFilesOf(config, 'anthropic');
  const server = serverOf(url, config, tlsFilesOf(config, 'openai'));
  // Two base URLs on one server share connections, permits and circuit breaker, unless they have different certificates.
  const shared = messagesUrl.origin === url.origin && !hasTlsFiles(files);
  const messagesServer = shared ? server : serverOf(messagesUrl, config, files);
  const headers = accountHeaders(config);
  const limits = limitsOf(config);
  return [
    new Upstream({ name: 'default', apis: ['openai'], baseUrl: url, query: '' }, server, limits, headers),
    new Upstream(
      { name: 'messages', apis: ['anthropic'], baseUrl: messagesUrl, query: '' },
      messagesServer,
      limits,
      headers,
    ),
  ];
}

/** An upstream of `GW_UPSTREAMS`, with the specification that it was built from. */
export interface ConfiguredUpstream {
  readonly upstream: Upstream;
  readonly spec: UpstreamSpec;
  /** Two configurations with the same identity can share connections. */
  readonly connectionIdentity: string;
}

/**
 * Builds the upstreams of a file. Upstreams that existed before keep their history. They also keep their connections, unless a
 * connection setting has changed.
 */
export function upstreamsOfFile(
  { upstreams }: UpstreamsFile,
  config: Config,
  before: readonly ConfiguredUpstream[] = [],
): ConfiguredUpstream[] {
  return upstreams.map((spec) => {
    const previous = before.find(({ spec: { name } }) => name === spec.name);
    const own = settingsOf(spec, config);
    const connectionIdentity = identityOf(spec, own);
    const server =
      previous?.connectionIdentity === connectionIdentity
        ? previous.upstream.server
        : serverOf(spec.baseUrl, own, spec.tls);
    const upstream = new Upstream(spec, server, limitsOf(own), specHeaders(spec), previous?.upstream.history);
    return { upstream, spec, connectionIdentity };
  });
}

/** The general settings with the upstream's own values. */
function settingsOf(spec: UpstreamSpec, config: Config): Config {
  return config.with({
    upstreamConnectTimeoutMs: spec.connectMs ?? config.upstreamConnectTimeoutMs,
    upstreamHeadTimeoutMs: spec.headMs ?? config.upstreamHeadTimeoutMs,
    upstreamIdleTimeoutMs: spec.idleMs ?? config.upstreamIdleTimeoutMs,
    upstreamConnections: spec.connections ?? config.upstreamConnections,
    egressProxy: spec.proxy ?? config.egressProxy,
  });
}

const identityOf = ({ baseUrl, tls }: UpstreamSpec, config: Config): string =>
  JSON.stringify([
    baseUrl.origin,
    tls,
    config.egressProxy,
    config.upstreamConnectTimeoutMs,
    config.upstreamConnections,
  ]);

function serverOf(url: URL, config: Config, files: TlsFiles): UpstreamServer {
  const { upstreamConnections: connections } = config;
  return {
    pool: new UpstreamPool(url.origin, upstreamConnector(config, url, files), connections),
    permits: new ConnectionPermits(connections, WAITERS_MAX),
    breaker: new CircuitBreaker(),
  };
}

const limitsOf = (config: Config) => ({
  connectMs: config.upstreamConnectTimeoutMs,
  headMs: config.upstreamHeadTimeoutMs,
  idleMs: config.upstreamIdleTimeoutMs,
});
