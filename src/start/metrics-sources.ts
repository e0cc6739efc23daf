import type { INestApplicationContext, Type } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import { Changes } from '../platform/changes/changes.js';
import { Config } from '../platform/config/config.js';
import type { UpstreamsReloads } from '../platform/config/upstreams/upstreams-source.js';
import { Database } from '../platform/database/database.service.js';
import { StatisticsDatabase } from '../platform/database/statistics-database.js';
import { LostChanges } from '../audit/lost-changes/lost-changes.service.js';
import { DeliveryAttempts } from '../audit/events/delivery/delivery-attempts.service.js';
import { BodyMemory } from '../platform/fairness/body-memory.js';
import { ParseQueue } from '../platform/fairness/parse-queue.js';
import { ForwardService } from '../proxy/forward.service.js';
import { TokenEstimator } from '../proxy/metering/estimate/token-estimator.service.js';
import { Admission } from '../quota/admission.service.js';
import { LimitMetrics } from '../quota/limits/limit-metrics.service.js';
import { Outage } from '../quota/outage.service.js';
import { ObjectOwners } from '../upstream/routing/objects/object-owners.service.js';
import { UpstreamDrains } from '../upstream/routing/upstream-drains.service.js';
import { JobRuns } from '../scheduler/job-runs.read-model.js';
import { JobRunner } from '../scheduler/job-runner.service.js';
import { CostRecorder, type CacheUse } from '../stats/cost-recorder.service.js';
import { PendingRecords } from '../stats/pending-records.js';
import { RequestRecorder } from '../stats/request-recorder.service.js';
import { StatsWriter } from '../stats/stats-writer.service.js';
import { EventLoopLag, KeyChangeLag } from '../platform/telemetry/metrics/lag.js';
import { Metrics, type Series } from '../platform/telemetry/metrics/metrics.js';
import type { FigureName } from '../platform/telemetry/metrics/metrics.data.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import type { ConfiguredUpstream } from '../upstream/upstream-list.js';
import type { Upstream } from '../upstream/upstream.js';

/** Gauges of prom-client that keep their names. `promtool check metrics` accepts such names only without a type. */
const GAUGES_NAMED_TOTAL = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

type Services = <T>(provider: Type<T> | (abstract new (...given: never[]) => T)) => T;

/** Reads each metric from its service at each scrape. All sources are in this file, so that no module depends on the metrics. */
export function readMetricsOf(app: INestApplicationContext): Metrics {
  const services: Services = (provider) => app.get(provider as Type, { strict: false });
  const metrics = services(Metrics);
  readProcess(metrics, services);
  readCosts(metrics, services);
  readQueues(metrics, services);
  readUpstream(metrics, services);
  readSeveralUpstreams(metrics, services);
  readDatabase(metrics, services);
  readAdmission(metrics, services);
  readLimits(metrics, services);
  readBackground(metrics, services);
  return metrics;
}

function readProcess(metrics: Metrics, services: Services): void {
  const { version } = services(Config);
  const lag = new EventLoopLag();
  lag.start();
  collectDefaultMetrics({ register: metrics.registry });
  metrics.untype(GAUGES_NAMED_TOTAL);
  metrics.read('gateway_info', () => [{ labels: { version }, value: 1 }]);
  metrics.read('gateway_event_loop_lag_seconds', () => lag.read());
  metrics.read('gateway_streams_open', () => services(ForwardService).streamsOpen);
  metrics.read('gateway_request_errors_total', () =>
    byLabel('code', Object.fromEntries(services(RequestRecorder).failed)),
  );
  metrics.read('gateway_tokens_total', () =>
    Object.entries(services(RequestRecorder).recordedTokens).flatMap(([source, { input, output }]) => [
      { labels: { direction: 'input', source }, value: input },
      { labels: { direction: 'output', source }, value: output },
    ]),
  );
}

/** Upstreams that have recorded nothing have series too, so that the first unpriced request is an increase. */
function readCosts(metrics: Metrics, services: Services): void {
  const client = services(UpstreamClient);
  const costs = services(CostRecorder);
  const readEach = (name: FigureName, read: (total: { nanos: bigint; unpriced: number }) => number) =>
    metrics.read(name, () =>
      client.all.map(({ name: upstream }) => ({
        labels: { upstream },
        value: read(costs.recorded.get(upstream) ?? { nanos: 0n, unpriced: 0 }),
      })),
    );
  readEach('gateway_cost_dollars_total', ({ nanos }) => Number(nanos) / 1e9);
  readEach('gateway_unpriced_requests_total', ({ unpriced }) => unpriced);
  const readCache = (name: FigureName, read: (use: CacheUse) => number) =>
    metrics.read(name, () =>
      client.all.map(({ name: upstream }) => ({ labels: { upstream }, value: read(costs.cacheUseOf(upstream)) })),
    );
  readCache('gateway_upstream_input_tokens_total', ({ inputTokens }) => inputTokens);
  readCache('gateway_upstream_cached_tokens_total', ({ cachedTokens }) => cachedTokens);
  readCache('gateway_upstream_cache_saved_dollars_total', ({ savedNanos }) => savedNanos / 1e9);
}

function readQueues(metrics: Metrics, services: Services): void {
  const pending = services(PendingRecords);
  const recorder = services(RequestRecorder);
  const [bodies, parsed] = [services(BodyMemory), services(ParseQueue)];
  const upstream = services(UpstreamClient);
  const overServers = (pick: (server: Upstream) => number) =>
    upstream.servers.reduce((sum, server) => sum + pick(server), 0);
  metrics.read('gateway_queue_depth', () =>
    byLabel('queue', {
      samples: pending.samples.size,
      refusals: pending.refusals.size,
      usage: pending.usage.size,
      estimates: pending.estimates.size,
      upstream: overServers(({ permits }) => permits.waiting),
      body_bytes: bodies.bytesHeld,
      parsed_bytes: parsed.bytesHeld,
    }),
  );
  metrics.read('gateway_unstored_records_total', () =>
    byLabel('source', Object.fromEntries(services(StatsWriter).unstored)),
  );
  metrics.read('gateway_dropped_total', () =>
    byLabel('queue', {
      samples: pending.samples.dropped,
      refusals: pending.refusals.dropped + recorder.refusalsLeftOut,
      usage: recorder.usageRefused,
      estimates: services(TokenEstimator).overflowed,
      upstream: overServers(({ permits }) => permits.rejected),
      body_bytes: bodies.rejected,
      parsed_bytes: parsed.rejected,
    }),
  );
}

function readUpstream(metrics: Metrics, services: Services): void {
  const client = services(UpstreamClient);
  metrics.read('gateway_upstream_connections', () => client.servers.reduce((sum, { pool }) => sum + pool.connected, 0));
  metrics.read('gateway_upstream_breaker_open', () =>
    client.all.map(({ name, breaker }) => ({ labels: { upstream: name }, value: Number(breaker.open) })),
  );
  metrics.read('gateway_upstream_failures_total', () =>
    client.all.flatMap(({ name, failures }) =>
      Object.entries(failures).map(([reason, value]) => ({ labels: { upstream: name, reason }, value })),
    ),
  );
}

/** Without `GW_UPSTREAMS`, none of these has a series. */
function readSeveralUpstreams(metrics: Metrics, services: Services): void {
  const client = services(UpstreamClient);
  const drains = services(UpstreamDrains);
  const owners = services(ObjectOwners);
  const { upstreams: source, upstreamConnections } = services(Config);
  const readEach = (name: FigureName, read: (configured: ConfiguredUpstream) => number) =>
    metrics.read(name, () => client.named.map((each) => ({ labels: { upstream: each.spec.name }, value: read(each) })));
  readEach('gateway_upstream_attempts_total', ({ upstream }) => upstream.history.attempts);
  readEach('gateway_upstream_failovers_total', ({ upstream }) => upstream.history.failovers);
  readEach(
    'gateway_upstream_running',
    ({ upstream, spec }) => (spec.connections ?? upstreamConnections) - upstream.permits.free,
  );
  readEach('gateway_upstream_waiting', ({ upstream }) => upstream.permits.waiting);
  readEach('gateway_upstream_share', ({ upstream }) => upstream.pressure.lowestShare);
  metrics.read('gateway_upstream_fallbacks_total', () =>
    client.named.flatMap(({ upstream, spec }) =>
      Object.entries(upstream.history.fallbacks).map(([reason, value]) => ({
        labels: { upstream: spec.name, reason },
        value,
      })),
    ),
  );
  metrics.read('gateway_upstream_recent_latency_seconds', () =>
    client.named.flatMap(({ upstream, spec }) => {
      const { overallMs } = upstream.history.latencies;
      return overallMs === null ? [] : [{ labels: { upstream: spec.name }, value: overallMs / 1000 }];
    }),
  );
  readEach('gateway_upstream_draining', ({ spec }) => Number(drains.of(spec.name) !== undefined));
  readEach('gateway_upstream_refused', ({ upstream }) => Number(upstream.isRefused));
  readEach('gateway_upstream_failing', ({ upstream }) => Number(upstream.pressure.status === 'failing'));
  const readOnce = (name: FigureName, read: (reloads: UpstreamsReloads) => number | Series[]) =>
    metrics.read(name, () => (source === null ? null : read(source.reloads)));
  readOnce('gateway_upstreams_reload_failed', ({ failed }) => Number(failed));
  readOnce('gateway_upstreams_loaded_timestamp_seconds', ({ loadedAt }) => loadedAt.getTime() / 1000);
  readOnce('gateway_object_owner_unwritten', () => owners.unwritten);
  readOnce('gateway_object_owner_failures_total', () =>
    byLabel('operation', { read: owners.failedLookups, write: owners.dropped }),
  );
}

function readDatabase(metrics: Metrics, services: Services): void {
  const database = services(Database);
  const outage = services(Outage);
  const lag = new KeyChangeLag();
  services(Changes).subscribe('key', (id, changedAtMs) => lag.record(id, changedAtMs, Date.now()));
  metrics.read('gateway_database_up', () => Number(database.state === 'ready'));
  const reports = services(StatisticsDatabase);
  metrics.read('gateway_statistics_database_used', () => (reports.isUsed === null ? null : Number(reports.isUsed)));
  metrics.read('gateway_statistics_database_lag_seconds', () => reports.lagSeconds);
  metrics.read('gateway_lost_changes', () => services(LostChanges).undecided);
  metrics.read('gateway_database_outage_served_total', () => outage.servedFromMemory);
  metrics.read('gateway_database_outage_owed', () => outage.unreconciled);
  metrics.readTallies('gateway_key_change_lag_seconds', () => [{ labels: {}, value: lag.tally }]);
}

function readAdmission(metrics: Metrics, services: Services): void {
  const admission = services(Admission);
  metrics.read('gateway_admission_waiting', () => admission.waiting);
  metrics.readTallies('gateway_admission_batch_requests', () => [{ labels: {}, value: admission.batchRequests }]);
  metrics.readTallies('gateway_admission_batch_seconds', () =>
    Object.entries(admission.batchSeconds).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );
}

function readLimits(metrics: Metrics, services: Services): void {
  const database = services(Database);
  const limits = services(LimitMetrics);
  metrics.read('gateway_limits', () => byLabel('scope', limits.countByScope));
  metrics.read('gateway_limit_refusals_total', () =>
    limits.rejections.map(({ scope, measure, count }) => ({ labels: { scope, measure }, value: count })),
  );
  metrics.read('gateway_limit_used_ratio', async () => {
    if (database.state !== 'ready') return [];
    const uses = await limits.fullest(performance.now());
    return uses.map(({ limit: { id, scope, measure, period, mode }, ratio }) => ({
      labels: { limit_id: String(id), scope, measure, period, mode },
      value: ratio,
    }));
  });
}

function readBackground(metrics: Metrics, services: Services): void {
  const database = services(Database);
  const runs = services(JobRuns);
  metrics.read('gateway_webhook_deliveries_total', () => byLabel('outcome', services(DeliveryAttempts).outcomes));
  metrics.read('gateway_job_runs_total', () =>
    Object.entries(services(JobRunner).ended).flatMap(([job, ended]) =>
      Object.entries(ended).map(([outcome, value]) => ({ labels: { name: job, outcome }, value })),
    ),
  );
  let known: Series[] = [];
  metrics.read('gateway_job_last_success_timestamp_seconds', async () => {
    // Any process might have run the job, so the value comes from the database. During an outage the last value is kept.
    if (database.state !== 'ready') return known;
    const successes = await runs.lastSuccesses();
    return (known = successes.map(({ job, at }) => ({ labels: { name: job }, value: at.getTime() / 1000 })));
  });
}

const byLabel = (label: string, figures: Readonly<Record<string, number>>): Series[] =>
  Object.entries(figures).map(([name, value]) => ({ labels: { [label]: name }, value }));
