import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { LoggerService } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import type { Stoppable } from '../platform/lifecycle.js';
import {
  openMetricsText,
  OPENMETRICS_TYPE,
  wantsOpenMetrics,
} from '../platform/telemetry/metrics/open-metrics.rules.js';
import type { MetricsSource } from '../platform/telemetry/metrics/figures.js';
import { metricsError, urlOf } from './addresses.js';

const HEAD_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 100;

/** Serves `GET /metrics` on a separate address, never on the public one (D21). @throws ConfigError if it is not available */
export async function listenForMetrics(
  config: Config,
  source: MetricsSource,
): Promise<Stoppable & { readonly url: string }> {
  const server = createServer({ headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: HEAD_TIMEOUT_MS }, (req, res) => {
    respond(req, res, source).catch(() => res.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  try {
    server.listen(config.metricsPort ?? 0, config.metricsHost);
    await once(server, 'listening');
  } catch (error) {
    throw metricsError(error, config);
  }
  return {
    url: `${urlOf(config.metricsHost, (server.address() as AddressInfo).port)}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(req: IncomingMessage, res: ServerResponse, source: MetricsSource): Promise<void> {
  // Closes the connection, because the unread body makes it unusable for another request.
  if (req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined) {
    res.shouldKeepAlive = false;
  }
  if (req.method !== 'GET' || req.url?.split('?')[0] !== '/metrics') {
    res.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  const open = wantsOpenMetrics(req.headers.accept);
  const body = Buffer.from(open ? openMetricsText(await source.figures()) : await source.text());
  const type = open ? OPENMETRICS_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
  res.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body);
}

export interface MetricsOutlets extends Stoppable {
  /** The address of the listener, or null if none is configured. */
  readonly url: string | null;
}

/** Starts the metrics listener and the export to a collector, whichever is configured. @throws ConfigError if it cannot listen */
export async function openMetricsOutlets(
  config: Config,
  log: LoggerService,
  source: MetricsSource,
): Promise<MetricsOutlets> {
  const listener = config.metricsPort === null ? null : await listenForMetrics(config, source);
  const parts: Stoppable[] = listener === null ? [] : [listener];
  if (config.metricsExporter === 'otlp') {
    // OpenTelemetry is loaded only if a collector is configured.
    const { MetricExport } = await import('../platform/telemetry/otlp/metric-export.js');
    parts.push(new MetricExport(config, log, () => source.figures()));
  }
  return {
    url: listener?.url ?? null,
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
