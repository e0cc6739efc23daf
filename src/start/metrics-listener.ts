import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { Config } from '../config/config.js';
import type { Stoppable } from '../lifecycle/stoppable.js';
import { metricsError } from './addresses.js';

const HEAD_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 100;

/** All metrics as Prometheus reads them: of this process, or of all its workers. */
type MetricsText = () => Promise<string>;

/**
 * Answers `GET /metrics` on an address of its own, never on the public one (D21), and 404 to everything else.
 * @param config with `metricsPort` set
 * @throws ConfigError where host and port cannot be had
 */
export async function listenForMetrics(
  config: Config,
  text: MetricsText,
): Promise<Stoppable & { readonly url: string }> {
  const server = createServer({ headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: HEAD_TIMEOUT_MS }, (req, res) => {
    answer(req, res, text).catch(() => res.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, config);
  return {
    url: `http://${hostOf(config.metricsHost)}:${(server.address() as AddressInfo).port}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(req: IncomingMessage, res: ServerResponse, text: MetricsText): Promise<void> {
  // Whatever comes with the request is not wanted: the connection that brings it is not kept.
  if (req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined) {
    res.shouldKeepAlive = false;
  }
  if (req.method !== 'GET' || req.url?.split('?')[0] !== '/metrics') {
    res.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  const body = Buffer.from(await text());
  res.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE, 'content-length': body.length }).end(body);
}

async function listen(server: Server, config: Config): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(config.metricsPort ?? 0, config.metricsHost, resolve);
    });
  } catch (error) {
    throw metricsError(error, config);
  }
}

const hostOf = (host: string): string => (host.includes(':') ? `[${host}]` : host);
