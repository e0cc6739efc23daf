import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { MODEL_LABELS_MAX } from '../../../../src/platform/telemetry/metrics/request-metrics.js';
import type { Key, TestGateway } from '../../../support/gateway.js';
import { MODELS } from '../../../support/scripted-upstream-responses.js';
import { Wire } from '../../../support/wire.js';
import { startMetered, type MeteredGateway } from '../../../support/metered-gateway.js';

/** More than there can be labels. */
const HOSTILE = MODEL_LABELS_MAX + 100;
const AT_ONCE = 50;

let metered: MeteredGateway;
let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  metered = await startMetered({ GW_LOG_SAMPLE_RATE: '0' });
  ({ gateway } = metered);
  key = await gateway.createKey();
  await gateway.chat(key);
});
afterAll(() => metered.stop());

const garbage = (bytes = 12) => randomBytes(bytes).toString('hex');

async function flood(call: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < HOSTILE; at += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => call(at + nth)));
  }
}

const seriesOf = async () => {
  const { lines } = await metered.scrape();
  return lines.filter(({ labels }) => 'route' in labels);
};

test('random paths, with or without a key, add only one route label', async () => {
  const first = await metered.scrape();
  await flood((at) => {
    const path = ['', '/v1', '/admin', '/dashboard', '/v1/files/x'][at % 5]!;
    return gateway.call('GET', `${path}/${garbage()}/${garbage()}`, at % 2 === 0 ? {} : { key });
  });
  const counted = first.sum('gateway_requests_total');
  const now = await metered.scrapedUntil((scrape) => scrape.sum('gateway_requests_total') === counted + HOSTILE);
  const before = first.valuesOf('route');
  const added = [...now.valuesOf('route')].filter((route) => !before.has(route));
  // The page is served on every path under /dashboard.
  expect(added.filter((route) => !route.startsWith('/dashboard'))).toEqual(['unmatched']);
});

test('more random models than there can be labels share one label and do not displace real models', async () => {
  const before = (await seriesOf()).length;
  await flood((at) => gateway.chat(key, { model: at % 2 === 0 ? garbage() : `gpt-4o-mini-${garbage()}` }));
  await gateway.chat(key, { model: 'gpt-4.1' });
  const now = await metered.scrapedUntil((scrape) => scrape.sum('gateway_requests_total', { model: 'gpt-4.1' }) === 1);
  const listed = new Set(['none', 'other', ...MODELS.map(({ id }) => id)]);
  for (const model of now.valuesOf('model')) expect(listed).toContain(model);
  expect(now.sum('gateway_requests_total', { model: 'other', status: '403' })).toBe(HOSTILE);
  expect((await seriesOf()).length).toBeLessThan(before + 10);
  expect(listed.size).toBeLessThan(MODEL_LABELS_MAX);
});

test('the metrics contain no value of a header and no invented method', async () => {
  const marks = Array.from({ length: 20 }, () => `mark${garbage()}`);
  await Promise.all(
    marks.map(async (mark) => {
      const head = [
        `POST /v1/chat/completions?${mark}=${mark} HTTP/1.1`,
        `Host: ${mark}`,
        `X-${mark}: "}\\n${mark}`,
        `User-Agent: ${mark}\\"`,
        `X-Request-Id: ${mark}`,
        `Authorization: Bearer ${mark}`,
        `Traceparent: ${mark}`,
        'Content-Length: 0',
        '',
        '',
      ];
      expect((await Wire.once(gateway.port, head.join('\r\n'))).status).toBe(401);
      expect((await Wire.once(gateway.port, `${mark.toUpperCase()} / HTTP/1.1\r\nHost: a\r\n\r\n`)).status).toBe(400);
    }),
  );
  const { text } = await metered.scrape();
  for (const mark of marks) expect(text.toLowerCase()).not.toContain(mark);
  expect(text).not.toContain(key.key);
});
