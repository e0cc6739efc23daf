import { parser } from '@prometheus-io/lezer-promql';
import { METRICS } from '../../dist/src/telemetry/metrics/metrics.data.js';

const HISTOGRAM_PARTS = /_(bucket|sum|count)$/;
/** Of the target, and what Prometheus makes of a metric's own label where the target has one of that name. */
const TARGET_LABELS = ['job', 'instance', 'namespace', 'pod', 'service'];
/** Not the gateway's own, with the labels that are used of them. */
const OTHERS = {
  process_resident_memory_bytes: [],
  process_cpu_seconds_total: [],
  kube_deployment_status_replicas_ready: ['deployment'],
};

const ours = Object.entries(METRICS);
const histograms = new Set(ours.filter(([, { type }]) => type === 'histogram').map(([name]) => name));
const labelsOf = new Map([...ours.map(([name, { labels }]) => [name, labels]), ...Object.entries(OTHERS)]);

/** What is wrong with an expression: how it is written, a metric or a label that there is not. Empty where it is right. */
export function faultsOf(expression) {
  const faults = [];
  const labels = new Set(['le', ...TARGET_LABELS]);
  const used = [];
  const text = (node) => expression.slice(node.from, node.to);
  const tree = parser.parse(expression);
  tree.iterate({
    enter: (node) => {
      if (node.type.isError)
        faults.push(`is no PromQL at ${node.from}: ${expression.slice(node.from, node.from + 30)}`);
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
  if (!labelsOf.has(metric)) faults.push(`there is no metric ${name}`);
  else if (histograms.has(name)) faults.push(`${name} is a histogram: only its _bucket, _sum and _count are there`);
  else for (const label of labelsOf.get(metric)) labels.add(label);
}
