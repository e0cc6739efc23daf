/** What one metric is. Names end in their unit; seconds and bytes throughout. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** How the workers of `GW_WORKERS` become one figure. */
  readonly ofWorkers: 'sum' | 'max' | 'min' | 'first';
  /** Upper bounds of a histogram's buckets, ascending. */
  readonly bounds?: readonly number[];
  /** One line without a line end: `# HELP`, and the row in docs/metrics.md. */
  readonly help: string;
}

/** An answer takes from a cached list's moment to a long reasoning's minutes. */
const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600] as const;
/** What the gateway adds is some milliseconds; more of it is what one looks for. */
const OVERHEAD_SECONDS = [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;
const CALL_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2] as const;

/**
 * Every metric of the gateway's own, declared once: docs/metrics.md is made from them. To add one, add it here, say where
 * its figures come from (`Metrics.read`), and run `npm run docs:metrics`.
 */
export const METRICS = {
  gateway_info: gauge(['version'], 'first', '1, with the version that runs'),
  gateway_requests_total: counter(
    ['route', 'status', 'model'],
    'Answers given; status is its three digits, or aborted where the client went before the answer had ended',
  ),
  gateway_request_duration_seconds: histogram(
    ['route'],
    ANSWER_SECONDS,
    "From the moment a request's head was read to its answer's end",
  ),
  gateway_overhead_seconds: histogram(
    ['route'],
    OVERHEAD_SECONDS,
    "The gateway's own part of the time to an answer's head: admission with it, but neither the wait for the upstream nor for the client's body",
  ),
  gateway_time_to_first_byte_seconds: histogram(
    ['route'],
    ANSWER_SECONDS,
    "From the moment a request's head was read to the first byte of its answer's body",
  ),
  gateway_requests_in_flight: gauge([], 'sum', 'Requests whose answer has not ended'),
  gateway_streams_open: gauge([], 'sum', 'Event streams on their way to a client'),
  gateway_tokens_total: counter(
    ['direction', 'source'],
    'Tokens recorded; direction is input or output, source says how they are known: reported, estimated or partial',
  ),
  gateway_admission_batch_requests: histogram(
    [],
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    'Requests in one admission call',
  ),
  gateway_admission_batch_seconds: histogram(
    ['outcome'],
    CALL_SECONDS,
    'What one admission call took; outcome is settled, refused where the store could not do it, or unknown where it gave no answer',
  ),
  gateway_admission_waiting: gauge([], 'sum', 'Requests that wait for the next admission call'),
  gateway_queue_depth: gauge(
    ['queue'],
    'sum',
    'What waits in memory: samples, refusals and usage are rows to be written, estimates are answers whose tokens are being counted, upstream is requests that wait for a connection, body_bytes is memory of request bodies, parsed_bytes of what they become when they are parsed',
  ),
  gateway_dropped_total: counter(
    ['queue'],
    'What a full queue did not take: rows lost (samples, refusals), figures made roughly (estimates), requests refused (usage, upstream, body_bytes, parsed_bytes)',
  ),
  gateway_upstream_connections: gauge([], 'sum', 'Open connections to the upstream'),
  gateway_upstream_failures_total: counter(
    ['upstream', 'reason'],
    'Upstream requests that failed. Upstream is default or messages. Reason is connect, breaker, no_connection, head_timeout, idle_timeout, reset, protocol, encoding, internal, status (a response outside 2xx) or error_object (a 2xx response with an error)',
  ),
  gateway_upstream_breaker_open: gauge(['upstream'], 'max', '1 while the circuit breaker refuses requests'),
  gateway_event_loop_lag_seconds: gauge(
    ['quantile'],
    'max',
    'How late the event loop was since the figures were last read: median, 99th percentile, worst',
  ),
  gateway_key_change_lag_seconds: histogram(
    [],
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 1, 2, 5, 30],
    "From a key's change, by the database's clock, to this process having heard of it",
  ),
  gateway_database_up: gauge([], 'min', '1 while the database can be used'),
  gateway_database_outage_served_total: counter([], 'Requests admitted from memory while the database was away'),
  gateway_database_outage_owed: gauge([], 'sum', 'Of these, requests that are not in the stored counts yet'),
  gateway_webhook_deliveries_total: counter(
    ['outcome'],
    'Attempts to deliver to a webhook; outcome is delivered, retry, or dead where it is not tried any more',
  ),
  gateway_job_runs_total: counter(
    ['name', 'outcome'],
    'Runs of jobs that ended in this process; outcome is succeeded or failed',
  ),
  gateway_job_last_success_timestamp_seconds: gauge(
    ['name'],
    'max',
    'When a run of the job last succeeded, in any process, as a Unix time',
  ),
  gateway_workers: gauge([], 'sum', 'Processes that serve, of GW_WORKERS'),
  gateway_worker_restarts_total: counter([], 'Workers that died and were followed by another'),
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;
/** Those that are read as plain figures. */
export type FigureName = { [N in MetricName]: (typeof METRICS)[N]['type'] extends 'histogram' ? never : N }[MetricName];
export type HistogramName = Exclude<MetricName, FigureName>;

function counter<const L extends readonly string[]>(labels: L, help: string) {
  return { type: 'counter', labels, ofWorkers: 'sum', help } as const;
}

function gauge<const L extends readonly string[]>(labels: L, ofWorkers: MetricDefinition['ofWorkers'], help: string) {
  return { type: 'gauge', labels, ofWorkers, help } as const;
}

function histogram<const L extends readonly string[], const B extends readonly number[]>(
  labels: L,
  bounds: B,
  help: string,
) {
  return { type: 'histogram', labels, ofWorkers: 'sum', bounds, help } as const;
}

const HEAD = `# Metrics

For Prometheus, at \`http://GW_METRICS_HOST:GW_METRICS_PORT/metrics\`: a listener of its own, never on the public port, and off
without \`GW_METRICS_PORT\`. It has no login: keep it inside. This page is made from the code (\`npm run docs:metrics\`).

- \`route\` is the template of a route (\`/v1/files/{file_id}\`), \`unmatched\` where there is none. Preflights are not counted.
- \`model\` is an id that the catalog lists (without a catalog: that the registry knows), 200 different ones at most in the life
  of a process; \`other\` is any other, \`none\` is none. No client can make a label.
- With \`GW_WORKERS\` the figures of all workers are one set: added up, or as the last column says.
- A counter begins at 0 with its process. Series whose labels are known beforehand are there from the start; those by route, model
  or status appear with their first event.
- Beside these: \`process_*\` and \`nodejs_*\`, the defaults of prom-client, and nothing else.

| metric | type | labels | meaning | workers |
| --- | --- | --- | --- | --- |
`;

/** docs/metrics.md, whole. */
export function metricsTable(): string {
  return HEAD + (Object.entries(METRICS) as [string, MetricDefinition][]).map(row).join('');
}

function row([name, { type, labels, help, ofWorkers }]: [string, MetricDefinition]): string {
  const cells = [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help, ofWorkers];
  return `| ${cells.join(' | ')} |\n`;
}
