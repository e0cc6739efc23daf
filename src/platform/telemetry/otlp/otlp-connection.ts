import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources';
import type { Config } from '../../config/config.js';
import { headersOf } from '../../config/otlp-headers.kinds.js';
import { proxyFor, targetOf } from '../../egress/egress-proxy.js';
import { tunnelAgent } from '../../egress/proxy-tunnel.js';

/** For one export, including retries. */
const EXPORT_TIMEOUT_MS = 5_000;
/** An unavailable collector delays a shutdown by at most this time. */
export const LAST_EXPORT_TIMEOUT_MS = 3_000;
/** Maximum number of concurrent exports. Additional exports fail, so that an outage of the collector needs little memory. */
const EXPORTS_MAX = 4;

export type OtlpConnection = ReturnType<typeof convertLegacyHttpOptions>;

/**
 * Returns how an exporter reaches the collector. This file alone chooses addresses, agents and certificates of exporters.
 *
 * OpenTelemetry reads further variables for it: `OTEL_EXPORTER_OTLP_COMPRESSION`, `…_CERTIFICATE`, `…_CLIENT_CERTIFICATE` and
 * `…_CLIENT_KEY`, and headers for one signal, which replace those of `OTEL_EXPORTER_OTLP_HEADERS`.
 * @param path added to the endpoint, without a leading slash; gRPC does not use it
 */
export function connectionTo(config: Config, signal: string, path: string): OtlpConnection {
  const { otlpEndpoint, otlpProtocol, otlpHeaders } = config;
  const url = `${otlpEndpoint}/${path}`;
  const contentType = otlpProtocol === 'http/json' ? 'application/json' : 'application/x-protobuf';
  const fromEnvironment = convertLegacyHttpOptions(
    { url, timeoutMillis: EXPORT_TIMEOUT_MS, concurrencyLimit: EXPORTS_MAX },
    signal,
    path,
    { 'Content-Type': contentType },
  );
  // The headers are added here, because OpenTelemetry would not read them from a file.
  const own = headersOf(otlpHeaders ?? '');
  const connection = { ...fromEnvironment, headers: async () => ({ ...own, ...(await fromEnvironment.headers()) }) };
  const proxy = proxyFor(config, new URL(url));
  if (proxy === null) return connection;
  const agentFactory = async (protocol: string): Promise<Agent> => {
    const direct = await connection.agentFactory(protocol);
    return tunnelAgent(proxy, protocol === 'https:', EXPORT_TIMEOUT_MS, optionsOf(direct));
  };
  return { ...connection, agentFactory };
}

/** Opens a socket for HTTP/2 with the agent of the HTTP exporters. It can still be connecting. */
export async function openSocket({ url, agentFactory }: OtlpConnection): Promise<Duplex> {
  const parsed = new URL(url);
  const secure = parsed.protocol === 'https:';
  const agent: Agent = await agentFactory(parsed.protocol);
  const target = targetOf(parsed);
  // Node rejects an IP address as a server name.
  const serverName = isIP(target.host) === 0 ? { servername: target.host } : {};
  const tls = secure ? { ALPNProtocols: ['h2'], ...serverName } : {};
  return new Promise((resolve, reject) => {
    // An agent with a proxy returns nothing, and calls back when the tunnel is open.
    const socket = agent.createConnection({ ...optionsOf(agent), ...target, ...tls }, (error, opened) => {
      if (error) reject(error);
      else if (opened !== undefined) resolve(opened);
    });
    if (socket) resolve(socket);
  });
}

/** Node documents `options` for `https.Agent` only by its constructor. */
const optionsOf = (agent: Agent): AgentOptions => (agent as unknown as { readonly options: AgentOptions }).options;

/** According to the convention, it is unique for each process. */
const INSTANCE_ID = randomUUID();

/** `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`, which OpenTelemetry reads itself, replace the gateway's attributes. */
export const otlpResource = ({ version }: Pick<Config, 'version'>): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'inference-gateway',
        'service.version': version,
        'service.instance.id': INSTANCE_ID,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
