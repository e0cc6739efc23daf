import { describe, expect, test } from '@jest/globals';
import { responseHeaders, type ProcessTraits } from '../../../src/proxy/pipeline/response-headers.interceptor.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import { RequestContext } from '../../../src/platform/request-context/request-context.js';
import type { RouteSpec } from '../../../src/platform/routes/route-spec.js';

const TRAITS: ProcessTraits = { worker: null, draining: false };
const NOW = Date.UTC(2026, 1, 28, 23, 59, 30);

type Group = 'client' | 'upstream' | 'response';
type Fields = Partial<Omit<RequestContext, Group>> & { [name in Group]?: Partial<RequestContext[name]> };

function context({ client, upstream, response, ...fields }: Fields = {}): RequestContext {
  const ctx = new RequestContext('id', 'POST');
  ctx.route = {
    kind: 'gateway',
    endpoint: '/v1/chat/completions',
    body: 'json',
    bodyBytesMax: 1,
    model: 'gated',
    quota: 'counted',
    usage: null,
    api: 'openai',
  };
  Object.assign(ctx.client, client);
  Object.assign(ctx.upstream, upstream);
  Object.assign(ctx.response, response);
  return Object.assign(ctx, fields);
}

function headers(ctx: RequestContext, status = 200, traits = TRAITS): Record<string, string> {
  const flat = responseHeaders(ctx, status, traits);
  return Object.fromEntries(
    Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at], flat[2 * at + 1]]),
  ) as Record<string, string>;
}

const key = (name: string) => ({ id: 'k', name }) as KeySnapshot;
const figures = (month: number | null = null, tokens: number | null = null) => ({
  nowMs: NOW,
  minute: { limit: 60, used: 61, resetsAtMs: NOW + 29_001 },
  day: { limit: 100, used: 1, resetsAtMs: NOW + 30_000 },
  month: { limit: month, used: 5, resetsAtMs: NOW + 30_000 },
  tokens: { limit: tokens, used: 4000, resetsAtMs: NOW + 30_000 },
});

describe('responseHeaders', () => {
  test('every response has its request ID, even outside /v1', () => {
    expect(headers(context({ route: null }))).toEqual({ 'x-request-id': 'id' });
  });

  test('a /v1 response without other data has the latency until its headers', () => {
    expect(headers(context({ startedAtMs: 100, response: { headAtMs: 112.4 } }))).toEqual({
      'x-request-id': 'id',
      'x-gw-latency': '12',
    });
    const latencyMs = Number(headers(context({ startedAtMs: performance.now() - 5000 }))['x-gw-latency']);
    expect(latencyMs).toBeGreaterThanOrEqual(5000);
    expect(latencyMs).toBeLessThan(60_000);
  });

  test('the client ID is returned, and web pages of any origin can read the gateway headers', () => {
    expect(headers(context({ route: null, client: { requestId: 'tab-7', crossOrigin: true } }))).toEqual({
      'x-request-id': 'id',
      'x-gw-client-id': 'tab-7',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': [
        'x-request-id, x-gw-client-id, x-gw-latency, x-gw-upstream-latency, x-gw-upstream-request-id',
        'x-gw-upstream, x-gw-cost, x-gw-upstream-status, x-gw-model, x-gw-key-name, x-gw-worker, x-should-retry, retry-after',
        ...['requests', 'day', 'month', 'tokens'].flatMap((window) =>
          ['limit', 'remaining', 'reset'].map((figure) => `x-ratelimit-${figure}-${window}`),
        ),
        '*',
      ].join(', '),
    });
  });

  test.each(['admin', 'dashboard'] as const)('responses of %s forbid caching and content sniffing', (kind) => {
    const route = { kind } as RouteSpec;
    const kept = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    expect(headers(context({ route }))).toEqual({ 'x-request-id': 'id', ...kept });
    expect(headers(context({ route, response: { setCookie: 'a=b' } }))).toEqual({
      'x-request-id': 'id',
      ...kept,
      'set-cookie': 'a=b',
    });
  });

  test('rate limit headers show the limit, the remainder, and whole seconds until the reset', () => {
    expect(headers(context({ figures: figures() }))).toMatchObject({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '30s',
      'x-ratelimit-limit-day': '100',
      'x-ratelimit-remaining-day': '99',
      'x-ratelimit-reset-day': '30s',
    });
  });

  test('month and token headers appear only if a limit is set', () => {
    expect(Object.keys(headers(context({ figures: figures() }))).join()).not.toMatch(/month|tokens/);
    expect(headers(context({ figures: figures(10, 3000) }))).toMatchObject({
      'x-ratelimit-remaining-month': '5',
      'x-ratelimit-remaining-tokens': '0',
    });
  });

  test.each([401, 403])('a response with status %i does not name the key', (status) => {
    expect(headers(context({ key: key('team') }), status)).not.toHaveProperty('x-gw-key-name');
    expect(headers(context({ key: key('team') }), 429)).toHaveProperty('x-gw-key-name', 'team');
  });

  test.each([
    ['plain name', 'plain name'],
    ['100%', '100%'],
    ['Büro 100%', 'B%C3%BCro 100%25'],
    ['line\nbreak', 'line%0Abreak'],
    ['lone \ud800 surrogate', 'lone %EF%BF%BD surrogate'],
    ['my sk-proj-abcdefghijklmnop1234', 'my [redacted]'],
    ['sk-ant-'.concat('a1'.repeat(10)), '[redacted]'],
    ['AIzaSyA1234567890123456', '[redacted]'],
    ['admin_gw_0123456789abcdef0123', 'admin_gw_[redacted]'],
    ['sk-short', 'sk-short'],
    ['risk-assessment-service', 'risk-assessment-service'],
    ['key:sk-abcdefgh12345678', 'key:[redacted]'],
    ['sk-abcdefgh12345678', '[redacted]'],
    ['sk-abcdefgh1234567', 'sk-abcdefgh1234567'],
    ['xai-abcd_fgh-2345678 and gsk_ABCDEFGH12345678', '[redacted] and [redacted]'],
    [' padded ', '%20padded%20'],
    ['😀 a&b/ü', '%F0%9F%98%80 a&b/%C3%BC'],
  ])('the key name %j is sent as %j', (name, shown) => {
    expect(headers(context({ key: key(name) }))['x-gw-key-name']).toBe(shown);
  });

  test("x-gw-model prefers the upstream's model to the requested one, up to 200 characters", () => {
    expect(headers(context({ model: 'gpt-4o', upstream: { responseModel: 'gpt-4o-2024' } }))['x-gw-model']).toBe(
      'gpt-4o-2024',
    );
    expect(headers(context({ model: 'gpt-4o' }))['x-gw-model']).toBe('gpt-4o');
    expect(headers(context({ upstream: { responseModel: 'm'.repeat(200) } }))['x-gw-model']).toBe('m'.repeat(200));
    expect(headers(context({ upstream: { responseModel: '😀'.repeat(200) } }))['x-gw-model']).toBe(
      '%F0%9F%98%80'.repeat(200),
    );
    for (const responseModel of ['', 'm'.repeat(201), '😀'.repeat(201)]) {
      expect(headers(context({ upstream: { responseModel } }))).not.toHaveProperty('x-gw-model');
    }
  });

  test('an upstream latency of 0 is sent', () => {
    expect(headers(context({ upstream: { latencyMs: 0.2 } }))['x-gw-upstream-latency']).toBe('0');
  });

  test('responses name the worker, and a draining process closes its connections', () => {
    expect(headers(context(), 200, { worker: 'v7', draining: true })).toMatchObject({
      'x-gw-worker': 'v7',
      connection: 'close',
    });
  });
});
