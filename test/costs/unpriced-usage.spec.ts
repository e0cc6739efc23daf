import { describe, expect, test } from '@jest/globals';
import { kindsOf } from '../../src/costs/pricing/request-units.rules.js';
import { UnpricedRequests, unpricedRequestsIn, type UnpricedRequest } from '../../src/costs/unpriced-usage.js';
import type { UsageDetails } from '../../src/platform/request-context/token-usage.js';
import { NO_DETAILS } from './pricing/reports.js';

const upTo = (max: number): number => Math.floor(Math.random() * (max + 1));
const pick = <T>(...values: readonly T[]): T => values[upTo(values.length - 1)]!;

const COUNTS = Object.entries(NO_DETAILS).flatMap(([name, value]) => (value === 0 ? [name] : []));

function randomDetails(): UsageDetails {
  const counts = COUNTS.map((name) => [name, pick(0, 0, upTo(10_000), 2_147_483_647)]);
  return {
    ...NO_DETAILS,
    ...(Object.fromEntries(counts) as Partial<UsageDetails>),
    inputIncludesCache: pick(true, false),
    outputIncludesReasoning: pick(true, false),
    serviceTier: pick(null, 'default', 'flex'),
    region: pick(null, 'us'),
    imageSize: pick(null, '1024x1024'),
    imageQuality: pick(null, 'hd'),
    unmeasured: pick(null, ['audio_seconds'], ['input', 'output']),
    reportedCostNanoUsd: pick(null, 0, Number.MAX_SAFE_INTEGER),
  };
}

const randomRequest = (): UnpricedRequest => ({
  atMs: 1_764_000_000_000 + upTo(86_400_000),
  logId: pick(null, null, '019ac2d0-0000-7000-8000-000000000001'),
  nanos: pick(null, null, 0n, 12n, 2n ** 62n),
  usage: { inputTokens: upTo(1e6), outputTokens: upTo(1e6), provenance: pick('reported', 'partial', 'estimated') },
  details: pick(null, NO_DETAILS, randomDetails()),
});

function batchOf(requests: readonly UnpricedRequest[]): UnpricedRequests {
  const batch = new UnpricedRequests();
  for (const request of requests) batch.add(request, kindsOf(request.usage, request.details).units);
  return batch;
}

describe('requests that wait for a price', () => {
  test('everything that a cost depends on can be read back', () => {
    const requests = Array.from({ length: 400 }, randomRequest);
    const [part] = batchOf(requests).all();
    expect(unpricedRequestsIn(JSON.parse(part!.items) as unknown[])).toEqual(requests);
  });

  test('a request of the release before, which stored a single unmeasured kind, can be read', () => {
    const [request] = unpricedRequestsIn([[5, 0, 0, 'none', { unmeasured: 'audio_seconds' }]]);
    expect(request!.details).toEqual({ ...NO_DETAILS, unmeasured: ['audio_seconds'] });
  });

  test('each row has up to 500 requests, with its own sums and times', () => {
    const requests = Array.from({ length: 1201 }, (_, at): UnpricedRequest => ({
      atMs: 5000 - at,
      logId: null,
      nanos: null,
      details: null,
      usage: { inputTokens: at, outputTokens: 2, provenance: 'reported' },
    }));
    const parts = batchOf(requests).all();
    expect(parts.map((part) => part.requests)).toEqual([500, 500, 201]);
    expect(parts[1]).toMatchObject({
      firstAtMs: 4001,
      lastAtMs: 4500,
      units: { input: 500 * 500 + (499 * 500) / 2, output: 1000, requests: 500 },
    });
    const read = parts.flatMap((part) => unpricedRequestsIn(JSON.parse(part.items) as unknown[]));
    expect(read).toEqual(requests);
  });

  test('a request with usual figures takes about 50 bytes', () => {
    const usage = { inputTokens: 1234, outputTokens: 567, provenance: 'reported' } as const;
    const request = { atMs: 1_764_000_000_000, logId: null, nanos: null, usage };
    expect(batchOf([{ ...request, details: null }]).all()[0]!.items).toBe('[[1764000000000,1234,567,"reported"]]');
    expect(batchOf([{ ...request, details: { ...NO_DETAILS, serviceTier: 'default' } }]).all()[0]!.items).toBe(
      '[[1764000000000,1234,567,"reported",{"serviceTier":"default"}]]',
    );
  });
});
