import { describe, expect, test } from '@jest/globals';
import { askedPauseMs, exhaustedLimits, retryAfterMsOf } from '../../../src/upstream/rate-limit-headers.rules.js';
import { UpstreamPressure, type PressedRequest } from '../../../src/upstream/upstream-pressure.js';

const MODEL = 'gpt-4o';
const REQUEST: PressedRequest = { model: MODEL, kind: 'inference' };

class Clock {
  nowMs = 1_000_000;
  readonly pressure = new UpstreamPressure(() => this.nowMs);

  get share(): number {
    return this.pressure.shareOf(MODEL, 'inference');
  }

  reject(retryAfterMs: number | null = null): void {
    this.pressure.onRejected(REQUEST, retryAfterMs);
  }

  serve(headers: Record<string, string> = {}): void {
    this.pressure.onResponse(REQUEST, headers);
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

  test('a rejection pauses the upstream for as long as it asks, and then one request at a time tests it', () => {
    const clock = new Clock();
    clock.reject(7_000);
    expect([clock.share, clock.pauseMs(), clock.share]).toEqual([0, 7_000, 1]);
    clock.pressure.onSent(REQUEST);
    expect(clock.share).toBe(0);
    clock.serve();
    expect(clock.share).toBe(0.2);
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

  test('consecutive rejections make the pause longer, but shorter than a minute', () => {
    const clock = new Clock();
    const pauses = Array.from({ length: 8 }, () => {
      clock.reject();
      return clock.pauseMs();
    });
    expect(pauses).toEqual([1_000, 4_000, 16_000, 45_000, 45_000, 45_000, 45_000, 45_000]);
  });

  test.each([null, 1_000])('100 rejections at the same time count as one (Retry-After %s ms)', (retryAfterMs) => {
    const clock = new Clock();
    for (let sent = 0; sent < 100; sent++) clock.reject(retryAfterMs);
    expect(clock.pauseMs()).toBe(1_000);
    clock.reject(retryAfterMs);
    expect(clock.pauseMs()).toBe(4_000);
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
    expect([clock.pressure.shareOf('other', 'inference'), clock.pressure.lowestShare]).toEqual([1, 0]);
  });

  test('rejections of invented models use bounded memory', () => {
    const clock = new Clock();
    for (let at = 0; at < 5_000; at++) clock.pressure.onRejected({ model: `model-${at}`, kind: 'inference' }, null);
    const paused = Array.from({ length: 5_000 }, (_, at) => clock.pressure.shareOf(`model-${at}`, 'inference')).filter(
      (share) => share === 0,
    );
    expect(paused).toHaveLength(1_000);
  });
});

describe('failures', () => {
  test('the second failure in a row pauses the upstream', () => {
    const clock = new Clock();
    const shares = [1, 2].map(() => {
      clock.pressure.onFailed(REQUEST);
      return clock.share;
    });
    expect([shares, clock.pressure.status]).toEqual([[1, 0], 'failing']);
    expect([clock.pauseMs(), clock.share]).toEqual([10_000, 1]);
  });

  test('one failure among three successes does not pause the upstream', () => {
    const clock = new Clock();
    for (let turn = 0; turn < 50; turn++) {
      clock.pressure.onFailed(REQUEST);
      for (let served = 0; served < 3; served++) clock.serve();
    }
    expect([clock.share, clock.pressure.status]).toEqual([1, 'ready']);
  });

  test('responses that break off pause the upstream, although each one began', () => {
    const clock = new Clock();
    for (let sent = 0; sent < 2; sent++) {
      clock.serve();
      clock.pressure.onBroken(REQUEST);
    }
    expect(clock.share).toBe(0);
  });

  test('each failed test doubles the pause, and a success ends it', () => {
    const clock = new Clock();
    clock.pressure.onFailed(REQUEST);
    const pauses = Array.from({ length: 4 }, () => {
      clock.pressure.onFailed(REQUEST);
      return clock.pauseMs();
    });
    expect(pauses).toEqual([10_000, 20_000, 40_000, 45_000]);
    clock.serve();
    expect([clock.share, clock.pressure.status]).toEqual([0.5, 'limited']);
    clock.serve();
    expect([clock.share, clock.pressure.status]).toEqual([1, 'ready']);
  });

  test('an upstream that always fails gets at most 2 of 100 requests, and has its share back within a minute', () => {
    const clock = new Clock();
    let reached = 0;
    for (let sent = 0; sent < 1_000; sent++) {
      clock.nowMs += 100;
      if (clock.share === 0) continue;
      reached += 1;
      clock.pressure.onSent(REQUEST);
      clock.pressure.onFailed(REQUEST);
    }
    expect(reached).toBeLessThanOrEqual(20);
    const recoveredAtMs = clock.nowMs;
    while (clock.pressure.status !== 'ready' && clock.nowMs - recoveredAtMs < 100_000) {
      clock.nowMs += 100;
      if (clock.share > 0) clock.serve();
    }
    expect(clock.nowMs - recoveredAtMs).toBeLessThan(60_000);
  });
});

describe('refusals', () => {
  const COUNTING: PressedRequest = { model: MODEL, kind: 'count_tokens' };

  test('a refused account pauses all its models, and one request at a time tests it', () => {
    const clock = new Clock();
    clock.pressure.onRefused(REQUEST, 'account');
    expect([clock.share, clock.pressure.shareOf('other', 'batches'), clock.pressure.status]).toEqual([0, 0, 'refused']);
    clock.pauseMs();
    const shares = Array.from({ length: 3 }, () => {
      const { share } = clock;
      clock.pressure.onSent(REQUEST);
      return share;
    });
    expect(shares).toEqual([1, 0, 0]);
    clock.serve();
    expect([clock.share, clock.pressure.status]).toEqual([1, 'ready']);
  });

  test('a test without a result is repeated at once', () => {
    const clock = new Clock();
    clock.pressure.onRefused(REQUEST, 'account');
    clock.pauseMs();
    clock.pressure.onSent(REQUEST);
    clock.pressure.onUnknown(REQUEST);
    expect(clock.share).toBe(1);
  });

  test('a response to a request that was sent before the refusal does not end the pause', () => {
    const clock = new Clock();
    clock.pressure.onRefused(REQUEST, 'account');
    clock.pressure.onResponse({ ...REQUEST, sentAtMs: clock.nowMs - 1 }, {});
    expect(clock.share).toBe(0);
  });

  test('missing credit pauses requests of its kind only', () => {
    const clock = new Clock();
    clock.pressure.onRefused(REQUEST, 'kind');
    expect([clock.share, clock.pressure.shareOf(MODEL, 'count_tokens')]).toEqual([0, 1]);
    clock.pressure.onResponse(COUNTING, {});
    expect(clock.pressure.status).toBe('refused');
  });

  test('a refused model leaves the other models alone', () => {
    const clock = new Clock();
    clock.pressure.onRefused(REQUEST, 'model');
    expect([clock.share, clock.pressure.shareOf('other', 'inference')]).toEqual([0, 1]);
    expect([clock.pressure.status, clock.pressure.isAccountRefused]).toEqual(['refused', false]);
  });
});

describe('limits of a kind', () => {
  test('a limit of token counting does not pause messages', () => {
    const clock = new Clock();
    clock.pressure.onRejected({ model: MODEL, kind: 'count_tokens' }, 20_000);
    expect([clock.share, clock.pressure.shareOf(MODEL, 'count_tokens')]).toEqual([1, 0]);
  });

  test('each limit has its own pause', () => {
    const clock = new Clock();
    clock.pressure.onRejected(REQUEST, 30_000, 'output_tokens');
    clock.pressure.onRejected(REQUEST, 1_000, 'requests');
    expect(clock.pauseMs()).toBe(30_000);
  });

  test('headers name the exhausted limits and their pauses', () => {
    const nowMs = Date.parse('2026-01-01T00:00:00Z');
    const headers = {
      'anthropic-ratelimit-requests-remaining': '12',
      'anthropic-ratelimit-output-tokens-remaining': '0',
      'anthropic-ratelimit-output-tokens-reset': '2026-01-01T00:00:40Z',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '6m1.5s',
    };
    expect(exhaustedLimits(headers)).toEqual(['tokens', 'output_tokens']);
    expect([askedPauseMs(headers, 'output_tokens', nowMs), askedPauseMs(headers, 'tokens', nowMs)]).toEqual([
      40_000, 361_500,
    ]);
    expect(askedPauseMs({ ...headers, 'retry-after': '3' }, 'tokens', nowMs)).toBe(3_000);
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
