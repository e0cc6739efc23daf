import { expect, test } from '@jest/globals';
import { ReportingExporter, type Exporter } from '../../../src/platform/telemetry/otlp/reporting-exporter.js';

test('a collector outage is reported once at its start and once at its end', () => {
  const reports: (string | null)[] = [];
  const results: number[] = [];
  const [failed, succeeded] = [{ code: 1, error: new Error('connect ECONNREFUSED') }, { code: 0 }];
  let next = succeeded;
  const exporter = { export: (_spans, done) => done(next) } as Exporter<unknown[]>;
  const tested = new ReportingExporter(exporter, (reason) => reports.push(reason));
  for (next of [succeeded, failed, failed, failed, succeeded, succeeded, failed])
    tested.export([], ({ code }) => results.push(code));
  expect(reports).toEqual(['connect ECONNREFUSED', null, 'connect ECONNREFUSED']);
  expect(results).toEqual([0, 1, 1, 1, 0, 0, 1]);
});
