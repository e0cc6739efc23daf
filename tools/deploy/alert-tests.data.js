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
const requests = (release, status, values) =>
  series('gateway_requests_total', { ...release, instance: 'pod', route: '/v1/chat/completions', status }, values);
const fires = (alertname, severity, labels, summary) => ({
  eval_time: '30m',
  alertname,
  exp_alerts: [
    {
      exp_labels: { severity, ...labels },
      exp_annotations: { summary, runbook_url: `docs/runbook.md#${alertname.toLowerCase()}` },
    },
  ],
});
const silent = (alertname) => ({ eval_time: '30m', alertname, exp_alerts: [] });
const NOT_READY = 'No gateway pod is ready, or Prometheus cannot scrape any.';

/** Unit tests for `promtool test rules`, with the rules of all releases loaded. Each expects exactly one alert. */
export const alertTests = [
  {
    name: 'A healthy staging with more traffic does not hide the errors of production.',
    interval: '1m',
    input_series: [
      ...[info(production), info(staging), info(canary)],
      ...[requests(production, '200', '0+540x60'), requests(production, '502', '0+60x60')],
      ...[requests(staging, '200', '0+60000x60'), requests(canary, '200', '0+600x60')],
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
        ...['GatewayInstanceCapNear', 'warning', { ...staging, instance: 'pod' }],
        'pod has served 900000 requests and is close to GW_INSTANCE_MONTHLY_CAP.',
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
      ...[info(production), info(staging), info(canary)],
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
];
