import { afterEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { StatsWriter } from '../../../src/stats/stats-writer.service.js';
import { UpstreamClient } from '../../../src/upstream/upstream-client.js';
import { errorIn, errorCodeIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import type { Response, Key, TestGateway } from '../../support/gateway.js';
import { rawUpstream } from '../../support/scripted-upstream.js';
import { FaultyUpstream } from '../../faults/faulty-upstream.js';

/** Faults in the upstream's address. Each needs its own gateway. Faults of single responses are in `upstream-matrix.spec.ts`. */
const CONNECT_MS = 1_000;

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function gatewayTo(url: string, env: Record<string, string> = {}): Promise<{ gateway: TestGateway; key: Key }> {
  const settings = { GW_UPSTREAM_BASE_URL: url, GW_UPSTREAM_CONNECT_TIMEOUT_MS: String(CONNECT_MS), ...env };
  const gateway = await startGateway(settings);
  cleanUps.push(() => gateway.stop());
  return { gateway, key: await gateway.createKey() };
}

const FORMS = [{ stream: false }, { stream: true }];

/** Expects 502 without internal details, and one row in `table`. */
async function expectRefused(gateway: TestGateway, key: Key, response: Response, table: string): Promise<void> {
  expect(errorCodeIn(response)).toBe('502 upstream_error');
  expect(errorIn(response).message).toMatch(/^The gateway (cannot reach|could not connect to) the upstream/);
  expect(response.headers.get('x-gw-upstream-status')).toBeNull();
  expect(response.headers.get('x-gw-upstream-latency')).toBeNull();
  await gateway.app.get(StatsWriter).flush();
  const rows: object[] = await gateway.app
    .get(DataSource)
    .query(`select key_id, status, error_code, upstream_latency_ms, usage_source from ${table} where id = $1`, [
      response.headers.get('x-request-id'),
    ]);
  expect(rows).toEqual([
    {
      key_id: key.id,
      status: 502,
      error_code: 'upstream_error',
      upstream_latency_ms: null,
      usage_source: 'none',
    },
  ]);
}

test('a host that does not resolve causes a 502 within the connect timeout, which is counted and recorded', async () => {
  const { gateway, key } = await gatewayTo('http://no-such-host.invalid/v1');
  for (const [at, form] of FORMS.entries()) {
    const response = await gateway.chat(key, form);
    await expectRefused(gateway, key, response, 'request_logs');
    expect((await snapshot(gateway, key)).today.used).toBe(at + 1);
  }
});

test('returns 502 for an address that accepts connections but never completes TLS', async () => {
  const mute = await rawUpstream(() => {});
  cleanUps.push(() => mute.stop());
  const { gateway, key } = await gatewayTo(mute.url.replace('http:', 'https:'), { GW_UPSTREAM_CONNECTIONS: '2' });
  for (const form of FORMS) await expectRefused(gateway, key, await gateway.chat(key, form), 'request_logs');
});

test('stores a 502 that the log sample omits in request_refusals', async () => {
  const { gateway, key } = await gatewayTo('http://127.0.0.1:1/v1', { GW_LOG_SAMPLE_RATE: '0' });
  await expectRefused(gateway, key, await gateway.chat(key), 'request_refusals');
});

describe('circuit breaker of the gateway', () => {
  test('an open breaker returns 502 with Retry-After and counts each request, until the upstream is back', async () => {
    const upstream = await FaultyUpstream.start();
    cleanUps.push(() => upstream.down());
    const { gateway, key } = await gatewayTo(upstream.url);
    const { breaker, failures } = gateway.app.get(UpstreamClient).all[0]!;
    await upstream.down();
    let requests = 0;
    while (!breaker.open) {
      expect(errorCodeIn(await gateway.chat(key))).toBe('502 upstream_error');
      requests += 1;
    }
    const open = await gateway.chat(key, { stream: true });
    requests += 1;
    await expectRefused(gateway, key, open, 'request_logs');
    expect(open.headers.get('retry-after')).toMatch(/^[1-4]$/);
    expect(failures.breaker).toBeGreaterThan(0);
    await upstream.up();
    let response = open;
    while (response.status !== 200) {
      response = await gateway.chat(key);
      requests += 1;
      expect([200, 502]).toContain(response.status);
    }
    expect(breaker.open).toBe(false);
    expect((await gateway.chat(key, { stream: true })).status).toBe(200);
    expect((await snapshot(gateway, key)).today.used).toBe(requests + 1);
  });
});
