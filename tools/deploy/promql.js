import { parser } from '@prometheus-io/lezer-promql';
import { METRICS } from '../../dist/src/platform/telemetry/metrics/metrics.data.js';

const HISTOGRAM_PARTS = /_(bucket|sum|count)$/;
/** Prometheus adds these labels from the scrape target. */
const TARGET_LABELS = ['job', 'instance', 'namespace', 'pod', 'service'];
const OTHER_METRICS = {
  process_resident_memory_bytes: [],
  process_cpu_seconds_total: [],
  kube_deployment_status_replicas_ready: ['deployment'],
};

const ownMetrics = Object.entries(METRICS);
const histograms = new Set(ownMetrics.filter(([, { type }]) => type === 'histogram').map(([name]) => name));
const labelsOf = new Map([...ownMetrics.map(([name, { labels }]) => [name, labels]), ...Object.entries(OTHER_METRICS)]);

export function faultsOf(expression) {
  const faults = [];
  const labels = new Set(['le', ...TARGET_LABELS]);
  const used = [];
  const text = (node) => expression.slice(node.from, node.to);
  const tree = parser.parse(expression);
  tree.iterate({
    enter: (node) => {
      if (node.type.isError)
        faults.push(`invalid PromQL at ${node.from}: ${expression.slice(node.from, node.from + 30)}`);
      if (node.name === 'VectorSelector') nameOf(node, text, labels, faults);
      if (node.name === 'LabelName') used.push(text(node));
    },
  });
  const unknown = [...new Set(used)].filter((label) => !labels.has(label));
  return [...faults, ...unknown.map((label) => `none of its metrics has the label ${label}`)];
}

function nameOf(node, text, labels, faults) {
  const identifier = node.node.getChild('Identifier');
  const name = identifier === null ? '' : text(identifier);
  const base = name.replace(HISTOGRAM_PARTS, '');
  const metric = histograms.has(base) && base !== name ? base : name;
  if (!labelsOf.has(metric)) faults.push(`the metric ${name} does not exist`);
  else if (histograms.has(name)) faults.push(`${name} is a histogram; use its _bucket, _sum, or _count series`);
  else for (const label of labelsOf.get(metric)) labels.add(label);
}

/**
 * Finds selectors and aggregations that mix gateways. A healthy release would hide the outage of another one, or fire its
 * alerts.
 * @param release the namespace and job that every selector must have, or undefined for the placeholder that the chart replaces
 */
export function scopeFaults(expression, release) {
  const faults = [];
  const text = (node) => expression.slice(node.from, node.to);
  const matchers = release ? Object.entries(release).map(([label, value]) => `${label}="${value}"`) : ['job=~".+"'];
  parser.parse(expression).iterate({
    enter: ({ name, node }) => {
      if (name === 'VectorSelector' && text(node).startsWith('gateway_'))
        for (const matcher of matchers)
          if (!text(node).includes(matcher)) faults.push(`${text(node)} does not select ${matcher}`);
      if (name === 'GroupingLabels')
        for (const label of ['namespace', 'job'])
          if (
            !text(node)
              .split(/[(), ]+/)
              .includes(label)
          )
            faults.push(`an aggregation by ${text(node)} drops ${label}`);
      if (name === 'AggregateExpr' && node.getChild('AggregateModifier') === null)
        faults.push(`${text(node).slice(0, 40)} drops namespace and job`);
    },
  });
  return faults;
}
