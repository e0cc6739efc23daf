import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { AggregatorRegistry } from 'prom-client';
import { KeyChangeLag } from '../../../src/platform/telemetry/metrics/lag.js';
import { METRICS, metricsTable } from '../../../src/platform/telemetry/metrics/metrics.data.js';
import { Metrics } from '../../../src/platform/telemetry/metrics/metrics.js';
import { MODEL_LABELS_MAX, ModelLabels } from '../../../src/platform/telemetry/metrics/request-metrics.js';
import { Tally } from '../../../src/platform/telemetry/metrics/tally.js';

function metricsWith() {
  const warnings: string[] = [];
  return { metrics: new Metrics({ warn: (text: string) => void warnings.push(text) }), warnings };
}

test('docs/metrics.md matches the code', () => {
  expect(readFileSync('docs/metrics.md', 'utf8')).toBe(metricsTable());
});

test.each(Object.entries(METRICS))('%s follows the naming conventions of Prometheus', (name, definition) => {
  expect(name).toMatch(/^gateway_[a-z]+(_[a-z]+)*$/);
  expect(name.endsWith('_total')).toBe(definition.type === 'counter');
  if ('bounds' in definition) expect(definition.bounds).toEqual(definition.bounds.toSorted((a, b) => a - b));
});

describe('histograms', () => {
  test('buckets are cumulative and include their upper bound', async () => {
    const { metrics } = metricsWith();
    const tally = new Tally([1, 2.5]);
    for (const value of [0.5, 1, 2, 3]) tally.observe(value);
    metrics.readTallies('gateway_overhead_seconds', () => [{ labels: { route: '/a"\\b' }, value: tally }]);
    expect((await metrics.registry.metrics()).split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'gateway_overhead_seconds_bucket{le="1",route="/a\\"\\\\b"} 2',
      'gateway_overhead_seconds_bucket{le="2.5",route="/a\\"\\\\b"} 3',
      'gateway_overhead_seconds_bucket{le="+Inf",route="/a\\"\\\\b"} 4',
      'gateway_overhead_seconds_sum{route="/a\\"\\\\b"} 6.5',
      'gateway_overhead_seconds_count{route="/a\\"\\\\b"} 4',
      '',
    ]);
  });
});

test('an unreadable metric is omitted with one warning, and the others are exported', async () => {
  const { metrics, warnings } = metricsWith();
  metrics.read('gateway_database_up', () => Promise.reject(new Error('unreadable')));
  metrics.read('gateway_requests_in_flight', () => 7);
  metrics.read('gateway_workers', () => null);
  for (let time = 0; time < 2; time++) {
    const text = await metrics.registry.metrics();
    expect(text).toContain('gateway_requests_in_flight 7');
    expect(text).not.toMatch(/^gateway_(database_up|workers)/m);
  }
  expect(warnings).toEqual(['Cannot read the metric gateway_database_up: Error: unreadable']);
});

test('metrics of several processes are aggregated into one set by their own rule', async () => {
  const each = [1, 2].map(async (value) => {
    const { metrics } = metricsWith();
    const tally = new Tally([1]);
    tally.observe(value);
    metrics.read('gateway_requests_in_flight', () => value);
    metrics.read('gateway_database_up', () => value - 1);
    metrics.read('gateway_upstream_breaker_open', () => [{ labels: { upstream: 'default' }, value: value - 1 }]);
    metrics.read('gateway_info', () => [{ labels: { version: '1' }, value: 1 }]);
    metrics.readTallies('gateway_admission_batch_requests', () => [{ labels: {}, value: tally }]);
    return metrics.registry.getMetricsAsJSON();
  });
  const text = await AggregatorRegistry.aggregate(await Promise.all(each)).metrics();
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'gateway_requests_in_flight 3',
    'gateway_database_up 0',
    'gateway_upstream_breaker_open{upstream="default"} 1',
    'gateway_info{version="1"} 1',
    'gateway_admission_batch_requests_bucket{le="1"} 1',
    'gateway_admission_batch_requests_bucket{le="+Inf"} 2',
    'gateway_admission_batch_requests_sum 3',
    'gateway_admission_batch_requests_count 2',
  ]);
});

test('only known models become labels, up to the limit, and labels never change', () => {
  const labels = new ModelLabels();
  const isKnown = (model: string) => model.startsWith('known');
  expect(labels.labelOf(null, isKnown)).toBe('none');
  expect(labels.labelOf('made-up', isKnown)).toBe('other');
  const known = Array.from({ length: MODEL_LABELS_MAX + 50 }, (_, at) => labels.labelOf(`known-${at}`, isKnown));
  expect(new Set(known).size).toBe(MODEL_LABELS_MAX + 1);
  expect(labels.labelOf('known-0', isKnown)).toBe('known-0');
  expect(labels.labelOf(`known-${MODEL_LABELS_MAX}`, isKnown)).toBe('other');
});

test('the lag of a key change ends at its first report, even if a later poll adds the time of the change', () => {
  const lag = new KeyChangeLag();
  lag.record('notified', undefined, 1010);
  lag.record('notified', undefined, 1200);
  lag.record('notified', 1000, 1400);
  lag.record('polled', 1000, 1400);
  lag.record('ahead', 2000, 1400);
  lag.record('forgotten', undefined, 1000);
  lag.record(null, undefined, 1000);
  lag.record('forgotten', 5000, 5500);
  expect(lag.tally.counts.reduce((sum, count) => sum + count)).toBe(4);
  expect(lag.tally.sum).toBeCloseTo(0.01 + 0.4 + 0 + 0.5);
});
