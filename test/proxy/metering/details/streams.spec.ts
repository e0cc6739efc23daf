import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { UsageDetails } from '../../../../src/platform/request-context/token-usage.js';
import { bufferedReport } from '../../../../src/proxy/metering/buffered-usage.js';
import { USAGE_FORMATS } from '../../../../src/proxy/metering/usage-formats.data.js';
import { until } from '../../../support/until.js';
import { heldBytes } from '../../../support/held-bytes.js';
import type { Route } from '../../../support/metered.js';
import { details, detailsOf, eventsOf, streamedDetails } from '../../../support/detailed-usage.js';
import { cpuTimeOf } from '../../../support/cpu-time.js';

/** Slices, because new buffers take more time to allocate. */
const byteByByte = (bytes: Buffer): Buffer[] => Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));

const FOLDER = new URL('../../../fixtures/streams/', import.meta.url);
const recorded = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
const routeOf = (name: string): Route =>
  name.startsWith('messages') ? 'messages' : name.startsWith('responses') ? 'responses' : 'chat';

/** The other recorded streams have no details. */
const WITH_DETAILS: Readonly<Record<string, Partial<UsageDetails>>> = {
  'openai-with-usage.sse': { cachedInput: 3, reasoning: 8 },
  'responses.sse': { reasoning: 5 },
  'messages.sse': { inputIncludesCache: false, cachedInput: 200, cacheWrite5m: 100 },
  'messages-input-repeated.sse': { inputIncludesCache: false },
  'messages-input-replaced.sse': { inputIncludesCache: false, cachedInput: 880 },
};

describe.each(readdirSync(FOLDER))('the recorded stream %s', (name) => {
  const bytes = recorded(name);
  const type = name.endsWith('.ndjson') ? 'application/x-ndjson' : 'text/event-stream';
  const read = (chunks: readonly Buffer[]) => streamedDetails(routeOf(name), chunks, { type });
  const expected = WITH_DETAILS[name] === undefined ? null : details(WITH_DETAILS[name]);

  test('the stream has the same details wherever it is split', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const found = read([bytes.subarray(0, cut), bytes.subarray(cut)]);
      if (!isDeepStrictEqual(found, expected)) expect([cut, found]).toEqual([cut, expected]);
    }
    expect(read(byteByByte(bytes))).toEqual(expected);
  });
});

describe('a Messages stream', () => {
  const start = {
    type: 'message_start',
    message: {
      usage: {
        input_tokens: 25,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 200,
        output_tokens: 1,
        cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
        service_tier: 'standard',
        inference_geo: 'eu',
      },
    },
  };
  const delta = (usage: object) => ({ type: 'message_delta', usage: { output_tokens: 15, ...usage } });
  const started = details({
    inputIncludesCache: false,
    cachedInput: 200,
    cacheWrite5m: 60,
    cacheWrite1h: 40,
    serviceTier: 'standard',
    region: 'eu',
  });
  const read = (...events: object[]) => streamedDetails('messages', [eventsOf(events)]);

  test('combines the details of its events', () => {
    expect(read(start, delta({}))).toEqual(started);
    const searched = delta({ server_tool_use: { web_search_requests: 2 } });
    expect(read(start, searched)).toEqual({ ...started, webSearches: 2 });
    expect(read(start, searched, delta({}))).toEqual({ ...started, webSearches: 2 });
  });

  test('a later value replaces an earlier one, except by 0', () => {
    expect(read(start, delta({ cache_read_input_tokens: 150 }))).toEqual({ ...started, cachedInput: 150 });
    expect(read(start, delta({ cache_read_input_tokens: 0 }))).toEqual(started);
    expect(read(start, delta({ cache_read_input_tokens: 900 }), delta({ cache_read_input_tokens: 300 }))).toEqual({
      ...started,
      cachedInput: 300,
    });
  });

  test('adds the steps that the totals omit', () => {
    const steps = [
      { type: 'compaction', input_tokens: 90, output_tokens: 5, cache_read_input_tokens: 70 },
      { type: 'message', input_tokens: 25, output_tokens: 15, cache_read_input_tokens: 200 },
    ];
    const ended = delta({ cache_read_input_tokens: 200, iterations: steps });
    expect(read(start, ended)).toEqual({ ...started, cachedInput: 270 });
  });

  test('keeps the details that arrived before an interruption', () => {
    const bytes = eventsOf([start, delta({ server_tool_use: { web_search_requests: 2 } })]);
    const seen = new Set<string>();
    for (let cut = 0; cut <= bytes.length; cut++) {
      const part = streamedDetails('messages', [bytes.subarray(0, cut)], { whole: false });
      if (part === null) continue;
      const { cachedInput, cacheWrite5m, cacheWrite1h, serviceTier, region, webSearches } = part;
      seen.add(JSON.stringify([cachedInput, cacheWrite5m, cacheWrite1h, serviceTier, region, webSearches]));
    }
    expect([...seen]).toEqual([
      '[0,100,0,null,null,0]',
      '[200,100,0,null,null,0]',
      '[200,60,40,null,null,0]',
      '[200,60,40,"standard",null,0]',
      '[200,60,40,"standard","eu",0]',
      '[200,60,40,"standard","eu",2]',
    ]);
  });
});

describe('a stream with several reports', () => {
  const report = (cached: number, input = 9) => ({
    usage: { prompt_tokens: input, completion_tokens: input, prompt_tokens_details: { cached_tokens: cached } },
  });
  const cachedOf = (...events: object[]) => streamedDetails('chat', [eventsOf(events)])?.cachedInput;

  test('a stream with several reports has the details of the report in effect', () => {
    expect(cachedOf(report(3), report(5))).toBe(5);
    expect(cachedOf(report(5), report(3))).toBe(3);
    expect(cachedOf(report(5), { usage: { prompt_tokens: 0, completion_tokens: 0, cached_tokens: 7 } })).toBe(5);
    expect(cachedOf(report(5), { usage: { prompt_tokens: 4, cached_tokens: 7 } })).toBe(5);
    expect(cachedOf({ x_groq: report(7), ...report(5) })).toBe(5);
    expect(cachedOf({ choices: [report(7)] })).toBe(7);
  });

  test('holds one report, even if reports are long', async () => {
    const long = { usage: { ...report(5).usage, note: 'x'.repeat(100_000) } };
    const chunk = eventsOf(Array.from({ length: 10 }, () => long));
    const chunks = Array.from({ length: 20 }, () => chunk);
    const before = heldBytes();
    expect(streamedDetails('chat', chunks)?.cachedInput).toBe(5);
    // V8 frees collected buffers in the background.
    await until(() => heldBytes() - before < 2 * 1024 * 1024);
  });
});

test('a huge response has the details of its report, at the cost of a search', () => {
  const report = '"usage":{"prompt_tokens":3,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2}}';
  const body = Buffer.from(`{"data":[${'[0.12345,-0.5],'.repeat(700_000)}1],${report},"service_tier":"flex"}`);
  const read = () => bufferedReport(body, USAGE_FORMATS.chat).reported.figures;
  expect(read()).toMatchObject({ cachedInput: 2, serviceTier: 'flex' });
  expect(cpuTimeOf(read)).toBeLessThan(cpuTimeOf(() => JSON.parse(body.toString()) as unknown) / 2);
});

describe('hostile reports', () => {
  const names = fc.constantFrom(
    'prompt_tokens',
    'completion_tokens',
    'input_tokens',
    'output_tokens',
    'total_tokens',
    'cached_tokens',
    'prompt_tokens_details',
    'input_tokens_details',
    'completion_tokens_details',
    'output_tokens_details',
    'cache_creation',
    'cache_creation_input_tokens',
    'cache_read_input_tokens',
    'ephemeral_1h_input_tokens',
    'reasoning_tokens',
    'audio_tokens',
    'image_tokens',
    'iterations',
    'server_tool_use',
    'web_search_requests',
    'cost',
    'total_cost',
    'cost_in_usd_ticks',
    'is_byok',
    'seconds',
    'speed',
    'service_tier',
    'inference_geo',
    'thoughtsTokenCount',
    'promptTokensDetails',
    'modality',
    'tokenCount',
    'usage',
    'response',
    'message',
    'size',
    'quality',
    'data',
    'duration',
    'output',
    'tool_usage',
    'type',
    '__proto__',
    'x\\"',
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer({ min: -1, max: 2 ** 31 }),
      fc.constantFrom(null, true, 1.5, 1e300, '', 'fast', 'AUDIO', 'web_search_call', 'x'.repeat(40)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { maxKeys: 6 }),
    ),
  }));
  const text = fc
    .tuple(fc.dictionary(names, value, { maxKeys: 8 }), fc.nat(400), fc.constantFrom(undefined, 1))
    .map(([object, cut, indent]) => {
      const json = JSON.stringify({ usage: object, ...object }, null, indent);
      return cut > 200 ? json : json.slice(0, cut);
    });
  const routes = fc.constantFrom<Route>('chat', 'completions', 'messages', 'responses', 'embeddings', 'media');
  const isCount = (count: unknown) => Number.isInteger(count) && (count as number) >= 0 && (count as number) < 2 ** 31;

  test('details never throw, contain only sane values, and do not depend on chunks', () => {
    fc.assert(
      fc.property(text, routes, fc.boolean(), (json, route, whole) => {
        const event = Buffer.from(`data: ${json}\n\n`);
        const read = streamedDetails(route, [event], { whole });
        expect(streamedDetails(route, byteByByte(event), { whole })).toEqual(read);
        for (const found of [read, detailsOf(route, json)]) {
          if (found === null) continue;
          const { reportedCostNanoUsd: cost, serviceTier, region, imageSize, imageQuality, others, ...counts } = found;
          const words = [serviceTier, region, imageSize, imageQuality];
          // The request asks for nothing here.
          const numbers = Object.values(counts).filter((count) => typeof count !== 'boolean' && count !== null);
          const areOthersSane = (others ?? []).every(
            ({ model, inputTokens, outputTokens }) =>
              /^[\w./:@+-]{1,256}$/.test(model) && isCount(inputTokens) && isCount(outputTokens),
          );
          const isSane = {
            words: words.every((word) => /^[\w.:-]{1,32}$/.test(word ?? 'x')),
            cost: cost === null || (Number.isSafeInteger(cost) && cost >= 0),
            counts: numbers.every(isCount),
            others: areOthersSane,
          };
          if (Object.values(isSane).includes(false)) throw new Error(JSON.stringify({ isSane, found }));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
