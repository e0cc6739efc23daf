/** Picks the instances chosen on the dashboard, and further labels. */
const of = (metric, more = '') => `${metric}{job=~"$job",instance=~"$instance"${more === '' ? '' : `,${more}`}}`;
const rate = (metric, more) => `rate(${of(metric, more)}[$__rate_interval])`;
const sum = (by, what) => `sum by (${by}) (${what})`;
const quantile = (q, metric, more) => `histogram_quantile(${q}, ${sum('le', rate(`${metric}_bucket`, more))})`;
const quantiles = (metric, more) => ({
  p50: quantile(0.5, metric, more),
  p95: quantile(0.95, metric, more),
  p99: quantile(0.99, metric, more),
});

/** What callers ask of a provider: probes and operators are left out. */
const V1 = 'route=~"/v1/.+"';
const REQUESTS = 'gateway_requests_total';

/** Each row: its title and its panels; each panel: a line's legend, and what it shows. */
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
      { title: 'In the gateway alone', unit: 's', lines: quantiles('gateway_overhead_seconds', V1) },
      { title: 'To the first byte', unit: 's', lines: quantiles('gateway_time_to_first_byte_seconds', V1) },
      { title: 'Whole requests', unit: 's', lines: quantiles('gateway_request_duration_seconds', V1) },
      {
        title: 'Event loop, how late',
        unit: 's',
        lines: {
          '{{instance}} p99': of('gateway_event_loop_lag_seconds', 'quantile="0.99"'),
          '{{instance}} max': of('gateway_event_loop_lag_seconds', 'quantile="1"'),
        },
      },
    ],
  },
  {
    title: 'Admission and what is behind it',
    panels: [
      {
        title: 'Admission batches',
        unit: 's',
        about: 'One batch is one round trip to the database.',
        lines: quantiles('gateway_admission_batch_seconds'),
      },
      {
        title: 'Requests in a batch, and waiting',
        unit: 'short',
        lines: {
          'in a batch, mean': `sum(${rate('gateway_admission_batch_requests_sum')}) / sum(${rate('gateway_admission_batch_requests_count')})`,
          '{{instance}} waiting': of('gateway_admission_waiting'),
        },
      },
      {
        title: 'Database: 1 is there',
        unit: 'short',
        lines: { '{{instance}}': of('gateway_database_up') },
      },
      {
        title: 'Outages: served from memory, counts owed',
        unit: 'short',
        lines: {
          'served a second': `sum(${rate('gateway_database_outage_served_total')})`,
          '{{instance}} owed': of('gateway_database_outage_owed'),
        },
      },
    ],
  },
  {
    title: 'Provider',
    panels: [
      {
        title: 'Failures',
        unit: 'reqps',
        stacked: true,
        lines: { '{{upstream}} {{reason}}': sum('upstream, reason', rate('gateway_upstream_failures_total')) },
      },
      {
        title: 'Breaker: 1 is open',
        unit: 'short',
        lines: { '{{instance}} {{upstream}}': of('gateway_upstream_breaker_open') },
      },
      { title: 'Connections', unit: 'short', lines: { '{{instance}}': of('gateway_upstream_connections') } },
      {
        title: 'Under way',
        unit: 'short',
        lines: { requests: `sum(${of('gateway_requests_in_flight')})`, streams: `sum(${of('gateway_streams_open')})` },
      },
    ],
  },
  {
    title: 'Work behind the answers',
    panels: [
      { title: 'Waiting in memory', unit: 'short', lines: { '{{queue}}': sum('queue', of('gateway_queue_depth')) } },
      { title: 'Dropped', unit: 'cps', lines: { '{{queue}}': sum('queue', rate('gateway_dropped_total')) } },
      { title: 'A changed key is heard of', unit: 's', lines: quantiles('gateway_key_change_lag_seconds') },
      {
        title: 'Webhooks',
        unit: 'cps',
        lines: { '{{outcome}}': sum('outcome', rate('gateway_webhook_deliveries_total')) },
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      { title: 'Memory', unit: 'bytes', lines: { '{{instance}}': of('process_resident_memory_bytes') } },
      { title: 'Processor, in cores', unit: 'short', lines: { '{{instance}}': rate('process_cpu_seconds_total') } },
      {
        title: 'Workers and their restarts',
        unit: 'short',
        lines: {
          '{{instance}} workers': of('gateway_workers'),
          'restarts an hour': `sum(increase(${of('gateway_worker_restarts_total')}[1h]))`,
        },
      },
      {
        title: 'Since the last success of a job',
        unit: 's',
        lines: {
          '{{name}}': `time() - max by (name) (${of('gateway_job_last_success_timestamp_seconds')})`,
        },
      },
    ],
  },
];
