import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '../../../src/platform/config/config.js';
import { workerSettings } from '../../../src/start/workers/workers.js';
import { traceExporter } from '../../../src/platform/telemetry/otlp/otlp-exporter.js';
import { redactor } from '../../../src/platform/telemetry/redact.js';
import { startGrpcReceiver, startReceiver } from '../../support/otlp-receiver.js';

const TEXT = 'authorization=Bearer%20collector-token-1, x-tenant=acme ,x-honeycomb-team=hcaik_01hq3k5vx9,';
const OF_TRACES = 'OTEL_EXPORTER_OTLP_TRACES_HEADERS';

let folder: string | undefined;
afterEach(() => {
  delete process.env[OF_TRACES];
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

function inFile(text: string): Record<string, string> {
  folder = mkdtempSync(join(tmpdir(), 'gateway-headers-'));
  writeFileSync(join(folder, 'headers'), text);
  return { OTEL_EXPORTER_OTLP_HEADERS_FILE: join(folder, 'headers') };
}

async function sentBy(protocol: string, env: Record<string, string>): Promise<Record<string, unknown>> {
  const receiver = protocol === 'grpc' ? await startGrpcReceiver() : await startReceiver();
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
  const exporter = traceExporter(Config.from({ ...settings, ...env }));
  try {
    const { code } = await new Promise<{ code: number }>((resolve) => exporter.export([], resolve));
    expect(code).toBe(0);
    return receiver.last.headers;
  } finally {
    await exporter.shutdown();
    await receiver.stop();
  }
}

describe('headers for the collector', () => {
  test.each(['http/json', 'http/protobuf', 'grpc'])('a file with headers is used by %s', async (protocol) => {
    const headers = await sentBy(protocol, inFile(`${TEXT}\n`));
    expect(headers).toMatchObject({
      authorization: 'Bearer collector-token-1',
      'x-tenant': 'acme',
      'x-honeycomb-team': 'hcaik_01hq3k5vx9',
    });
  });

  test('headers for traces alone replace those for all signals', async () => {
    process.env[OF_TRACES] = 'x-tenant=traces';
    const headers = await sentBy('http/json', inFile('x-tenant=acme,x-other=1,content-type=text/plain'));
    expect(headers).toMatchObject({ 'x-tenant': 'traces', 'x-other': '1', 'content-type': 'application/json' });
  });

  test('worker processes get the headers of the file as a variable', () => {
    const env = workerSettings(Config.from(inFile(TEXT)), 0);
    expect(env).toMatchObject({ OTEL_EXPORTER_OTLP_HEADERS: TEXT, OTEL_EXPORTER_OTLP_HEADERS_FILE: '' });
  });

  test.each(['secret-token', '=secret-token', 'a b=secret-token', 'a=%E0%A4%A', 'a=x%0Ay', 'a=1,secret-token', 'ü=1'])(
    'the unusable headers %s are rejected without showing them',
    (text) => {
      const start = () => Config.from({ OTEL_EXPORTER_OTLP_HEADERS: text });
      expect(start).toThrow(
        /^OTEL_EXPORTER_OTLP_HEADERS has an invalid value \(not shown\)\. Use a comma-separated list/,
      );
      expect(start).not.toThrow(/secret-token/);
    },
  );
});

describe('headers for the collector in the log', () => {
  const logged = (headers: string, text: string) =>
    redactor(Config.from({ OTEL_EXPORTER_OTLP_HEADERS: headers }))(text);

  test.each([
    ['authorization=Bearer%20collector-token-1', 'Bearer collector-token-1'],
    ['authorization=Bearer%20collector-token-1', 'collector-token-1'],
    ['authorization=Bearer%20collector-token-1', 'Bearer%20collector-token-1'],
    ['authorization=Basic%20dXNlcjpodW50ZXIyaHVudGVy', 'dXNlcjpodW50ZXIyaHVudGVy'],
    ['authorization=Basic%20dXNlcjpodW50ZXIyaHVudGVy', 'hunter2hunter'],
    ['authorization=Basic dXNlcjpodW50ZXIyaHVudGVy==', 'hunter2hunter'],
    ['API-Key=plain-words-only', 'plain-words-only'],
    ['a=1,x-honeycomb-team=hcaik_01hq3k5vx9', 'hcaik_01hq3k5vx9'],
  ])('with %s, %s is redacted', (headers, secret) => {
    expect(logged(headers, `sent <${secret}> to the collector`)).toBe('sent <[redacted]> to the collector');
  });

  test('ordinary words in headers are not redacted', () => {
    const line = 'production gateway, x-scope-orgid production';
    expect(logged('x-scope-orgid=production,x-source=gateway', line)).toBe(line);
  });
});
