import { describe } from '@jest/globals';
import { expectAmounts } from './reports.js';

describe('the amount at Google', () => {
  const outside = { outputIncludesReasoning: false };
  expectAmounts('https://generativelanguage.googleapis.com/v1beta/openai', {}, [
    ['text', 'gemini-2.5-pro', { input: 1000, output: 100 }, 1000 * 1_250_000 + 100 * 10_000_000],
    [
      'the last token of the first tier',
      'gemini-2.5-pro',
      { input: 200_000, output: 1 },
      200_000 * 1_250_000 + 10_000_000,
    ],
    [
      'the first token of the second tier',
      'gemini-2.5-pro',
      { input: 200_001, output: 1 },
      200_001 * 2_500_000 + 15_000_000,
    ],
    [
      'a cache in the second tier',
      'gemini-2.5-pro',
      { input: 300_000, output: 1, cachedInput: 250_000 },
      50_000 * 2_500_000 + 250_000 * 250_000 + 15_000_000,
    ],
    [
      'reasoning in addition to the output',
      'gemini-2.5-pro',
      { ...outside, input: 10, output: 100, reasoning: 900 },
      10 * 1_250_000 + 1000 * 10_000_000,
    ],
    [
      'a name with its collection',
      'models/gemini-2.5-flash',
      { input: 10, output: 100 },
      10 * 300_000 + 100 * 2_500_000,
    ],
    [
      'audio',
      'gemini-2.5-flash',
      { input: 500, output: 100, audioInput: 320 },
      180 * 300_000 + 320 * 1_000_000 + 100 * 2_500_000,
    ],
    [
      'cached audio',
      'gemini-2.5-flash',
      { input: 500, output: 1, audioInput: 320, cachedInput: 400, cachedAudioInput: 300 },
      80 * 300_000 + 20 * 1_000_000 + 100 * 30_000 + 300 * 100_000 + 2_500_000,
    ],
    [
      'text',
      'gemini-2.5-flash-lite',
      { input: 10, output: 100, cachedInput: 7 },
      3 * 100_000 + 7 * 10_000 + 100 * 400_000,
    ],
    [
      'an image',
      'gemini-2.5-flash-image',
      { input: 10, output: 1300, imageOutput: 1290, images: 1 },
      10 * 300_000 + 10 * 2_500_000 + 1290 * 30_000_000,
    ],
    ['a long context', 'gemini-1.5-flash', { input: 128_001, output: 1 }, 128_001 * 150_000 + 600_000],
    [
      'a model whose name begins like that of another',
      'models/gemini-1.5-flash-8b-001',
      { input: 1000, output: 10, cachedInput: 100 },
      900 * 37_500 + 100 * 10_000 + 10 * 150_000,
    ],
    ['a cache with seven decimals per token', 'gemini-1.5-flash', { input: 3, output: 0, cachedInput: 3 }, 3 * 18_750],
    ['text', 'gemini-3-pro-preview', { input: 10, output: 100 }, 10 * 2_000_000 + 100 * 12_000_000],
    [
      'a long context',
      'gemini-3.1-pro-preview',
      { input: 200_001, output: 100 },
      200_001 * 4_000_000 + 100 * 18_000_000,
    ],
    ['text', 'gemini-3.5-flash', { input: 10, output: 100 }, 10 * 1_500_000 + 100 * 9_000_000],
    [
      'an introductory price',
      'gemini-3.7-flash',
      { input: 10, output: 100, at: '2026-12-31T23:59:59Z' },
      10 * 750_000 + 100 * 3_750_000,
    ],
    [
      'a price after an introductory price',
      'gemini-3.7-flash',
      { input: 10, output: 100, at: '2027-01-01T00:00:00Z' },
      10 * 1_500_000 + 100 * 7_500_000,
    ],
    ['flex', 'gemini-3.5-flash', { serviceTier: 'flex', input: 10, output: 101 }, 10 * 750_000 + 101 * 4_500_000],
    ['a batch', 'gemini-2.5-pro', { serviceTier: 'batch', input: 10, output: 101 }, 10 * 625_000 + 101 * 5_000_000],
    [
      'priority',
      'gemini-2.5-pro',
      { serviceTier: 'priority', input: 10, output: 100 },
      10 * 2_250_000 + 100 * 18_000_000,
    ],
    [
      'speech',
      'gemini-2.5-flash-preview-tts',
      { input: 10, output: 100, audioOutput: 100, mediaOnly: true },
      10 * 500_000 + 100 * 10_000_000,
    ],
    ['an embedding', 'gemini-embedding-001', { input: 11 }, 11 * 150_000],
    ['a free model', 'gemma-3-27b-it', { input: 11, output: 11 }, 0],
  ]);
  expectAmounts('https://us-east5-aiplatform.googleapis.com/v1', { inputIncludesCache: false }, [
    [
      'Claude',
      'claude-opus-5@20260724',
      { input: 10, output: 10, cachedInput: 10, cacheWrite5m: 4 },
      10 * 5_000_000 + 10 * 25_000_000 + 10 * 500_000 + 4 * 6_250_000,
    ],
    [
      'a write for an hour without a price for it',
      'claude-opus-5',
      { input: 10, output: 10, cacheWrite1h: 4 },
      10 * 5_000_000 + 10 * 25_000_000 + 4 * 10_000_000,
    ],
    [
      'a name with its publisher',
      'publishers/google/models/gemini-2.5-pro',
      { input: 10, output: 10 },
      10 * 1_250_000 + 10 * 10_000_000,
    ],
  ]);
});

describe('the amount at Mistral', () => {
  expectAmounts('https://api.mistral.ai/v1', {}, [
    ['text', 'mistral-large-2512', { input: 100, output: 10 }, 100 * 500_000 + 10 * 1_500_000],
    [
      'a cache',
      'mistral-large-2512',
      { input: 100, output: 10, cachedInput: 64 },
      36 * 500_000 + 64 * 50_000 + 10 * 1_500_000,
    ],
    ['text', 'mistral-large-latest', { input: 100, output: 10 }, 100 * 2_000_000 + 10 * 6_000_000],
    [
      'an alias before it moved',
      'mistral-medium-latest',
      { input: 100, output: 10, at: '2026-06-15T00:00:00Z' },
      100 * 400_000 + 10 * 2_000_000,
    ],
    ['an alias after it moved', 'mistral-medium-latest', { input: 100, output: 10 }, 100 * 1_500_000 + 10 * 7_500_000],
    ['text', 'ministral-3b', { input: 101, output: 11 }, 101 * 40_000 + 11 * 40_000],
    ['text', 'codestral-2508', { input: 101, output: 11 }, 101 * 300_000 + 11 * 900_000],
    ['reasoning', 'magistral-medium-2506', { input: 101, output: 1100 }, 101 * 2_000_000 + 1100 * 5_000_000],
    ['an embedding', 'mistral-embed', { input: 33 }, 33 * 100_000],
    ['a batch', 'mistral-large-2512', { serviceTier: 'batch', input: 100, output: 10 }, 100 * 250_000 + 10 * 750_000],
    ['a transcription', 'voxtral-mini-2602', { audioSeconds: 7 }, 7 * 50_000_000],
  ]);
});

describe('the amount at DeepSeek', () => {
  const day = (time: string) => ({ at: `2026-10-01T${time}Z` });
  expectAmounts('https://api.deepseek.com', {}, [
    [
      'a standard hour',
      'deepseek-chat',
      { ...day('00:30:00'), input: 100, output: 10 },
      100 * 270_000 + 10 * 1_100_000,
    ],
    [
      'the last standard second',
      'deepseek-chat',
      { ...day('16:29:59'), input: 100, output: 10 },
      100 * 270_000 + 10 * 1_100_000,
    ],
    [
      'the first cheap second',
      'deepseek-chat',
      { ...day('16:30:00'), input: 100, output: 10 },
      100 * 135_000 + 10 * 550_000,
    ],
    [
      'the last cheap second',
      'deepseek-chat',
      { ...day('00:29:59'), input: 100, output: 10 },
      100 * 135_000 + 10 * 550_000,
    ],
    [
      'a cache in a cheap hour',
      'deepseek-chat',
      { ...day('20:00:00'), input: 100, output: 10, cachedInput: 64 },
      36 * 135_000 + 64 * 35_000 + 10 * 550_000,
    ],
    [
      'reasoning',
      'deepseek-reasoner',
      { ...day('12:00:00'), input: 100, output: 1000, reasoning: 900 },
      100 * 550_000 + 1000 * 2_190_000,
    ],
    [
      'a peak hour',
      'deepseek-v4-pro',
      { ...day('01:00:00'), input: 100, output: 10 },
      100 * 1_320_000 + 10 * 3_960_000,
    ],
    [
      'the end of a peak',
      'deepseek-v4-pro',
      { ...day('04:00:00'), input: 100, output: 10 },
      100 * 660_000 + 10 * 1_980_000,
    ],
    [
      'the second peak',
      'deepseek-v4-pro',
      { ...day('09:59:59'), input: 100, output: 10, cachedInput: 50 },
      50 * 1_320_000 + 50 * 44_000 + 10 * 3_960_000,
    ],
    [
      'an hour before peaks existed',
      'deepseek-v4-pro',
      { at: '2026-08-16T02:00:00Z', input: 100, output: 10, cachedInput: 3 },
      97 * 435_000 + 3 * 3_625 + 10 * 870_000,
    ],
    [
      'a cache of fractions',
      'deepseek-v4-flash',
      { ...day('12:00:00'), input: 7, output: 0, cachedInput: 7 },
      7 * 7_000,
    ],
  ]);
});

describe('the amount at xAI', () => {
  const tool = 5_000_000_000;
  expectAmounts('https://api.x.ai/v1', { outputIncludesReasoning: false }, [
    ['text', 'grok-4', { input: 32, output: 9 }, 32 * 3_000_000 + 9 * 15_000_000],
    [
      'reasoning in addition to the output',
      'grok-3-mini',
      { input: 32, output: 9, reasoning: 94 },
      32 * 300_000 + 103 * 500_000,
    ],
    [
      'a cache',
      'grok-4-fast-reasoning',
      { input: 687, output: 1, cachedInput: 686 },
      1 * 200_000 + 686 * 50_000 + 500_000,
    ],
    ['the last token of the first tier', 'grok-4.6', { input: 199_999, output: 1 }, 199_999 * 2_000_000 + 6_000_000],
    ['the first token of the second tier', 'grok-4.6', { input: 200_000, output: 1 }, 200_000 * 4_000_000 + 12_000_000],
    ['a dated name', 'grok-4.6-20260901', { input: 10, output: 1 }, 10 * 2_000_000 + 6_000_000],
    ['a web search', 'grok-4.5', { input: 10, output: 1, webSearches: 2 }, 10 * 2_000_000 + 6_000_000 + 2 * tool],
    [
      'all tools',
      'grok-4.5',
      { input: 10, output: 1, webSearches: 1, codeExecutions: 1, fileSearches: 1 },
      10 * 2_000_000 + 6_000_000 + 2 * tool + 2_500_000_000,
    ],
    ['code', 'grok-code-fast-1', { input: 10, output: 1, cachedInput: 9 }, 200_000 + 9 * 20_000 + 1_500_000],
  ]);
  expectAmounts('https://us-east-1.api.x.ai/v1', {}, [
    ['inference in the US', 'grok-4.5', { input: 10, output: 1 }, 10 * 2_200_000 + 6_600_000],
  ]);
});

describe('the amount at Groq', () => {
  expectAmounts('https://api.groq.com/openai/v1', {}, [
    ['text', 'llama-3.1-8b-instant', { input: 18, output: 556 }, 18 * 50_000 + 556 * 80_000],
    ['text', 'llama-3.3-70b-versatile', { input: 18, output: 556 }, 18 * 590_000 + 556 * 790_000],
    [
      'a cache',
      'openai/gpt-oss-120b',
      { input: 4641, output: 1817, cachedInput: 4608 },
      33 * 150_000 + 4608 * 75_000 + 1817 * 600_000,
    ],
    ['a cache of fractions', 'openai/gpt-oss-20b', { input: 129, output: 0, cachedInput: 129 }, 129 * 37_500],
    [
      'flex at the standard price',
      'openai/gpt-oss-20b',
      { serviceTier: 'flex', input: 10, output: 10 },
      10 * 75_000 + 10 * 300_000,
    ],
    ['a batch', 'openai/gpt-oss-20b', { serviceTier: 'batch', input: 11, output: 10 }, 11 * 37_500 + 10 * 150_000],
    ['a transcription by the hour', 'whisper-large-v3', { audioSeconds: 3600 }, 111_000_000_000],
    ['a transcription of 61 seconds', 'whisper-large-v3', { audioSeconds: 61 }, (61 * 111_000_000_000) / 3600],
    ['a transcription below the minimum', 'whisper-large-v3-turbo', { audioSeconds: 1 }, (10 * 40_000_000_000) / 3600],
  ]);
});
