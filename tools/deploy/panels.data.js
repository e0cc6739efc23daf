const of = (metric, more = '') =>
  `${metric}{namespace=~"$namespace",job=~"$job",instance=~"$instance"${more === '' ? '' : `,${more}`}}`;
const rate = (metric, more) => `rate(${of(metric, more)}[$__rate_interval])`;
const sum = (by, what) => `sum by (${by}) (${what})`;
const quantile = (q, metric, more) => `histogram_quantile(${q}, ${sum('le', rate(`${metric}_bucket`, more))})`;
const quantiles = (metric, more) => ({
  p50: quantile(0.5, metric, more),
  p95: quantile(0.95, metric, more),
  p99: quantile(0.99, metric, more),
});

/** Excludes health probes and operator requests. */
const V1 = 'route=~"/v1/.+"';
const REQUESTS = 'gateway_requests_total';

export const PANELS = [
  {
    title: 'Traffic',
    panels: [
      {
        title: 'Requests by status',
        unit: 'reqps',
        stacked: true,
        lines: { '{{status}}': sum('status', rate(REQUESTS, V1)) },
      },
      {
        title: 'Share of 5xx',
        unit: 'percentunit',
        lines: { '5xx': `sum(${rate(REQUESTS, `${V1},status=~"5.."`)}) / sum(${rate(REQUESTS, V1)})` },
      },
      {
        title: 'Requests by model',
        unit: 'reqps',
        lines: { '{{model}}': `topk(10, ${sum('model', rate(REQUESTS, V1))})` },
      },
      {
        title: 'Tokens',
        unit: 'short',
        lines: { '{{direction}}, {{source}}': sum('direction, source', rate('gateway_tokens_total')) },
      },
    ],
  },
  {
    title: 'Latency',
    panels: [
      { title: 'Gateway overhead', unit: 's', lines: quantiles('gateway_overhead_seconds', V1) },
      { title: 'Time to first byte', unit: 's', lines: quantiles('gateway_time_to_first_byte_seconds', V1) },
      { title: 'Request duration', unit: 's', lines: quantiles('gateway_request_duration_seconds', V1) },
      {
        title: 'Event loop lag',
        unit: 's',
        lines: {
          '{{instance}} p99': of('gateway_event_loop_lag_seconds', 'quantile="0.99"'),
          '{{instance}} max': of('gateway_event_loop_lag_seconds', 'quantile="1"'),
        },
      },
    ],
  },
  {
    title: 'Admission and database',
    panels: [
      {
        title: 'Admission batch duration',
        unit: 's',
        about: 'One batch is one round trip to the database.',
        lines: quantiles('gateway_admission_batch_seconds'),
      },
      {
        title: 'Batch size and waiting requests',
        unit: 'short',
        lines: {
          'mean batch size': `sum(${rate('gateway_admission_batch_requests_sum')}) / sum(${rate('gateway_admission_batch_requests_count')})`,
          '{{instance}} waiting': of('gateway_admission_waiting'),
        },
      },
      {
        title: 'Database (1 = available)',
        unit: 'short',
        lines: { '{{instance}}': of('gateway_database_up') },
      },
      {
        title: 'Outages: requests served from memory and unreconciled',
        unit: 'short',
        lines: {
          'served per second': `sum(${rate('gateway_database_outage_served_total')})`,
          '{{instance}} unreconciled': of('gateway_database_outage_owed'),
        },
      },
    ],
  },
  {
    title: 'Upstream',
    panels: [
      {
        title: 'Upstream failures',
        unit: 'reqps',
        stacked: true,
        lines: { '{{upstream}} {{reason}}': sum('upstream, reason', rate('gateway_upstream_failures_total')) },
      },
      {
        title: 'Circuit breaker (1 = open)',
        unit: 'short',
        lines: { '{{instance}} {{upstream}}': of('gateway_upstream_breaker_open') },
      },
      { title: 'Upstream connections', unit: 'short', lines: { '{{instance}}': of('gateway_upstream_connections') } },
      {
        title: 'Requests in flight',
        unit: 'short',
        lines: { requests: `sum(${of('gateway_requests_in_flight')})`, streams: `sum(${of('gateway_streams_open')})` },
      },
    ],
  },
  {
    title: 'Several upstreams (GW_UPSTREAMS)',
    panels: [
      {
        title: 'Attempts by upstream',
        unit: 'reqps',
        stacked: true,
        about: 'A request counts once for each upstream that it is sent to.',
        lines: { '{{upstream}}': sum('upstream', rate('gateway_upstream_attempts_total')) },
      },
      {
        title: 'Failovers by upstream',
        unit: 'reqps',
        stacked: true,
        about: 'Requests that moved from this upstream to another one.',
        lines: { '{{upstream}}': sum('upstream', rate('gateway_upstream_failovers_total')) },
      },
      {
        title: 'Share of requests (lowest of all instances)',
        unit: 'percentunit',
        about: 'Rate limits and failures reduce the share.',
        lines: { '{{upstream}}': `min by (upstream) (${of('gateway_upstream_share')})` },
      },
      {
        title: 'Running and waiting requests by upstream',
        unit: 'short',
        lines: {
          '{{upstream}} running': sum('upstream', of('gateway_upstream_running')),
          '{{upstream}} waiting': sum('upstream', of('gateway_upstream_waiting')),
        },
      },
    ],
  },
  {
    title: 'Background work',
    panels: [
      { title: 'Queue depth', unit: 'short', lines: { '{{queue}}': sum('queue', of('gateway_queue_depth')) } },
      { title: 'Dropped entries', unit: 'cps', lines: { '{{queue}}': sum('queue', rate('gateway_dropped_total')) } },
      { title: 'Key change lag', unit: 's', lines: quantiles('gateway_key_change_lag_seconds') },
      {
        title: 'Webhook deliveries',
        unit: 'cps',
        lines: { '{{outcome}}': sum('outcome', rate('gateway_webhook_deliveries_total')) },
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      { title: 'Memory', unit: 'bytes', lines: { '{{instance}}': of('process_resident_memory_bytes') } },
      { title: 'CPU (cores)', unit: 'short', lines: { '{{instance}}': rate('process_cpu_seconds_total') } },
      {
        title: 'Workers and restarts',
        unit: 'short',
        lines: {
          '{{instance}} workers': of('gateway_workers'),
          'restarts per hour': `sum(increase(${of('gateway_worker_restarts_total')}[1h]))`,
        },
      },
      {
        title: 'Time since the last successful job run',
        unit: 's',
        lines: {
          '{{name}}': `time() - max by (name) (${of('gateway_job_last_success_timestamp_seconds')})`,
        },
      },
    ],
  },
  {
    title: 'Limits',
    panels: [
      {
        title: 'Fullest limits',
        unit: 'percentunit',
        about: 'Used and reserved share. GET /admin/limits/{id} shows the name of a limit.',
        lines: {
          '{{limit_id}}: {{measure}}, {{period}}, {{scope}}': `topk(10, max by (limit_id, scope, measure, period) (${of('gateway_limit_used_ratio')}))`,
        },
      },
      {
        title: 'Requests refused by limits',
        unit: 'reqps',
        stacked: true,
        about: 'Without the limits that belong to a key itself.',
        lines: { '{{scope}}: {{measure}}': sum('scope, measure', rate('gateway_limit_refusals_total')) },
      },
    ],
  },
];
