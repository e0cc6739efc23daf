import { describe } from '@jest/globals';
import { expectAmounts } from './reports.js';

const OPENAI = 'https://api.openai.com/v1';
const SEARCH = 10_000_000_000;
const FILE_SEARCH = 2_500_000_000;
const CONTAINER = 30_000_000_000;

describe('the amount of a chat completion at OpenAI', () => {
  expectAmounts(OPENAI, {}, [
    ['text', 'gpt-4o', { input: 1000, output: 500 }, 1000 * 2_500_000 + 500 * 10_000_000],
    ['one token', 'gpt-4o', { input: 1, output: 1 }, 1 * 2_500_000 + 1 * 10_000_000],
    [
      'cached input',
      'gpt-4o',
      { input: 2006, output: 300, cachedInput: 1920 },
      86 * 2_500_000 + 1920 * 1_250_000 + 300 * 10_000_000,
    ],
    [
      'input that was all cached',
      'gpt-4o',
      { input: 1024, output: 1, cachedInput: 1024 },
      1024 * 1_250_000 + 10_000_000,
    ],
    ['a snapshot', 'gpt-4o-2024-08-06', { input: 10, output: 10 }, 10 * 2_500_000 + 10 * 10_000_000],
    ['an older snapshot', 'gpt-4o-2024-05-13', { input: 10, output: 10 }, 10 * 5_000_000 + 10 * 15_000_000],
    [
      'cached input without a price for it',
      'gpt-4o-2024-05-13',
      { input: 100, output: 0, cachedInput: 90 },
      100 * 5_000_000,
    ],
    ['text', 'gpt-4o-mini', { input: 333, output: 77 }, 333 * 150_000 + 77 * 600_000],
    [
      'cached input',
      'gpt-4o-mini',
      { input: 1333, output: 77, cachedInput: 1280 },
      53 * 150_000 + 1280 * 75_000 + 77 * 600_000,
    ],
    ['an amount below a nano-dollar per token', 'gpt-4.1-nano', { input: 3, output: 0, cachedInput: 3 }, 3 * 25_000],
    ['text', 'gpt-4.1', { input: 8000, output: 900 }, 8000 * 2_000_000 + 900 * 8_000_000],
    ['text', 'gpt-4.1-mini', { input: 8000, output: 900 }, 8000 * 400_000 + 900 * 1_600_000],
    ['text', 'gpt-4.1-nano', { input: 8000, output: 900 }, 8000 * 100_000 + 900 * 400_000],
    ['text', 'gpt-3.5-turbo', { input: 15, output: 9 }, 15 * 500_000 + 9 * 1_500_000],
    ['text', 'gpt-4', { input: 15, output: 9 }, 15 * 30_000_000 + 9 * 60_000_000],
    ['text', 'gpt-4-turbo-2024-04-09', { input: 15, output: 9 }, 15 * 10_000_000 + 9 * 30_000_000],
    ['reasoning', 'o1', { input: 75, output: 1186, reasoning: 1024 }, 75 * 15_000_000 + 1186 * 60_000_000],
    ['reasoning', 'o3-mini', { input: 75, output: 1186, reasoning: 1024 }, 75 * 1_100_000 + 1186 * 4_400_000],
    [
      'reasoning and a cache',
      'o4-mini',
      { input: 2000, output: 700, reasoning: 640, cachedInput: 1536 },
      464 * 1_100_000 + 1536 * 275_000 + 700 * 4_400_000,
    ],
    [
      'a request before a price cut',
      'o3',
      { input: 1000, output: 100, at: '2025-06-09T23:59:59.999Z' },
      1000 * 10_000_000 + 100 * 40_000_000,
    ],
    [
      'a request after a price cut',
      'o3',
      { input: 1000, output: 100, at: '2025-06-10T00:00:00Z' },
      1000 * 2_000_000 + 100 * 8_000_000,
    ],
    ['reasoning', 'gpt-5', { input: 20, output: 320, reasoning: 256 }, 20 * 1_250_000 + 320 * 10_000_000],
    [
      'a cache',
      'gpt-5',
      { input: 4000, output: 100, cachedInput: 3840 },
      160 * 1_250_000 + 3840 * 125_000 + 100 * 10_000_000,
    ],
    ['a chat alias', 'gpt-5-chat-latest', { input: 20, output: 30 }, 20 * 1_250_000 + 30 * 10_000_000],
    ['text', 'gpt-5-mini', { input: 1001, output: 3 }, 1001 * 250_000 + 3 * 2_000_000],
    [
      'a cache',
      'gpt-5-mini',
      { input: 2048, output: 3, cachedInput: 1920 },
      128 * 250_000 + 1920 * 25_000 + 3 * 2_000_000,
    ],
    [
      'a dated name that only a prefix matches',
      'gpt-5-nano-2025-08-07',
      { input: 1001, output: 3 },
      1001 * 50_000 + 3 * 400_000,
    ],
    [
      'a cache of fractions of a nano-dollar',
      'gpt-5-nano',
      { input: 1281, output: 1, cachedInput: 1280 },
      1 * 50_000 + 1280 * 5_000 + 400_000,
    ],
    ['text', 'gpt-5-pro', { input: 120, output: 4000, reasoning: 3800 }, 120 * 15_000_000 + 4000 * 120_000_000],
    ['text', 'gpt-5.1', { input: 120, output: 40 }, 120 * 1_250_000 + 40 * 10_000_000],
    ['text', 'gpt-5.2', { input: 120, output: 40 }, 120 * 1_750_000 + 40 * 14_000_000],
    ['a dash instead of a dot', 'gpt-5-2', { input: 120, output: 40 }, 120 * 1_750_000 + 40 * 14_000_000],
    [
      'a fine-tuned model',
      'ft:gpt-4o-mini-2024-07-18:acme::abc123',
      { input: 50, output: 10 },
      50 * 300_000 + 10 * 1_200_000,
    ],
    ['a moderation', 'omni-moderation-latest', { input: 500 }, 0],
    [
      'audio in both directions',
      'gpt-audio',
      { input: 300, output: 250, audioInput: 200, audioOutput: 180 },
      100 * 2_500_000 + 200 * 32_000_000 + 70 * 10_000_000 + 180 * 64_000_000,
    ],
    [
      'audio',
      'gpt-audio-mini',
      { input: 300, output: 250, audioInput: 300, audioOutput: 200 },
      300 * 10_000_000 + 50 * 2_400_000 + 200 * 20_000_000,
    ],
    [
      'cached audio',
      'gpt-realtime',
      { input: 1000, output: 100, cachedInput: 600, audioInput: 500, cachedAudioInput: 400, audioOutput: 90 },
      300 * 4_000_000 + 200 * 400_000 + 100 * 32_000_000 + 400 * 400_000 + 10 * 16_000_000 + 90 * 64_000_000,
    ],
    [
      'audio',
      'gpt-4o-audio-preview',
      { input: 300, output: 250, audioInput: 200, audioOutput: 180 },
      100 * 2_500_000 + 200 * 40_000_000 + 70 * 10_000_000 + 180 * 80_000_000,
    ],
    [
      'audio without a price for it',
      'gpt-4o',
      { input: 300, output: 250, audioInput: 200, audioOutput: 180 },
      300 * 2_500_000 + 250 * 10_000_000,
      'audio_input',
      'audio_output',
    ],
    [
      'images as input',
      'gpt-realtime',
      { input: 900, output: 10, imageInput: 765 },
      135 * 4_000_000 + 765 * 5_000_000 + 10 * 16_000_000,
    ],
  ]);
});

describe('the amount of a response at OpenAI', () => {
  expectAmounts(OPENAI, {}, [
    [
      'text',
      'gpt-5.4',
      { input: 5000, output: 800, cachedInput: 4096 },
      904 * 2_500_000 + 4096 * 250_000 + 800 * 15_000_000,
    ],
    [
      'the last token of the first tier',
      'gpt-5.4',
      { input: 271_999, output: 10 },
      271_999 * 2_500_000 + 10 * 15_000_000,
    ],
    [
      'the first token of the second tier',
      'gpt-5.4',
      { input: 272_000, output: 10 },
      272_000 * 5_000_000 + 10 * 22_500_000,
    ],
    [
      'a tier that only the cache reaches',
      'gpt-5.4',
      { input: 300_000, output: 10, cachedInput: 299_000 },
      1000 * 5_000_000 + 299_000 * 500_000 + 10 * 22_500_000,
    ],
    ['text', 'gpt-5.4-pro', { input: 1000, output: 2000 }, 1000 * 30_000_000 + 2000 * 180_000_000],
    [
      'cache writes',
      'gpt-5.6-sol',
      { input: 10_000, output: 500, cachedInput: 4000, cacheWrite5m: 5000 },
      1000 * 4_000_000 + 4000 * 400_000 + 5000 * 5_000_000 + 500 * 20_000_000,
    ],
    [
      'cache writes before a price cut',
      'gpt-5.6-sol',
      { input: 10_000, output: 500, cachedInput: 4000, cacheWrite5m: 5000, at: '2026-08-20T23:59:59Z' },
      1000 * 5_000_000 + 4000 * 500_000 + 5000 * 6_250_000 + 500 * 30_000_000,
    ],
    [
      'a long context',
      'gpt-5.6-sol',
      { input: 400_000, output: 500, cachedInput: 390_000 },
      10_000 * 8_000_000 + 390_000 * 800_000 + 500 * 30_000_000,
    ],
    ['text', 'gpt-5.6-terra-2026-07-09', { input: 700, output: 50 }, 700 * 2_000_000 + 50 * 12_000_000],
    ['text', 'gpt-5.6-luna', { input: 701, output: 51, cachedInput: 7 }, 694 * 200_000 + 7 * 20_000 + 51 * 1_200_000],
    ['text', 'gpt-6-sol', { input: 700, output: 50 }, 700 * 2_000_000 + 50 * 10_000_000],
    ['the last token of the first tier', 'gpt-6-sol', { input: 272_000, output: 1 }, 272_000 * 2_000_000 + 10_000_000],
    [
      'the first token of the second tier',
      'gpt-6-sol',
      { input: 272_001, output: 1 },
      272_001 * 4_000_000 + 15_000_000,
    ],
    [
      'a cache write',
      'gpt-6-luna',
      { input: 4097, output: 33, cacheWrite5m: 4096 },
      1 * 100_000 + 4096 * 125_000 + 33 * 500_000,
    ],
    ['text', 'gpt-6-astra', { input: 11, output: 13 }, 11 * 10_000_000 + 13 * 50_000_000],
    [
      'web searches',
      'gpt-5',
      { input: 9000, output: 700, webSearches: 3 },
      9000 * 1_250_000 + 700 * 10_000_000 + 3 * SEARCH,
    ],
    [
      'file searches',
      'gpt-4.1',
      { input: 9000, output: 700, fileSearches: 2 },
      9000 * 2_000_000 + 700 * 8_000_000 + 2 * FILE_SEARCH,
    ],
    [
      'a code interpreter',
      'gpt-4.1',
      { input: 900, output: 70, codeExecutions: 1 },
      900 * 2_000_000 + 70 * 8_000_000 + 1 * CONTAINER,
    ],
    [
      'all tools',
      'gpt-5.4-mini',
      { input: 900, output: 70, webSearches: 1, fileSearches: 1, codeExecutions: 2 },
      900 * 750_000 + 70 * 4_500_000 + SEARCH + FILE_SEARCH + 2 * CONTAINER,
    ],
    [
      'a web search without a price',
      'gpt-5.3',
      { input: 900, output: 70, webSearches: 1 },
      900 * 1_750_000 + 70 * 14_000_000,
      'web_searches',
    ],
    [
      'research',
      'o4-mini-deep-research',
      { input: 60_506, output: 22_883, reasoning: 20_416 },
      60_506 * 2_000_000 + 22_883 * 8_000_000,
    ],
    [
      'text',
      'codex-mini-latest',
      { input: 1000, output: 10, cachedInput: 512 },
      488 * 1_500_000 + 512 * 375_000 + 10 * 6_000_000,
    ],
  ]);
});
