import { describe, expect, test } from 'vitest';
import { responseHeaders, type AnswerTraits } from '../../src/pipeline/response-headers.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';
import { RequestContext } from '../../src/request-context/request-context.js';

const TRAITS: AnswerTraits = { worker: null, draining: false };
const NOW = Date.UTC(2026, 1, 28, 23, 59, 30);

function context(fields: Partial<RequestContext> = {}): RequestContext {
  const ctx = new RequestContext('id', 'POST');
  ctx.route = {
    kind: 'gateway',
    endpoint: '/v1/chat/completions',
    body: 'json',
    bodyBytesMax: 1,
    model: 'gated',
    quota: 'counted',
    usage: null,
    upstream: 'default',
  };
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

describe('headers of an answer', () => {
  test('every answer carries its request id, also outside /v1', () => {
    expect(headers(context({ route: null }))).toEqual({ 'x-request-id': 'id' });
  });

  test('windows show limit, what remains and whole seconds until the reset', () => {
    expect(headers(context({ figures: figures() }))).toMatchObject({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '30s',
      'x-ratelimit-limit-day': '100',
      'x-ratelimit-remaining-day': '99',
      'x-ratelimit-reset-day': '30s',
    });
  });

  test('month and tokens show only where a limit is set', () => {
    expect(Object.keys(headers(context({ figures: figures() }))).join()).not.toMatch(/month|tokens/);
    expect(headers(context({ figures: figures(10, 3000) }))).toMatchObject({
      'x-ratelimit-remaining-month': '5',
      'x-ratelimit-remaining-tokens': '0',
    });
  });

  test.each([401, 403])('%i does not name the key', (status) => {
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
    ['sk-short', 'sk-short'],
  ])('key name %j goes out as %j', (name, shown) => {
    expect(headers(context({ key: key(name) }))['x-gw-key-name']).toBe(shown);
  });

  test('the model that answered goes before the model asked for; a long one is left out', () => {
    expect(headers(context({ model: 'gpt-4o', answeredModel: 'gpt-4o-2024' }))['x-gw-model']).toBe('gpt-4o-2024');
    expect(headers(context({ model: 'gpt-4o' }))['x-gw-model']).toBe('gpt-4o');
    expect(headers(context({ answeredModel: 'm'.repeat(201) }))).not.toHaveProperty('x-gw-model');
  });

  test('an upstream latency of 0 is shown', () => {
    expect(headers(context({ upstreamLatencyMs: 0.2 }))['x-gw-upstream-latency']).toBe('0');
  });

  test('the worker shows in production, and a draining process closes its connections', () => {
    expect(headers(context(), 200, { worker: 'v7', draining: true })).toMatchObject({
      'x-gw-worker': 'v7',
      connection: 'close',
    });
  });
});
