export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
  readonly aggregation: 'sum' | 'max' | 'min' | 'first';
  readonly bounds?: readonly number[];
  readonly help: string;
}

const RESPONSE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600] as const;
const OVERHEAD_SECONDS = [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;
const ADMISSION_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2] as const;

/** After adding a metric, register its source with `Metrics.read` and run `npm run docs:metrics`. */
export const METRICS = {
  gateway_info: gauge(['version'], 'first', 'Always 1. The label contains the running version'),
  gateway_requests_total: counter(
    ['route', 'status', 'model'],
    'Responses. Status is the three-digit HTTP status, or aborted if the client disconnected before the response ended',
  ),
  gateway_request_duration_seconds: histogram(
    ['route'],
    RESPONSE_SECONDS,
    'Time from reading the request headers to the end of the response',
  ),
  gateway_overhead_seconds: histogram(
    ['route'],
    OVERHEAD_SECONDS,
    'Time that the gateway itself adds before the response headers. Includes admission, but not waiting for the upstream or for the request body',
  ),
  gateway_time_to_first_byte_seconds: histogram(
    ['route'],
    RESPONSE_SECONDS,
    'Time from reading the request headers to the first byte of the response body',
  ),
  gateway_requests_in_flight: gauge([], 'sum', 'Requests whose response has not ended'),
  gateway_streams_open: gauge([], 'sum', 'Event streams that the gateway is sending to clients'),
  gateway_tokens_total: counter(
    ['direction', 'source'],
    'Recorded tokens. Direction is input or output. Source is reported, estimated or partial',
  ),
  gateway_cost_dollars_total: counter(
    ['upstream'],
    'Cost of recorded requests in US dollars. It is a rounded number for graphs. The exact sums are in the database (`GET /admin/costs`). Requests without a price add nothing',
  ),
  gateway_unpriced_requests_total: counter(
    ['upstream'],
    'Recorded requests whose usage has no price, or no complete one. Their cost is missing in gateway_cost_dollars_total',
  ),
  gateway_upstream_input_tokens_total: counter(
    ['upstream'],
    "Input tokens of recorded requests, including those from the provider's prompt cache",
  ),
  gateway_upstream_cached_tokens_total: counter(
    ['upstream'],
    "Input tokens that were read from the provider's prompt cache. The hit rate is their share of gateway_upstream_input_tokens_total",
  ),
  gateway_upstream_cache_saved_dollars_total: counter(
    ['upstream'],
    'How much less these cached tokens cost than other input tokens, in US dollars. The extra price of cache writes is not subtracted',
  ),
  gateway_admission_batch_requests: histogram(
    [],
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    'Requests per admission batch',
  ),
  gateway_admission_batch_seconds: histogram(
    ['outcome'],
    ADMISSION_SECONDS,
    'Duration of an admission batch. Outcome is settled, refused (the database rolled it back) or unknown (the database did not respond)',
  ),
  gateway_admission_waiting: gauge([], 'sum', 'Requests that wait for the next admission batch'),
  gateway_queue_depth: gauge(
    ['queue'],
    'sum',
    'Number of items in each queue: rows to write (samples, refusals, usage), responses whose tokens are being estimated (estimates), requests that wait for an upstream connection (upstream). For body_bytes and parsed_bytes, the bytes of memory that request bodies and parsed request bodies use',
  ),
  gateway_dropped_total: counter(
    ['queue'],
    'Items that a full queue did not accept. The effect is a lost row (samples, refusals), a rough estimate (estimates) or a rejected request (usage, upstream, body_bytes, parsed_bytes)',
  ),
  gateway_unstored_records_total: counter(
    ['source'],
    'Rows that the database rejected and that were set aside: usage with its costs (usage) and request logs (request_logs, request_refusals). GET /admin/unstored-records lists them with the reason',
  ),
  gateway_upstream_connections: gauge([], 'sum', 'Open connections to all upstreams'),
  gateway_upstream_failures_total: counter(
    ['upstream', 'reason'],
    'Upstream requests that failed. Upstream is default or messages, or a name in the GW_UPSTREAMS file. Reason is connect, breaker, no_connection, head_timeout, idle_timeout, reset, protocol, encoding, internal, status (a response outside 2xx) or error_object (a 2xx response with an error)',
  ),
  gateway_upstream_breaker_open: gauge(['upstream'], 'max', '1 while the circuit breaker is open and rejects requests'),
  gateway_upstream_attempts_total: counter(
    ['upstream'],
    'Requests of clients that were sent to an upstream of GW_UPSTREAMS. A request counts once for each upstream that it is sent to',
  ),
  gateway_upstream_failovers_total: counter(
    ['upstream'],
    'Requests that moved from an upstream of GW_UPSTREAMS to another one, because it rejected them or did not respond',
  ),
  gateway_upstream_fallbacks_total: counter(
    ['upstream', 'reason'],
    'Requests that an upstream of GW_UPSTREAMS got for a fallback model of their route. Reason is context_length or content_filter',
  ),
  gateway_upstream_running: gauge(
    ['upstream'],
    'sum',
    'Requests that use a connection to an upstream of GW_UPSTREAMS. Includes reads of model lists and probes',
  ),
  gateway_upstream_waiting: gauge(
    ['upstream'],
    'sum',
    'Requests that wait for a connection to an upstream of GW_UPSTREAMS',
  ),
  gateway_upstream_share: gauge(
    ['upstream'],
    'min',
    'Share of its requests that an upstream of GW_UPSTREAMS gets, from 0 to 1: the lowest share of its models. Rate limits and failures reduce it',
  ),
  gateway_upstream_recent_latency_seconds: gauge(
    ['upstream'],
    'max',
    'Recent average time to the response headers of an upstream of GW_UPSTREAMS. No series before its first response',
  ),
  gateway_upstream_draining: gauge(
    ['upstream'],
    'max',
    '1 while an operator drains the upstream of GW_UPSTREAMS, so that new requests go to others',
  ),
  gateway_upstream_refused: gauge(
    ['upstream'],
    'max',
    '1 while the upstream of GW_UPSTREAMS rejects the account or a model, for requests of clients or of the gateway itself',
  ),
  gateway_upstream_failing: gauge(
    ['upstream'],
    'max',
    '1 while the upstream of GW_UPSTREAMS gets fewer requests, because it did not serve several of them',
  ),
  gateway_upstreams_reload_failed: gauge(
    [],
    'max',
    '1 while the newest content of the GW_UPSTREAMS file is invalid, so that an older one is in use. Only with GW_UPSTREAMS',
  ),
  gateway_upstreams_loaded_timestamp_seconds: gauge(
    [],
    'min',
    'Unix time at which the upstreams in use were read from the GW_UPSTREAMS file. Only with GW_UPSTREAMS',
  ),
  gateway_object_owner_failures_total: counter(
    ['operation'],
    'Database failures about stored objects: lookups of the upstream that created an object (read), and changes that were lost because their queue was full (write). Only with GW_UPSTREAMS',
  ),
  gateway_object_owner_unwritten: gauge(
    [],
    'sum',
    'Changes to the upstreams of stored objects that are not written to the database yet. Only with GW_UPSTREAMS',
  ),
  gateway_limits: gauge(['scope'], 'max', 'Enabled limits of the account, of teams, keys and tags'),
  gateway_request_errors_total: counter(
    ['code'],
    'Requests under /v1 that were rejected or failed, by error code. The code other stands for errors of a provider that were passed on',
  ),
  gateway_limit_refusals_total: counter(
    ['scope', 'measure'],
    'Requests that a limit of the account, a team, a key or a tag rejected. The limits that belong to a key itself (requests per minute, day and month, tokens per month) are not included',
  ),
  gateway_limit_used_ratio: gauge(
    ['limit_id', 'scope', 'measure', 'period', 'mode'],
    'max',
    'Used and reserved share of a limit, 1 when it is reached. Only the 50 limits with the highest share, read at most every 15 seconds. `GET /admin/limits/{id}` returns the name of a limit',
  ),
  gateway_event_loop_lag_seconds: quantiles(
    'max',
    'Event loop delay since the last scrape or export: median, 99th percentile and maximum',
  ),
  gateway_key_change_lag_seconds: histogram(
    [],
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 1, 2, 5, 30],
    'Delay between an API key change, by the database clock, and its arrival in this process',
  ),
  gateway_database_up: gauge([], 'min', '1 while the database is available'),
  gateway_statistics_database_used: gauge(
    [],
    'min',
    '1 while reports read from GW_STATISTICS_DATABASE_URL, 0 while they read from the primary',
  ),
  gateway_statistics_database_lag_seconds: gauge([], 'max', 'How far the replica of the reports is behind the primary'),
  gateway_lost_changes: gauge(
    [],
    'max',
    'Changes that the database has lost, and about which no operator has decided. GET /admin/lost-changes lists them',
  ),
  gateway_database_outage_served_total: counter([], 'Requests admitted from memory while the database was unavailable'),
  gateway_database_outage_owed: gauge([], 'sum', 'Requests admitted from memory that are not in the stored counts yet'),
  gateway_webhook_deliveries_total: counter(
    ['outcome'],
    'Webhook delivery attempts. Outcome is delivered, retry or dead (no further retries)',
  ),
  gateway_job_runs_total: counter(
    ['name', 'outcome'],
    'Job runs that ended in this process. Outcome is succeeded or failed',
  ),
  gateway_job_last_success_timestamp_seconds: gauge(
    ['name'],
    'max',
    'Unix time of the last successful run of the job in any process',
  ),
  gateway_workers: gauge([], 'sum', 'Running worker processes (GW_WORKERS)'),
  gateway_worker_restarts_total: counter([], 'Worker processes that were restarted after they exited'),
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;
export type FigureName = { [N in MetricName]: (typeof METRICS)[N]['type'] extends 'histogram' ? never : N }[MetricName];
export type HistogramName = Exclude<MetricName, FigureName>;

function counter<const L extends readonly string[]>(labels: L, help: string) {
  return { type: 'counter', labels, aggregation: 'sum', help } as const;
}

function gauge<const L extends readonly string[]>(
  labels: L,
  aggregation: MetricDefinition['aggregation'],
  help: string,
) {
  return { type: 'gauge', labels, aggregation, help } as const;
}

/** Values by quantile, without a sum and a count. According to the conventions, no other type can have the label `quantile`. */
function quantiles(aggregation: MetricDefinition['aggregation'], help: string) {
  return { type: 'summary', labels: ['quantile'], aggregation, help } as const;
}

function histogram<const L extends readonly string[], const B extends readonly number[]>(
  labels: L,
  bounds: B,
  help: string,
) {
  return { type: 'histogram', labels, aggregation: 'sum', bounds, help } as const;
}

const HEAD = `# Metrics

The gateway exposes Prometheus metrics at \`http://GW_METRICS_HOST:GW_METRICS_PORT/metrics\`, on a separate listener and never
on the public port. Without \`GW_METRICS_PORT\`, this endpoint is off. The endpoint has no authentication, so keep it on a
private network. \`npm run docs:metrics\` generates this page from the code.

- \`route\` is a route template (\`/v1/files/{file_id}\`), or \`unmatched\` if no route matches. Preflights are not counted.
- \`model\` is a model ID in the model catalog, or in the model registry while no catalog is loaded. A process uses at most
  200 model IDs as labels. Any other model is \`other\`, and a request without a model is \`none\`, so that clients cannot create label values.
- With \`GW_WORKERS\`, the gateway combines the values of all workers into one. The last column shows how.
- Counters start at 0 when their process starts. Series by route, model or status appear with their first event. All other series
  exist from the start.
- With \`GW_UPSTREAMS\`, \`upstream\` is one of at most 64 names in the file. The series of an upstream disappear when it is
  removed from the file. Metrics of the upstreams in the file are exported only with \`GW_UPSTREAMS\`.
- The endpoint also exposes prom-client's default metrics, \`process_*\` and \`nodejs_*\`.
- The endpoint responds in the OpenMetrics format if the scraper prefers it in \`Accept\`. Buckets of \`gateway_request_duration_seconds\`,
  \`gateway_overhead_seconds\` and \`gateway_time_to_first_byte_seconds\` then contain the trace ID of a sampled request as an exemplar.
- With \`OTEL_METRICS_EXPORTER=otlp\`, the same metrics are sent to a collector, without exemplars.

| metric | type | labels | meaning | workers |
| --- | --- | --- | --- | --- |
`;

export function metricsTable(): string {
  return HEAD + (Object.entries(METRICS) as [string, MetricDefinition][]).map(row).join('');
}

function row([name, { type, labels, help, aggregation }]: [string, MetricDefinition]): string {
  const cells = [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help, aggregation];
  return `| ${cells.join(' | ')} |\n`;
}
