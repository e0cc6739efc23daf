import { runbookUrl } from './runbook.js';

export const RELEASES = [
  { release: 'gateway', namespace: 'production', cap: 9_500_000 },
  { release: 'gateway', namespace: 'staging', cap: 1_000_000 },
  { release: 'canary', namespace: 'production', cap: 9_500_000 },
];

const [production, staging, canary] = RELEASES.map(({ release, namespace }) => ({
  namespace,
  job: `${release}-inference-gateway-metrics`,
}));
const series = (metric, labels, values) => ({
  series: `${metric}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`,
  values,
});
const info = (release) => series('gateway_info', { ...release, instance: 'pod' }, '1x60');
const vanished = (release) => series('gateway_info', { ...release, instance: 'pod' }, '1x10 stale');
const requests = (release, status, values) =>
  series('gateway_requests_total', { ...release, instance: 'pod', route: '/v1/chat/completions', status }, values);
const ofUpstream = (metric, release, upstream, values) =>
  series(`gateway_upstream_${metric}`, { ...release, instance: 'pod', upstream }, values);
const limitUse = (release, id, changed, values) =>
  series(
    'gateway_limit_used_ratio',
    {
      ...release,
      instance: 'pod',
      limit_id: id,
      scope: 'account',
      measure: 'cost',
      period: 'month',
      mode: 'enforce',
      ...changed,
    },
    values,
  );
const fires = (alertname, severity, labels, summary, evalTime = '30m') => ({
  eval_time: evalTime,
  alertname,
  exp_alerts: [
    {
      exp_labels: { severity, ...labels },
      exp_annotations: { summary, runbook_url: runbookUrl(alertname) },
    },
  ],
});
const silent = (alertname, evalTime = '30m') => ({ eval_time: evalTime, alertname, exp_alerts: [] });
const NOT_READY = 'No gateway pod is ready, or Prometheus cannot scrape any.';

/** Unit tests for `promtool test rules`, with the rules of all releases loaded. Each expects exactly one alert. */
export const alertTests = [
  {
    name: 'A healthy staging with more traffic does not hide the errors of production.',
    interval: '1m',
    input_series: [
      info(production),
      info(staging),
      info(canary),
      requests(production, '200', '0+540x60'),
      requests(production, '502', '0+60x60'),
      requests(staging, '200', '0+60000x60'),
      requests(canary, '200', '0+600x60'),
    ],
    alert_rule_test: [
      fires('GatewayErrorRate', 'critical', production, '10% of the responses on /v1 are 5xx.'),
      silent('GatewayNoReadyReplica'),
    ],
  },
  {
    name: 'Each release uses its own cap.',
    interval: '1m',
    input_series: [requests(production, '200', '900000x60'), requests(staging, '200', '900000x60')],
    alert_rule_test: [
      fires(
        'GatewayInstanceCapNear',
        'warning',
        { ...staging, instance: 'pod' },
        'pod has served 900000 requests and is close to GW_INSTANCE_MONTHLY_CAP.',
      ),
    ],
  },
  {
    name: 'Requests without a price are reported for their upstream, and not while all have one.',
    interval: '1m',
    input_series: [
      series('gateway_unpriced_requests_total', { ...production, instance: 'pod', upstream: 'own' }, '0x70 1x50'),
      series('gateway_unpriced_requests_total', { ...production, instance: 'pod', upstream: 'openai' }, '0x120'),
      series('gateway_unpriced_requests_total', { ...staging, instance: 'pod', upstream: 'own' }, '5x120'),
    ],
    alert_rule_test: [
      silent('GatewayUnpricedRequests', '70m'),
      fires(
        'GatewayUnpricedRequests',
        'warning',
        { ...production, upstream: 'own' },
        'The costs of the upstream own lack requests whose model has no price.',
        '100m',
      ),
    ],
  },
  {
    name: 'A limit of the account is reported before it refuses all keys. Limits that only observe, and short ones, are not.',
    interval: '1m',
    input_series: [
      limitUse(production, '7', {}, '0.5x20 0.96x100'),
      limitUse(staging, '7', { mode: 'observe' }, '2x120'),
      limitUse(staging, '8', { period: 'minute' }, '1x120'),
      limitUse(staging, '9', { scope: 'team' }, '1x120'),
    ],
    alert_rule_test: [
      silent('GatewayAccountLimitNear', '15m'),
      fires(
        'GatewayAccountLimitNear',
        'warning',
        { ...production, limit_id: '7', measure: 'cost', period: 'month' },
        '96% of the limit 7 of the account (cost, month) is used. At 100%, the gateway refuses the requests of all keys.',
      ),
    ],
  },
  {
    name: 'A release without processes is reported while others run.',
    interval: '1m',
    input_series: [info(staging), info(canary)],
    alert_rule_test: [fires('GatewayNoReadyReplica', 'critical', production, NOT_READY)],
  },
  {
    name: 'A Deployment without ready pods is reported with namespace and job of its gateway.',
    interval: '1m',
    input_series: [
      info(production),
      info(staging),
      info(canary),
      ...[production, staging].map(({ namespace }, ready) =>
        series(
          'kube_deployment_status_replicas_ready',
          { namespace, deployment: 'gateway-inference-gateway', job: 'kube-state-metrics' },
          `${ready}x60`,
        ),
      ),
    ],
    alert_rule_test: [fires('GatewayNoReadyReplica', 'critical', production, NOT_READY)],
  },
  {
    name: 'An unreachable upstream is reported by its name, while others can be reached.',
    interval: '1m',
    input_series: [
      ofUpstream('breaker_open', production, 'openai', '1x60'),
      ofUpstream('breaker_open', production, 'azure', '0x60'),
    ],
    alert_rule_test: [
      fires(
        'GatewayBreakerOpen',
        'critical',
        { ...production, instance: 'pod', upstream: 'openai' },
        'pod cannot connect to the upstream openai. Requests that no other upstream can serve fail with 502.',
      ),
    ],
  },
  {
    name: 'An upstream that rejects its credential is reported by its name.',
    interval: '1m',
    input_series: [
      ofUpstream('refused', production, 'openai', '1x60'),
      ofUpstream('refused', staging, 'openai', '0x60'),
    ],
    alert_rule_test: [
      fires(
        'GatewayUpstreamRefused',
        'critical',
        { ...production, upstream: 'openai' },
        'The upstream openai rejects the account or a model.',
      ),
    ],
  },
  {
    name: 'An upstream that fails is reported by its name, unless it has recovered within two minutes.',
    interval: '1m',
    input_series: [
      ofUpstream('failing', production, 'openai', '1x60'),
      ofUpstream('failing', production, 'recovered', '0x28 1 0x31'),
    ],
    alert_rule_test: [
      fires(
        'GatewayUpstreamFailing',
        'critical',
        { ...production, upstream: 'openai' },
        'The upstream openai does not serve its requests.',
      ),
    ],
  },
  {
    name: 'Lost changes are reported once per release, until someone has decided about them.',
    interval: '1m',
    input_series: [
      series('gateway_lost_changes', { ...production, instance: 'pod' }, '0x10 3x50'),
      series('gateway_lost_changes', { ...production, instance: 'other' }, '0x10 3x50'),
      series('gateway_lost_changes', { ...staging, instance: 'pod' }, '3x10 0x50'),
    ],
    alert_rule_test: [
      fires(
        'GatewayChangesLost',
        'critical',
        production,
        `The database of ${production.namespace}/${production.job} has lost 3 changes that nobody has decided about.`,
      ),
    ],
  },
  {
    name: 'An upstream that rejects all requests is reported, but not an idle one or one that has recovered.',
    interval: '1m',
    input_series: [
      ofUpstream('share', production, 'openai', '0 0 0 0.1 0 0 0 0 0 0.1 0x50'),
      ofUpstream('attempts_total', production, 'openai', '0+1x60'),
      ofUpstream('share', production, 'idle', '0.1x60'),
      ofUpstream('attempts_total', production, 'idle', '5x60'),
      ofUpstream('share', production, 'recovered', '0x27 0.2x33'),
      ofUpstream('attempts_total', production, 'recovered', '0+1x60'),
    ],
    alert_rule_test: [
      fires(
        'GatewayUpstreamLimited',
        'warning',
        { ...production, upstream: 'openai' },
        'The upstream openai has been rejecting requests or not responding for 10 minutes.',
      ),
      silent('GatewayUpstreamRefused'),
    ],
  },
  {
    name: 'A forgotten drain is reported after a day, even if the pods were replaced.',
    interval: '1m',
    input_series: [
      series('gateway_upstream_draining', { ...production, instance: 'old', upstream: 'azure' }, '1x700 stale'),
      series('gateway_upstream_draining', { ...production, instance: 'new', upstream: 'azure' }, '_x690 1x900'),
    ],
    alert_rule_test: [
      silent('GatewayUpstreamDraining', '23h'),
      fires(
        'GatewayUpstreamDraining',
        'warning',
        { ...production, upstream: 'azure' },
        'The upstream azure has been draining for a day.',
        '25h',
      ),
    ],
  },
  {
    name: 'An invalid upstreams file is reported for each process that reads it.',
    interval: '1m',
    input_series: [
      series('gateway_upstreams_reload_failed', { ...production, instance: 'pod' }, '1x60'),
      series('gateway_upstreams_reload_failed', { ...staging, instance: 'pod' }, '0x60'),
    ],
    alert_rule_test: [
      fires(
        'GatewayUpstreamsReloadFailed',
        'warning',
        { ...production, instance: 'pod' },
        'The new file of GW_UPSTREAMS is invalid. pod uses the older one.',
      ),
    ],
  },
];

/** Unit tests for the rules of alerts.yaml without the chart, which cover all gateways that Prometheus scrapes. */
export const standaloneTests = [
  {
    name: 'A gateway whose processes vanish is reported while another is healthy, without kube-state-metrics.',
    interval: '1m',
    input_series: [vanished(production), info(staging), info(canary)],
    alert_rule_test: [fires('GatewayNoReadyReplica', 'critical', production, NOT_READY)],
  },
  {
    name: 'Gateways that run are not reported.',
    interval: '1m',
    input_series: [info(production), info(staging)],
    alert_rule_test: [silent('GatewayNoReadyReplica')],
  },
];
