import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { openMetricsText, wantsOpenMetrics } from '../../../../src/platform/telemetry/metrics/open-metrics.rules.js';
import { Metrics } from '../../../../src/platform/telemetry/metrics/metrics.js';
import type { Key } from '../../../support/gateway.js';
import { startMetered, type MeteredGateway } from '../../../support/metered-gateway.js';
import { startReceiver, type OtlpReceiver } from '../../../support/otlp-receiver.js';

const CHAT = '/v1/chat/completions';
/** The `Accept` headers of Prometheus 2.42 and 3.5. */
const PROMETHEUS = [
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
];

let receiver: OtlpReceiver;
let metered: MeteredGateway;
let key: Key;
beforeAll(async () => {
  receiver = await startReceiver();
  metered = await startMetered({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  key = await metered.gateway.createKey();
});
afterAll(async () => {
  await metered.stop();
  await receiver.stop();
});

const openMetrics = () => fetch(metered.metricsUrl, { headers: { accept: PROMETHEUS[0]! } });

async function tracedChat(flags: string): Promise<string> {
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` };
  const chat = () => metered.gateway.chat(key, {}, { headers });
  await metered.added('gateway_requests_total', { route: CHAT }, chat);
  return traceId;
}

describe('the format that a scraper gets', () => {
  test.each(PROMETHEUS)('the format is OpenMetrics for a Prometheus that sends %s', (accept) => {
    expect(wantsOpenMetrics(accept)).toBe(true);
  });

  test.each([
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['text/plain', false],
    ['application/json', false],
    ['application/openmetrics-text', true],
    ['Application/OpenMetrics-Text; Version=1.0.0', true],
    ['application/openmetrics-text;version=2.0.0', false],
    ['application/openmetrics-text;q=0', false],
    ['application/openmetrics-text;q=0.2, text/plain;q=0.8', false],
    ['application/openmetrics-text;q=nonsense', false],
  ])('the format follows Accept: %s', (accept, isOpen) => {
    expect(wantsOpenMetrics(accept)).toBe(isOpen);
  });

  test('the format is named in Content-Type', async () => {
    const open = await openMetrics();
    expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const text = await fetch(metered.metricsUrl);
    expect(text.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });
});

describe('OpenMetrics', () => {
  const seriesOf = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.replace(/ # .*$/, '').replace(/ \S+$/, ''));

  test('OpenMetrics has exactly the series of the text format, in the same order', async () => {
    await tracedChat('01');
    const open = seriesOf(await (await openMetrics()).text());
    const text = seriesOf((await metered.scrape()).text);
    const stable = (series: string[]) => series.filter((name) => !/^nodejs_(active|gc)/.test(name));
    expect(stable(open)).toEqual(stable(text));
  });

  test('OpenMetrics has one family per metric, without the suffix of counters, and ends with EOF', async () => {
    const text = await (await openMetrics()).text();
    const lines = text.split('\n');
    expect(lines.slice(-2)).toEqual(['# EOF', '']);
    expect(lines.slice(0, -1)).not.toContain('');
    expect(text).toContain('# TYPE gateway_requests counter\n');
    expect(text).toContain('# TYPE gateway_event_loop_lag_seconds summary\n');
    expect(text).toContain('# TYPE nodejs_active_handles_total unknown\n');
    const families = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]!);
    expect(new Set(families).size).toBe(families.length);
    // Each sample follows the head of its family.
    let family = '';
    for (const line of lines.slice(0, -2)) {
      if (line.startsWith('# TYPE')) family = line.split(' ')[2]!;
      else if (!line.startsWith('#')) expect(line.slice(0, family.length)).toBe(family);
    }
  });

  test('OpenMetrics escapes quotes, backslashes and line feeds', async () => {
    const metrics = new Metrics({ warn: () => undefined });
    metrics.read('gateway_info', () => [{ labels: { version: '1"\\\n' }, value: 1 }]);
    expect(openMetricsText(await metrics.figures())).toContain('gateway_info{version="1\\"\\\\\\n"} 1\n');
  });

  test('the buckets of request times have the trace ID of a sampled request as exemplar', async () => {
    const traceId = await tracedChat('01');
    const text = await (await openMetrics()).text();
    for (const name of [
      'gateway_request_duration_seconds',
      'gateway_overhead_seconds',
      'gateway_time_to_first_byte_seconds',
    ]) {
      const [, bound, value, time] =
        new RegExp(
          `^${name}_bucket\\{le="([^"]+)",route="${CHAT}"\\} \\d+ # \\{trace_id="${traceId}"\\} (\\S+) (\\S+)$`,
          'm',
        ).exec(text) ?? [];
      expect(Number(value)).toBeGreaterThan(0);
      expect(Number(value)).toBeLessThanOrEqual(bound === '+Inf' ? Infinity : Number(bound));
      expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
    }
    expect((await metered.scrape()).text).not.toContain(traceId);
  });

  test('a request that is not sampled leaves no exemplar', async () => {
    const traceId = await tracedChat('00');
    expect(await (await openMetrics()).text()).not.toContain(traceId);
  });
});
