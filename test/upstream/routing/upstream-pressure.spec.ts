import { describe, expect, test } from '@jest/globals';
import { retryAfterMsOf, UpstreamPressure } from '../../../src/upstream/upstream-pressure.js';

const MODEL = 'gpt-4o';

class Clock {
  nowMs = 1_000_000;
  readonly pressure = new UpstreamPressure(() => this.nowMs);

  get share(): number {
    return this.pressure.shareOf(MODEL);
  }

  reject(retryAfterMs: number | null = null): void {
    this.pressure.onRejected(MODEL, retryAfterMs);
  }

  serve(headers: Record<string, string> = {}): void {
    this.pressure.onResponse(MODEL, headers);
  }

  /** How long no request prefers this upstream. */
  pauseMs(): number {
    const from = this.nowMs;
    while (this.share === 0 && this.nowMs - from < 200_000) this.nowMs += 100;
    return this.nowMs - from;
  }
}

describe('rejections', () => {
  test('an upstream without rejections gets all of its requests', () => {
    const clock = new Clock();
    clock.serve();
    expect(clock.share).toBe(1);
    expect(clock.pressure.lowestShare).toBe(1);
  });

  test('a rejection pauses the upstream for as long as it asks, and then it gets a tenth', () => {
    const clock = new Clock();
    clock.reject(7_000);
    expect([clock.share, clock.pauseMs(), clock.share]).toEqual([0, 7_000, 0.1]);
  });

  test('each success after a pause doubles the share, up to all requests', () => {
    const clock = new Clock();
    clock.reject();
    clock.pauseMs();
    const shares = Array.from({ length: 5 }, () => {
      clock.serve();
      return clock.share;
    });
    expect(shares).toEqual([0.2, 0.4, 0.8, 1, 1]);
  });

  test('consecutive rejections double the pause, up to one minute', () => {
    const clock = new Clock();
    const pauses = Array.from({ length: 8 }, () => {
      clock.reject();
      return clock.pauseMs();
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test.each([null, 1_000])('100 rejections at the same time count as one (Retry-After %s ms)', (retryAfterMs) => {
    const clock = new Clock();
    for (let sent = 0; sent < 100; sent++) clock.reject(retryAfterMs);
    expect(clock.pauseMs()).toBe(1_000);
    clock.reject(retryAfterMs);
    expect(clock.pauseMs()).toBe(2_000);
  });

  test('a later rejection with a longer Retry-After extends the pause', () => {
    const clock = new Clock();
    clock.reject(2_000);
    clock.nowMs += 1_000;
    clock.reject(5_000);
    expect(clock.pauseMs()).toBe(5_000);
  });

  test('a later rejection with a shorter Retry-After does not shorten the pause', () => {
    const clock = new Clock();
    clock.reject(30_000);
    clock.reject(1_000);
    expect(clock.pauseMs()).toBe(30_000);
  });

  test('no Retry-After pauses an upstream for more than a minute', () => {
    const clock = new Clock();
    clock.reject(86_400_000);
    expect(clock.pauseMs()).toBe(60_000);
  });

  test('each model of an upstream is paused separately', () => {
    const clock = new Clock();
    clock.reject();
    expect([clock.pressure.shareOf('other'), clock.pressure.lowestShare]).toEqual([1, 0]);
  });

  test('rejections of invented models use bounded memory', () => {
    const clock = new Clock();
    for (let at = 0; at < 5_000; at++) clock.pressure.onRejected(`model-${at}`, null);
    const paused = Array.from({ length: 5_000 }, (_, at) => clock.pressure.shareOf(`model-${at}`)).filter(
      (share) => share === 0,
    );
    expect(paused).toHaveLength(1_000);
  });
});

describe('timeouts', () => {
  test('the third timeout in a row pauses the upstream', () => {
    const clock = new Clock();
    const shares = [1, 2, 3].map(() => {
      clock.pressure.onHung(MODEL);
      return clock.share;
    });
    expect(shares).toEqual([1, 1, 0]);
    expect([clock.pauseMs(), clock.share]).toEqual([1_000, 0.1]);
  });

  test('a response between timeouts starts the count again', () => {
    const clock = new Clock();
    for (let turn = 0; turn < 5; turn++) {
      clock.pressure.onHung(MODEL);
      clock.pressure.onHung(MODEL);
      clock.serve();
    }
    expect(clock.share).toBe(1);
  });

  test('a timeout after the pause doubles the next pause', () => {
    const clock = new Clock();
    for (let sent = 0; sent < 3; sent++) clock.pressure.onHung(MODEL);
    clock.pauseMs();
    clock.pressure.onHung(MODEL);
    expect(clock.pauseMs()).toBe(2_000);
  });
});

describe('announced rate limits', () => {
  const limits = (remaining: string, limit = '1000') => ({
    'x-ratelimit-limit-requests': limit,
    'x-ratelimit-remaining-requests': remaining,
  });

  test.each([
    ['500', 1],
    ['100', 1],
    ['50', 0.5],
    ['10', 0.1],
    ['0', 0.01],
    ['-1', 1],
    ['many', 1],
    ['9'.repeat(400), 1],
  ])('with %s of 1000 requests left, the share is %s', (remaining, share) => {
    const clock = new Clock();
    clock.serve(limits(remaining));
    expect(clock.share).toBeCloseTo(share, 5);
  });

  test('the scarcest limit determines the share, which recovers with the limit', () => {
    const clock = new Clock();
    clock.serve({
      ...limits('900'),
      'anthropic-ratelimit-output-tokens-limit': '100',
      'anthropic-ratelimit-output-tokens-remaining': '2',
    });
    expect(clock.share).toBeCloseTo(0.2, 5);
    for (let sent = 0; sent < 3; sent++) clock.serve(limits('900'));
    expect(clock.share).toBe(1);
  });

  test('a limit of zero is not a limit', () => {
    const clock = new Clock();
    clock.serve(limits('0', '0'));
    expect(clock.share).toBe(1);
  });
});

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z');
  test.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '3' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, 10_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '9'.repeat(30) }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ])('%j is %s ms', (headers, ms) => {
    expect(retryAfterMsOf(headers as unknown as Record<string, string>, nowMs)).toBe(ms);
  });
});
