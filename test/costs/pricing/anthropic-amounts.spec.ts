import { describe } from '@jest/globals';
import { expectAmounts } from './reports.js';

const ANTHROPIC = 'https://api.anthropic.com';
const MESSAGES = { inputIncludesCache: false };
const SEARCH = 10_000_000_000;

describe('the amount of a message at Anthropic', () => {
  expectAmounts(ANTHROPIC, MESSAGES, [
    ['text', 'claude-opus-5-5', { input: 25, output: 150 }, 25 * 4_000_000 + 150 * 20_000_000],
    [
      'a cache read',
      'claude-opus-5-5',
      { input: 25, output: 150, cachedInput: 9000 },
      25 * 4_000_000 + 9000 * 200_000 + 150 * 20_000_000,
    ],
    ['text', 'claude-opus-5', { input: 25, output: 150 }, 25 * 5_000_000 + 150 * 25_000_000],
    ['a dated name', 'claude-opus-5-20260724', { input: 25, output: 150 }, 25 * 5_000_000 + 150 * 25_000_000],
    ['text', 'claude-sonnet-5', { input: 2095, output: 503 }, 2095 * 2_000_000 + 503 * 10_000_000],
    ['text', 'claude-haiku-4-5-20251001', { input: 2095, output: 503 }, 2095 * 1_000_000 + 503 * 5_000_000],
    [
      'text',
      'claude-fable-5-1',
      { input: 10, output: 10, cachedInput: 1000 },
      10 * 10_000_000 + 10 * 50_000_000 + 1000 * 250_000,
    ],
    [
      'text',
      'claude-fable-5',
      { input: 10, output: 10, cachedInput: 1000 },
      10 * 10_000_000 + 10 * 50_000_000 + 1000 * 1_000_000,
    ],
    ['text', 'claude-3-haiku-20240307', { input: 11, output: 7 }, 11 * 250_000 + 7 * 1_250_000],
    [
      'a cache write',
      'claude-3-haiku-20240307',
      { input: 11, output: 7, cacheWrite5m: 2049 },
      11 * 250_000 + 7 * 1_250_000 + 2049 * 300_000,
    ],
    [
      'a cache read of fractions',
      'claude-3-haiku-20240307',
      { output: 1, cachedInput: 2049 },
      2049 * 30_000 + 1_250_000,
    ],
    ['text', 'claude-3-5-haiku-latest', { input: 11, output: 7 }, 11 * 800_000 + 7 * 4_000_000],
    ['text', 'claude-3-5-sonnet-20241022', { input: 11, output: 7 }, 11 * 3_000_000 + 7 * 15_000_000],
    ['text', 'claude-3-7-sonnet-20250219', { input: 11, output: 7 }, 11 * 3_000_000 + 7 * 15_000_000],
    ['text', 'claude-3-opus-20240229', { input: 11, output: 7 }, 11 * 15_000_000 + 7 * 75_000_000],
    ['text', 'claude-opus-4-1-20250805', { input: 11, output: 7 }, 11 * 15_000_000 + 7 * 75_000_000],
    ['text', 'claude-opus-4-20250514', { input: 11, output: 7 }, 11 * 15_000_000 + 7 * 75_000_000],
    ['text', 'claude-opus-4-5', { input: 11, output: 7 }, 11 * 5_000_000 + 7 * 25_000_000],
    ['text', 'claude-sonnet-4-20250514', { input: 11, output: 7 }, 11 * 3_000_000 + 7 * 15_000_000],
    ['text', 'claude-2.1', { input: 11, output: 7 }, 11 * 8_000_000 + 7 * 24_000_000],
    [
      'a cache without a price for it',
      'claude-2.1',
      { input: 11, output: 7, cachedInput: 5, cacheWrite1h: 3 },
      16 * 8_000_000 + 3 * 16_000_000 + 7 * 24_000_000,
    ],
  ]);
});

describe('the amount of a message with caches at Anthropic', () => {
  expectAmounts(ANTHROPIC, MESSAGES, [
    [
      'a write for five minutes',
      'claude-sonnet-5',
      { input: 21, output: 393, cacheWrite5m: 188_086 },
      21 * 2_000_000 + 188_086 * 2_500_000 + 393 * 10_000_000,
    ],
    [
      'a read',
      'claude-sonnet-5',
      { input: 21, output: 393, cachedInput: 188_086 },
      21 * 2_000_000 + 188_086 * 200_000 + 393 * 10_000_000,
    ],
    [
      'a write for an hour',
      'claude-sonnet-5',
      { input: 21, output: 393, cacheWrite1h: 1000 },
      21 * 2_000_000 + 1000 * 4_000_000 + 393 * 10_000_000,
    ],
    [
      'a read and both writes',
      'claude-opus-5',
      { input: 2048, output: 503, cachedInput: 1800, cacheWrite5m: 148, cacheWrite1h: 100 },
      2048 * 5_000_000 + 1800 * 500_000 + 148 * 6_250_000 + 100 * 10_000_000 + 503 * 25_000_000,
    ],
    [
      'a read and both writes',
      'claude-haiku-4-5',
      { input: 1, output: 1, cachedInput: 1, cacheWrite5m: 1, cacheWrite1h: 1 },
      1_000_000 + 5_000_000 + 100_000 + 1_250_000 + 2_000_000,
    ],
    ['a write for an hour', 'claude-opus-4-1', { output: 1, cacheWrite1h: 7 }, 7 * 30_000_000 + 75_000_000],
    [
      'the sum of four iterations',
      'claude-opus-4-8',
      { input: 23_000 + 180_000, output: 1500 + 3500, cachedInput: 40_000 },
      203_000 * 5_000_000 + 40_000 * 500_000 + 5000 * 25_000_000,
    ],
    ['thinking', 'claude-opus-5-5', { input: 100, output: 5000, reasoning: 4500 }, 100 * 4_000_000 + 5000 * 20_000_000],
    [
      'a long context that caches reach',
      'claude-sonnet-4-5',
      { input: 1, output: 10, cachedInput: 200_000 },
      1 * 6_000_000 + 200_000 * 600_000 + 10 * 22_500_000,
    ],
    [
      'a context at the limit',
      'claude-sonnet-4-5',
      { input: 1, output: 10, cachedInput: 199_999 },
      1 * 3_000_000 + 199_999 * 300_000 + 10 * 15_000_000,
    ],
    [
      'a long context with writes',
      'claude-sonnet-4-5',
      { input: 100_000, output: 10, cacheWrite5m: 60_000, cacheWrite1h: 50_000 },
      100_000 * 6_000_000 + 60_000 * 7_500_000 + 50_000 * 12_000_000 + 10 * 22_500_000,
    ],
    [
      'a long context before its price ended',
      'claude-opus-4-6',
      { input: 250_000, output: 10, at: '2026-03-12T23:59:59Z' },
      250_000 * 10_000_000 + 10 * 37_500_000,
    ],
    [
      'a long context after its price ended',
      'claude-opus-4-6',
      { input: 250_000, output: 10, at: '2026-03-13T00:00:00Z' },
      250_000 * 5_000_000 + 10 * 25_000_000,
    ],
    [
      'a million tokens',
      'claude-opus-5-5',
      { input: 1_000_000, output: 128_000 },
      1_000_000 * 4_000_000 + 128_000 * 20_000_000,
    ],
  ]);
});

describe('the amount of a message with tools, tiers and regions at Anthropic', () => {
  const batch = { serviceTier: 'batch' };
  const fast = { serviceTier: 'fast' };
  const us = { region: 'us' };
  expectAmounts(ANTHROPIC, MESSAGES, [
    [
      'a web search',
      'claude-opus-5-5',
      { input: 105, output: 6039, cachedInput: 7123, cacheWrite5m: 7345, webSearches: 1 },
      105 * 4_000_000 + 7123 * 200_000 + 7345 * 5_000_000 + 6039 * 20_000_000 + SEARCH,
    ],
    [
      'five web searches',
      'claude-sonnet-5',
      { input: 1, output: 1, webSearches: 5 },
      2_000_000 + 10_000_000 + 5 * SEARCH,
    ],
    [
      'a web search without a price',
      'claude-3-haiku-20240307',
      { input: 1, output: 1, webSearches: 1 },
      250_000 + 1_250_000,
      'web_searches',
    ],
    [
      'code execution without a price',
      'claude-sonnet-5',
      { input: 1, output: 1, codeExecutions: 2 },
      2_000_000 + 10_000_000,
      'code_executions',
    ],
    [
      'the standard tier',
      'claude-sonnet-5',
      { serviceTier: 'standard', input: 10, output: 10 },
      10 * 2_000_000 + 10 * 10_000_000,
    ],
    ['a batch', 'claude-opus-5-5', { ...batch, input: 1000, output: 100 }, 1000 * 2_000_000 + 100 * 10_000_000],
    [
      'a batch with caches',
      'claude-opus-5',
      { ...batch, input: 11, output: 3, cachedInput: 7, cacheWrite5m: 5, cacheWrite1h: 1 },
      11 * 2_500_000 + 3 * 12_500_000 + 7 * 250_000 + 5 * 3_125_000 + 5_000_000,
    ],
    [
      'a batch with a web search in full',
      'claude-haiku-4-5',
      { ...batch, input: 11, output: 3, webSearches: 1 },
      11 * 500_000 + 3 * 2_500_000 + SEARCH,
    ],
    ['a batch of fractions', 'claude-3-haiku-20240307', { ...batch, cachedInput: 1 }, 15_000],
    [
      'inference in the US',
      'claude-opus-5-5',
      { ...us, input: 1000, output: 100 },
      1000 * 4_400_000 + 100 * 22_000_000,
    ],
    [
      'inference in the US with caches',
      'claude-opus-4-6',
      { ...us, input: 10, output: 10, cachedInput: 3, cacheWrite5m: 3, cacheWrite1h: 3 },
      10 * 5_500_000 + 10 * 27_500_000 + 3 * 550_000 + 3 * 6_875_000 + 3 * 11_000_000,
    ],
    [
      'global inference',
      'claude-opus-5-5',
      { region: 'global', input: 1000, output: 100 },
      1000 * 4_000_000 + 100 * 20_000_000,
    ],
    [
      'inference without a geography',
      'claude-opus-4-5',
      { region: 'not_available', input: 10, output: 1 },
      10 * 5_000_000 + 25_000_000,
    ],
    [
      'a batch in the US',
      'claude-opus-5-5',
      { ...batch, ...us, input: 1000, output: 100 },
      1000 * 2_200_000 + 100 * 11_000_000,
    ],
    ['fast mode', 'claude-opus-5-5', { ...fast, input: 1000, output: 100 }, 1000 * 8_000_000 + 100 * 40_000_000],
    [
      'fast mode with caches',
      'claude-opus-5',
      { ...fast, input: 10, output: 10, cachedInput: 4, cacheWrite1h: 2 },
      10 * 10_000_000 + 10 * 50_000_000 + 4 * 1_000_000 + 2 * 20_000_000,
    ],
    ['fast mode', 'claude-opus-4-8', { ...fast, input: 10, output: 10 }, 10 * 10_000_000 + 10 * 50_000_000],
    ['fast mode', 'claude-opus-4-6', { ...fast, input: 10, output: 10 }, 10 * 30_000_000 + 10 * 150_000_000],
    [
      'fast mode in the US',
      'claude-opus-5-5',
      { ...fast, ...us, input: 10, output: 10 },
      10 * 8_800_000 + 10 * 44_000_000,
    ],
    [
      'the priority tier, which has no price per token',
      'claude-opus-5',
      { serviceTier: 'priority', input: 10, output: 10 },
      10 * 5_000_000 + 10 * 25_000_000,
    ],
  ]);
  expectAmounts(ANTHROPIC, {}, [
    [
      'a chat completion',
      'claude-sonnet-5',
      { input: 1000, output: 10, cachedInput: 900 },
      100 * 2_000_000 + 900 * 200_000 + 10 * 10_000_000,
    ],
  ]);
});
