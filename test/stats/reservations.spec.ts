import { beforeEach, describe, expect, test } from '@jest/globals';
import { Clock } from '../../src/platform/clock.js';
import { Config } from '../../src/platform/config/config.js';
import type { Outage } from '../../src/quota/outage.service.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { RequestContext } from '../../src/platform/request-context/request-context.js';
import type { ActualUsage } from '../../src/platform/request-context/reservation.js';
import type { TokenUsage } from '../../src/platform/request-context/token-usage.js';
import type { CostRecorder } from '../../src/stats/cost-recorder.service.js';
import { PendingRecords } from '../../src/stats/pending-records.js';
import { RequestRecorder } from '../../src/stats/request-recorder.service.js';

const USAGE: TokenUsage = { inputTokens: 9, outputTokens: 3, provenance: 'estimated' };

let calls: unknown[];
beforeEach(() => {
  calls = [];
});

/**
 * @param units of the request. Null if it was not sent to a provider
 * @param delivered units with the output that arrived
 */
function recorderWith(
  units: Readonly<Record<string, number>> | null,
  delivered: Readonly<Record<string, number>> = {},
): RequestRecorder {
  const pricedAs = (counted: typeof units, nanos: bigint) => ({
    kinds: { units: counted, reasoning: 0, corrected: [] },
    nanos,
    unpriced: false,
    cost: null,
    price: null,
  });
  const priced = pricedAs(units, 5n);
  const entry = {
    endpoint: '/v1/x',
    provider: 'default',
    priced,
    estimated: false,
    additionalTokens: 0,
    unpriced: null,
  };
  const costs = {
    record: () => (units === null ? null : entry),
    pricedOf: () => pricedAs(delivered, 50n),
  } as unknown as CostRecorder;
  const outage = { spend: () => {} } as unknown as Outage;
  return new RequestRecorder(
    Config.from({ GW_LOG_SAMPLE_RATE: '0' }),
    new Clock(),
    new PendingRecords(),
    outage,
    costs,
  );
}

function admitted(): RequestContext {
  const ctx = new RequestContext('0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57', 'POST');
  ctx.key = { id: 'key-1', lastUsedAtMs: null } as KeySnapshot;
  ctx.route = {
    kind: 'gateway',
    endpoint: '/v1/x',
    body: 'json',
    bodyBytesMax: 1,
    model: 'gated',
    quota: 'counted',
    usage: 'chat',
    api: 'openai',
  };
  ctx.figures = { nowMs: 1_800_000_000_000 } as RequestContext['figures'];
  ctx.admitted = true;
  ctx.upstream.sentWhole = true;
  ctx.upstream.latencyMs = 1;
  ctx.reservation = {
    requiresMeteredUsage: true,
    countsUsage: true,
    releaseConcurrency: () => calls.push('end'),
    settle: (_request, actual) => calls.push(actual),
  };
  return ctx;
}

const used = (changes: Partial<ActualUsage> = {}): ActualUsage => ({
  units: { input: 9, output: 3, requests: 1 },
  costNanodollars: 5n,
  hasUnpricedUsage: false,
  proof: 'reported',
  choices: 1,
  ...changes,
});

describe('the reservation of a recorded request', () => {
  test('the reservation ends and is settled with the recorded usage', () => {
    const ctx = admitted();
    ctx.usage = USAGE;
    recorderWith(used().units as Record<string, number>).record(ctx, 200, 5);
    expect(calls).toEqual(['end', used()]);
  });

  test('the reservation ends immediately, and is settled when the estimate is known', async () => {
    const ctx = admitted();
    let resolve: (usage: TokenUsage) => void = () => {};
    ctx.estimate = new Promise((settle) => {
      resolve = settle;
    });
    recorderWith(used().units as Record<string, number>).record(ctx, 200, 5);
    expect(calls).toEqual(['end']);
    resolve(USAGE);
    await ctx.estimate;
    expect(calls).toEqual(['end', used()]);
  });

  test('the reservation is settled without usage if the request was not sent', () => {
    recorderWith(null).record(admitted(), 400, 5);
    expect(calls).toEqual(['end', null]);
  });

  test('the reservation is settled without usage if the client disconnected before admission', () => {
    recorderWith(null).recordLate(admitted());
    expect(calls).toEqual(['end', null]);
  });

  const withoutUsage = { requests: 1 };

  test.each<[string, (ctx: RequestContext) => void, ActualUsage['proof']]>([
    [
      'the client disconnected before the response',
      (ctx) => {
        ctx.upstream.latencyMs = null;
        ctx.response.abandoned = true;
      },
      'abandoned',
    ],
    ['the provider did not respond', (ctx) => (ctx.upstream.latencyMs = null), 'unknown'],
    ['the response was interrupted', (ctx) => (ctx.usageProof = 'unknown'), 'unknown'],
    ['the response has no report', (ctx) => (ctx.usageProof = 'unmeasured'), 'unmeasured'],
    ['the provider refused the request', () => {}, 'reported'],
    [
      'the provider reported an error before any output',
      (ctx) => {
        ctx.usageProof = 'delivered';
        ctx.response.errorReported = true;
      },
      'reported',
    ],
    [
      'the request was not sent completely',
      (ctx) => {
        ctx.upstream.sentWhole = false;
        ctx.upstream.latencyMs = null;
        ctx.response.abandoned = true;
      },
      'reported',
    ],
  ])('is settled with the proof of its usage: %s', (_, change, proof) => {
    const ctx = admitted();
    change(ctx);
    recorderWith(withoutUsage).record(ctx, 499, 5);
    expect(calls).toEqual(['end', used({ units: withoutUsage, proof })]);
  });

  test('units that have a price prove the usage of a response without a report', () => {
    const ctx = admitted();
    ctx.usageProof = 'unmeasured';
    recorderWith({ images: 2, requests: 1 }).record(ctx, 200, 5);
    expect(calls).toEqual(['end', used({ units: { images: 2, requests: 1 } })]);
  });

  test('counts the output that arrived if the report of an interrupted stream contains less', () => {
    const ctx = admitted();
    ctx.usage = { ...USAGE, delivered: { tokens: 40, choices: 3 } };
    ctx.usageProof = 'delivered';
    recorderWith(used().units as Record<string, number>, { input: 9, output: 40 }).record(ctx, 200, 5);
    expect(calls).toEqual([
      'end',
      used({ units: { input: 9, output: 40 }, costNanodollars: 50n, proof: 'delivered', choices: 3 }),
    ]);
  });

  test('a request that was not admitted needs no reservation', () => {
    const ctx = admitted();
    ctx.admitted = false;
    ctx.reservation = null;
    recorderWith(null).record(ctx, 429, 5);
    expect(calls).toEqual([]);
  });
});
