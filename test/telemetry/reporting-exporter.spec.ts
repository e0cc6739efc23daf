import { expect, test } from '@jest/globals';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { ReportingExporter } from '../../src/telemetry/tracing/otlp-tracing.js';

test('a collector that goes away is told of once, and once when it is back; each result goes on as it is', () => {
  const told: (string | null)[] = [];
  const results: number[] = [];
  const [away, there] = [{ code: 1, error: new Error('connect ECONNREFUSED') }, { code: 0 }];
  let next = there;
  const exporter = { export: (_spans, done) => done(next) } as SpanExporter;
  const tested = new ReportingExporter(exporter, (reason) => told.push(reason));
  for (next of [there, away, away, away, there, there, away]) tested.export([], ({ code }) => results.push(code));
  expect(told).toEqual(['connect ECONNREFUSED', null, 'connect ECONNREFUSED']);
  expect(results).toEqual([0, 1, 1, 1, 0, 0, 1]);
});
