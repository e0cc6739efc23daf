import { describe, expect, test } from '@jest/globals';
import type { Route } from '../../../support/metered.js';
import { details, detailsOf, eventsOf, streamedDetails } from '../../../support/detailed-usage.js';
import { REPORTS } from './reports.data.js';

/** The event in which each route's streams report the usage. */
const eventWith = (route: Route, usage: object): object =>
  route === 'responses' ? { type: 'response.completed', response: { status: 'completed', usage } } : { usage };

describe.each(REPORTS)('the report of %s', (_provider, route, usage, expected) => {
  const wanted = expected === null ? null : details(expected);

  test('the report has its details in a whole response, with and without spaces', () => {
    for (const indent of [undefined, 2])
      expect(detailsOf(route, JSON.stringify({ usage }, null, indent))).toEqual(wanted);
    expect(detailsOf(route, { usage, id: 'x' })).toEqual(wanted);
  });

  test('the report has its details in a stream wherever it is split in two', () => {
    const bytes = eventsOf([{ type: 'x' }, eventWith(route, usage), { type: 'y' }]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(streamedDetails(route, [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(wanted);
    }
  });
});

describe("Gemini's own format", () => {
  const usageMetadata = {
    promptTokenCount: 80,
    cachedContentTokenCount: 30,
    candidatesTokenCount: 10,
    thoughtsTokenCount: 5,
    totalTokenCount: 95,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 40 },
      { modality: 'IMAGE', tokenCount: 25 },
      { modality: 'AUDIO', tokenCount: 15 },
      null,
      'x',
      { modality: 'constructor', tokenCount: 7 },
      { modality: 'AUDIO', tokenCount: '7' },
    ],
    cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 12 }],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 9 }],
    trafficType: 'ON_DEMAND',
  };

  test('the details of Gemini are read from its own format, with thoughts in addition to the output', () => {
    const wanted = details({
      cachedInput: 30,
      reasoning: 5,
      outputIncludesReasoning: false,
      imageInput: 25,
      audioInput: 15,
      cachedAudioInput: 12,
      imageOutput: 9,
      serviceTier: 'on_demand',
    });
    expect(detailsOf('chat', { usageMetadata })).toEqual(wanted);
    expect(streamedDetails('chat', [eventsOf([{ usageMetadata }])])).toEqual(wanted);
  });
});

describe('values of details', () => {
  const cached = (json: string) =>
    detailsOf('chat', `{"usage":{"prompt_tokens":2147483647,"completion_tokens":1,"cached_tokens":${json}}}`);

  test.each([
    ['0', 0],
    ['-0', 0],
    ['7', 7],
    ['1e3', 1000],
    ['1.0', 1],
    ['2147483647', 2_147_483_647],
    [' 7 ', 7],
    ['7\n', 7],
  ])('reads %j as %i', (json, count) => {
    const read = cached(json);
    expect(read).toEqual(details({ cachedInput: count }));
    expect(Object.is(read?.cachedInput, count)).toBe(true);
  });

  test.each(['-1', '1.5', '"7"', 'null', 'true', '[]', '[7]', '{}', '{"a":7}', '2147483648', '9'.repeat(32), '1e999'])(
    'ignores a count of %s',
    (json) => {
      expect(cached(json)).toBeNull();
    },
  );

  test.each(['-1', '"0.1"', 'null', 'true', '[1]', '{}', '{"total_cost":"x"}', '1e308', '1e999', '-', '10000.01'])(
    'ignores a cost of %s',
    (json) => {
      const read = detailsOf('chat', `{"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":${json}}}`);
      expect(read?.reportedCostNanoUsd ?? null).toBeNull();
    },
  );

  test.each([
    ['0', 0],
    ['1e-10', 1],
    ['0.0000000125', 13],
    ['0.1', 100_000_000],
    ['0.30000000000000004', 300_000_000],
    ['0.29', 290_000_000],
    ['1234.567', 1_234_567_000_000],
    ['10000', 10_000_000_000_000],
  ])('reads a cost of %s USD as %i nano-dollars', (json, cost) => {
    const body = `{"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":${json}}}`;
    expect(detailsOf('chat', body)?.reportedCostNanoUsd).toBe(cost);
  });

  test.each(['"' + 'x'.repeat(33) + '"', '"a b"', '"ünï"', '""', '7', 'null', '{}', '["x"]', '"a\\nb"'])(
    'ignores a service tier of %s',
    (json) => {
      expect(detailsOf('messages', `{"usage":{"input_tokens":1,"output_tokens":1,"service_tier":${json}}}`)).toBeNull();
      expect(
        detailsOf('chat', `{"usage":{"prompt_tokens":1,"completion_tokens":1},"service_tier":${json}}`),
      ).toBeNull();
      expect(
        detailsOf('responses', `{"service_tier":${json},"usage":{"input_tokens":1,"output_tokens":1}}`),
      ).toBeNull();
    },
  );

  test('the highest of several fields with the same meaning is used', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 0 } };
    expect(detailsOf('chat', { usage: { ...usage, cached_tokens: 4 } })?.cachedInput).toBe(4);
    expect(detailsOf('chat', { usage: { cached_tokens: 4, ...usage } })?.cachedInput).toBe(4);
  });

  test('a report with an impossible number of tokens has no details', () => {
    const usage = { prompt_tokens: 2 ** 31, completion_tokens: 1, cached_tokens: 4 };
    expect(detailsOf('chat', { usage })).toBeNull();
  });
});
