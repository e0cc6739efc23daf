import type { Config } from '../platform/config/config.js';
import {
  FROM_CATALOG,
  type TlsFiles,
  type UpstreamsFile,
  type UpstreamSpec,
} from '../platform/config/upstreams/upstreams-file.js';
import { ConnectionPermits } from './connection-permits.js';
import { accountHeaders, specHeaders } from './credentials.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { hasTlsFiles, tlsFilesOf, upstreamConnector } from './upstream-connector.js';
import { UpstreamPool } from './upstream-pool.js';
import { Upstream, type UpstreamServer } from './upstream.js';

const WAITERS_MAX = 10_000;

export interface ConfiguredUpstream {
  readonly upstream: Upstream;
  readonly spec: UpstreamSpec;
  /** The name of the upstream whose model list applies here. It is usually its own. */
  readonly catalog: string;
  /** Two configurations with the same identity can share connections. */
  readonly connectionIdentity: string;
}

/** Returns the upstreams without `GW_UPSTREAMS`: the addresses of one account for each API, which share its model list. */
export function accountUpstreams(config: Config): ConfiguredUpstream[] {
  if (config.upstreamBaseUrl === null) throw new Error('GW_UPSTREAM_BASE_URL is not set');
  const url = new URL(config.upstreamBaseUrl);
  const messagesUrl = new URL(config.upstreamMessagesBaseUrl ?? config.upstreamBaseUrl);
  const messagesFiles = tlsFilesOf(config, 'anthropic');
  const server = serverOf(url, config, tlsFilesOf(config, 'openai'));
  // Two base URLs on one server share connections, permits and circuit breaker, unless they have different certificates.
  const isShared = messagesUrl.origin === url.origin && !hasTlsFiles(messagesFiles);
  const messagesServer = isShared ? server : serverOf(messagesUrl, config, messagesFiles);
  return [
    accountUpstream(
      { ...ACCOUNT, name: 'default', apis: ['openai'], baseUrl: url, completions: config.upstreamCompletions },
      server,
      config,
    ),
    accountUpstream(
      { ...ACCOUNT, name: 'messages', apis: ['anthropic'], baseUrl: messagesUrl },
      messagesServer,
      config,
    ),
  ];
}

/** The general settings apply, so nothing is specific to the upstream. */
const ACCOUNT: Omit<UpstreamSpec, 'name' | 'apis' | 'baseUrl'> = {
  completions: null,
  credential: null,
  headers: [],
  query: '',
  proxy: null,
  tls: { ca: null, certificate: null, key: null },
  connectMs: null,
  headMs: null,
  idleMs: null,
  connections: null,
  models: FROM_CATALOG,
  aliases: new Map(),
  region: null,
  tags: [],
  repeatSent: false,
  failoverStatuses: [],
  digest: '',
};

function accountUpstream(spec: UpstreamSpec, server: UpstreamServer, config: Config): ConfiguredUpstream {
  const identity = { ...spec, isNamed: false, accountHeaders: accountHeaders(config) };
  const upstream = new Upstream(identity, server, limitsOf(config));
  return { upstream, spec, catalog: 'default', connectionIdentity: spec.baseUrl.origin };
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
    const identity = { ...spec, isNamed: true, accountHeaders: specHeaders(spec) };
    const upstream = new Upstream(identity, server, limitsOf(own), previous?.upstream.history);
    return { upstream, spec, catalog: spec.name, connectionIdentity };
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
