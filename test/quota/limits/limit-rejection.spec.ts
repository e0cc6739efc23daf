import { describe, expect, test } from '@jest/globals';
import type { ActiveLimit } from '../../../src/quota/limits/limit.js';
import { limitRejection } from '../../../src/quota/limits/limit-rejection.rules.js';
import type { OverLimit } from '../../../src/quota/limit-claims.js';
import { activeLimit } from '../../support/active-limits.js';

const NOW_MS = Date.UTC(2026, 10, 26, 2, 40);
const MONTH_END_MS = Date.UTC(2026, 11, 1);
const DOLLAR = 1_000_000_000;

interface Figures {
  readonly asked?: number;
  readonly amount?: number | bigint;
  readonly used?: number | bigint;
  readonly held?: number | bigint;
  readonly possible?: number | bigint;
  readonly untilMs?: OverLimit['untilMs'];
}

function over({
  asked = 1,
  amount = 10,
  used = 10,
  held = 0,
  possible = 11,
  untilMs = MONTH_END_MS,
}: Figures): OverLimit {
  const [whole, spent, reserved, all] = [amount, used, held, possible].map(BigInt);
  return { limitId: 7, asked, amount: whole!, used: spent!, held: reserved!, possible: all!, untilMs };
}
const rejectionOf = (limit: Partial<ActiveLimit>, figures: Figures, nowMs = NOW_MS) =>
  limitRejection(activeLimit({ id: 7, ...limit }), over(figures), nowMs);
const messageOf = (...given: Parameters<typeof rejectionOf>) => rejectionOf(...given).message;

describe('the message of a reached limit', () => {
  const cost = { asked: 0.2 * DOLLAR, amount: 12.5 * DOLLAR, used: 12.4 * DOLLAR, held: 0.05 * DOLLAR };

  test('names limit, scope, amounts in dollars and the reset', () => {
    expect(messageOf({ name: 'Research', scope: 'team', measure: 'cost', period: 'month' }, cost)).toBe(
      'The cost limit "Research" of your team is exceeded: $12.40 used and $0.05 reserved of $12.50 per month. ' +
        'This request reserves $0.20. Lower the maximum output, shorten the input or use a cheaper model. ' +
        'The limit resets at 2026-12-01T00:00:00.000Z.',
    );
  });

  test('names the end of a limit that ends before it resets', () => {
    const endsAtMs = Date.UTC(2026, 11, 1);
    expect(messageOf({ period: 'month', endsAtMs }, { untilMs: endsAtMs })).toContain(
      'The limit ends at 2026-12-01T00:00:00.000Z.',
    );
  });

  test('names a limit of tokens by the tag of the key', () => {
    const figures = { asked: 1200, amount: 1_000_000, used: 999_999, held: 1 };
    expect(messageOf({ scope: 'tag', scopeTag: 'batch', measure: 'tokens', period: 'day' }, figures)).toBe(
      'The token limit of the tag "batch" is exceeded: 999,999 tokens used and 1 token reserved of 1,000,000 tokens per day. ' +
        'This request reserves 1,200 tokens. The limit resets at 2026-12-01T00:00:00.000Z.',
    );
  });

  test('names a limit of requests of the account', () => {
    expect(messageOf({ scope: 'account', measure: 'requests', period: 'hour' }, {})).toBe(
      'The request limit of the account is exceeded: 10 requests used and 0 requests reserved of 10 requests per hour. ' +
        'This request counts as 1 request. The limit resets at 2026-12-01T00:00:00.000Z.',
    );
  });

  test('states that a total does not reset', () => {
    for (const untilMs of [null, 'unknown'] as const)
      expect(messageOf({ scope: 'key', measure: 'output_tokens', period: 'total' }, { asked: 5, untilMs })).toBe(
        'The output token limit of this API key is exceeded: 10 output tokens used and 0 output tokens reserved of ' +
          '10 output tokens. This request reserves 5 output tokens. ' +
          'The limit does not reset. Ask an operator of this gateway to raise the limit.',
      );
  });

  test.each(['minute', 'day', 'month', 'rolling_5h'] as const)(
    'names the outage, not the end of the period, for a limit per %s whose end is unknown',
    (period) => {
      expect(messageOf({ scope: 'key', measure: 'requests', period }, { untilMs: 'unknown' })).toMatch(
        / This request counts as 1 request\. This gateway cannot read the current usage, because its database is unavailable\. Try again later\.$/,
      );
    },
  );

  test('states when enough usage of a rolling period expires', () => {
    expect(messageOf({ scope: 'key', measure: 'input_tokens', period: 'rolling_5h' }, {})).toContain(
      'of 10 input tokens within 5 hours. This request reserves 1 input token. ' +
        'Enough usage expires at 2026-12-01T00:00:00.000Z.',
    );
  });

  test('names the remedy for a request that is larger than the limit', () => {
    expect(
      messageOf({ scope: 'key', measure: 'cost', period: 'month' }, { ...cost, asked: 20 * DOLLAR, used: 0 }),
    ).toBe(
      'The cost limit of this API key is exceeded: $0.00 used and $0.05 reserved of $12.50 per month. ' +
        'This request reserves $20.00. Waiting does not help. ' +
        'Lower the maximum output, shorten the input or use a cheaper model. Ask an operator of this gateway to raise the limit.',
    );
    expect(messageOf({ measure: 'requests' }, { amount: 0, used: 0 })).toContain(
      'Waiting does not help. Ask an operator of this gateway to raise the limit.',
    );
  });

  test('states that the reservations of running requests fill the limit', () => {
    expect(messageOf({ measure: 'tokens' }, { asked: 3, used: 5, held: 4 })).toContain(
      'This request reserves 3 tokens. Try again when running requests have ended.',
    );
    const concurrent = { scope: 'key', measure: 'concurrent_requests', period: 'total' } as const;
    expect(messageOf(concurrent, { amount: 2, used: 0, held: 2, untilMs: null })).toBe(
      'The concurrent request limit of this API key is exceeded: 0 requests used and 2 requests reserved of 2 requests. ' +
        'This request counts as 1 request. Try again when another request has ended.',
    );
  });

  test('states that running requests and this one could together use more than twice the limit', () => {
    const figures = { asked: 10, amount: 1000, used: 100, held: 50, possible: 2500 };
    const rejection = rejectionOf({ scope: 'key', measure: 'tokens', period: 'day' }, figures);
    expect(rejection.message).toBe(
      'The token limit of this API key could be exceeded: 100 tokens used and 50 tokens reserved of 1,000 tokens per day. ' +
        'This request reserves 10 tokens. With its maximum and those of running requests, usage could reach 2,500 tokens, ' +
        'more than twice the limit. Lower the maximum output or shorten the input. Try again when running requests have ended.',
    );
  });

  test.each([
    [1, '$0.000000001'],
    [1250, '$0.00000125'],
    [9_999_999, '$0.009999999'],
    [10_000_000, '$0.01'],
    [12_483_920, '$0.0125'],
    [12.345678 * DOLLAR, '$12.3457'],
    [1_234_567.5 * DOLLAR, '$1,234,567.50'],
  ])('shows %d nano-dollars as %s', (nanos, shown) => {
    expect(messageOf({ measure: 'cost' }, { ...cost, used: nanos, amount: 2 ** 52 })).toContain(`${shown} used`);
  });
});

describe('an amount above 2^53 nano-dollars', () => {
  const limit = { measure: 'cost', period: 'month' } as const;
  const most = { amount: 10n ** 18n, used: 10n ** 18n - 1n, held: 1n };

  test('is shown to the nano-dollar, and with its digits in groups', () => {
    const rejection = rejectionOf(limit, { ...most, asked: 1 });
    expect(rejection.message).toContain('reserved of $1,000,000,000.00 per month');
    expect(JSON.parse(rejection.envelope('request-1'))).toMatchObject({
      error: { limit: { amount: '1000000000', used: '999999999.999999999', reserved: '0.000000001' } },
    });
  });

  test('is compared to the nano-dollar', () => {
    expect(messageOf(limit, { ...most, asked: 1 })).toContain('Try again when running requests have ended');
    expect(messageOf(limit, { ...most, asked: 2 })).toContain('The limit resets at');
  });
});

describe('the advice of a rejection', () => {
  test('a request that fits an unused limit exactly waits until the period ends', () => {
    expect(messageOf({ measure: 'tokens' }, { asked: 10, amount: 10, used: 1 })).toContain('The limit resets at');
  });

  test('a request waits for running requests if the used and requested amounts fit exactly', () => {
    expect(messageOf({ measure: 'tokens' }, { asked: 4, amount: 10, used: 6, held: 1 })).toContain('Try again when');
    expect(messageOf({ measure: 'tokens' }, { asked: 5, amount: 10, used: 6, held: 1 })).toContain(
      'The limit resets at',
    );
  });
});

describe('the headers of a reached limit', () => {
  const headersOf = (...given: Parameters<typeof rejectionOf>) => rejectionOf(...given).headers;

  test('the headers contain the time until the period ends, and stop retries of an hour or more', () => {
    expect(headersOf({}, { untilMs: NOW_MS + 1500 })).toEqual({ 'retry-after': '2' });
    expect(headersOf({}, { untilMs: NOW_MS + 3_599_000 })).toEqual({ 'retry-after': '3599' });
    expect(headersOf({}, { untilMs: NOW_MS + 3_600_000 })).toEqual({
      'retry-after': '3600',
      'x-should-retry': 'false',
    });
    expect(headersOf({}, { untilMs: NOW_MS - 5000 })).toEqual({ 'retry-after': '1' });
  });

  test('the headers contain no time if waiting does not help', () => {
    expect(headersOf({}, { asked: 11, used: 0 })).toEqual({ 'x-should-retry': 'false' });
    expect(headersOf({ period: 'total' }, { untilMs: null })).toEqual({ 'x-should-retry': 'false' });
    expect(headersOf({ period: 'rolling_5h' }, { untilMs: null })).toEqual({ 'x-should-retry': 'false' });
  });

  test.each<[string, Figures]>([
    ['running requests are in the way', { asked: 1, used: 0, held: 10 }],
    ['the end of the period is unknown', { untilMs: 'unknown' }],
  ])('the headers ask for a retry after 1 to 5 seconds if %s', (_why, figures) => {
    const waits = Array.from({ length: 200 }, () => headersOf({}, figures));
    expect(waits.every((headers) => Object.keys(headers).join() === 'retry-after')).toBe(true);
    expect([...new Set(waits.map((headers) => headers['retry-after']))].sort()).toEqual(['1', '2', '3', '4', '5']);
  });
});

describe('the body of a reached limit', () => {
  const limit = { name: 'Research', scope: 'team', measure: 'cost', period: 'month' } as const;
  const figures = { asked: 200_000_000, amount: 12_500_000_000, used: 12_400_000_001, held: 0 };
  const described = {
    id: 7,
    ...limit,
    amount: '12.5',
    used: '12.400000001',
    reserved: '0',
    requested: '0.2',
    resets_at: '2026-12-01T00:00:00.000Z',
  };
  const bodyOf = (form: 'gateway' | 'messages' | 'anthropic') =>
    JSON.parse(rejectionOf(limit, figures).envelope('request-1', form)) as { error: object };

  test('describes the limit in the format of OpenAI', () => {
    expect(bodyOf('gateway')).toEqual({
      error: {
        message: expect.any(String),
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
        request_id: 'request-1',
        limit: described,
      },
    });
  });

  test('describes the limit in the format of Anthropic', () => {
    expect(bodyOf('anthropic')).toMatchObject({ type: 'error', request_id: 'request-1', error: { limit: described } });
    expect(bodyOf('messages')).toMatchObject({ type: 'error', error: { limit: described } });
  });

  test('contains numbers for other measures, and null for absent values', () => {
    const concurrent = rejectionOf(
      { name: null, measure: 'concurrent_requests', period: 'total' },
      { amount: 2, used: 0, held: 2, untilMs: null },
    );
    expect(JSON.parse(concurrent.envelope('r'))).toMatchObject({
      error: { limit: { name: null, period: null, amount: 2, used: 0, reserved: 2, requested: 1, resets_at: null } },
    });
  });
});
