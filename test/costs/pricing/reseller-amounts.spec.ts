import { describe } from '@jest/globals';
import { expectAmounts } from './reports.js';

describe('the amount at Cohere, Voyage, Perplexity and Moonshot', () => {
  expectAmounts('https://api.cohere.ai/compatibility/v1', {}, [
    ['text', 'command-a-03-2025', { input: 100, output: 10 }, 100 * 2_500_000 + 10 * 10_000_000],
    ['text', 'command-r7b-12-2024', { input: 101, output: 11 }, 101 * 37_500 + 11 * 150_000],
    ['text', 'command-r-08-2024', { input: 101, output: 11 }, 101 * 150_000 + 11 * 600_000],
    ['an embedding', 'embed-v4.0', { input: 101 }, 101 * 120_000],
  ]);
  expectAmounts('https://api.voyageai.com/v1', {}, [
    ['an embedding', 'voyage-4-large', { input: 101 }, 101 * 120_000],
    ['a batch', 'voyage-4-large', { serviceTier: 'batch', input: 101 }, 101 * 80_400],
  ]);
  expectAmounts('https://api.perplexity.ai', { outputIncludesReasoning: false }, [
    ['a request fee', 'sonar-pro', { input: 10, output: 100 }, 10 * 3_000_000 + 100 * 15_000_000 + 14_000_000_000],
    ['a request fee', 'sonar', { input: 10, output: 100 }, 110 * 1_000_000 + 12_000_000_000],
    [
      'reasoning with its own price',
      'sonar-deep-research',
      { input: 33, output: 7163, reasoning: 48_000, webSearches: 18 },
      33 * 2_000_000 + 7163 * 8_000_000 + 48_000 * 3_000_000 + 18 * 5_000_000_000,
    ],
  ]);
  expectAmounts('https://api.moonshot.ai/v1', {}, [
    ['a batch at 60%', 'kimi-k2.5', { serviceTier: 'batch', input: 100, output: 10 }, 100 * 360_000 + 10 * 1_800_000],
  ]);
});

describe('the amount at OpenRouter, Azure and Bedrock', () => {
  expectAmounts('https://openrouter.ai/api/v1', {}, [
    ['a model of OpenAI', 'openai/gpt-5', { input: 100, output: 10 }, 100 * 1_250_000 + 10 * 10_000_000],
    [
      'a cache at the price of OpenRouter',
      'openai/gpt-5-nano',
      { input: 100, output: 10, cachedInput: 100 },
      100 * 10_000 + 10 * 400_000,
    ],
    ['a price of OpenRouter', 'openai/gpt-5.6-sol', { input: 100, output: 10 }, 100 * 2_000_000 + 10 * 10_000_000],
    [
      'a model of Anthropic',
      'anthropic/claude-opus-5.5',
      { input: 100, output: 10, cachedInput: 50, cacheWrite5m: 10 },
      40 * 4_000_000 + 50 * 200_000 + 10 * 5_000_000 + 10 * 20_000_000,
    ],
    [
      'fast mode by name',
      'anthropic/claude-opus-5-fast',
      { input: 100, output: 10 },
      100 * 10_000_000 + 10 * 50_000_000,
    ],
    [
      'a batch by name',
      'openai/gpt-6-luna:batch',
      { input: 100, output: 10, cacheWrite5m: 3 },
      97 * 50_000 + 3 * 62_500 + 10 * 250_000,
    ],
    ['a free model', 'openai/gpt-oss-20b:free', { input: 100, output: 10 }, 0],
    [
      'a cache write at a twelfth of a dollar',
      'google/gemini-3-flash-preview',
      { input: 12, output: 0, cacheWrite5m: 12 },
      12 * 83_333.334,
    ],
  ]);
  expectAmounts('https://acme.openai.azure.com/openai/v1', {}, [
    [
      'a model with a price of Azure',
      'o4-mini',
      { input: 100, output: 10, cachedInput: 50 },
      50 * 1_100_000 + 50 * 280_000 + 10 * 4_400_000,
    ],
    ['a model with the price of OpenAI', 'gpt-4o', { input: 100, output: 10 }, 100 * 2_500_000 + 10 * 10_000_000],
    ['a batch', 'gpt-4o', { serviceTier: 'batch', input: 100, output: 10 }, 100 * 1_250_000 + 10 * 5_000_000],
    ['a model with the price of DeepSeek', 'deepseek-v3.2', { input: 100, output: 10 }, 100 * 228_800 + 10 * 343_200],
  ]);
  expectAmounts('https://acme.services.ai.azure.com/anthropic', { inputIncludesCache: false }, [
    [
      'a model with the price of Anthropic',
      'claude-opus-5',
      { input: 100, output: 10, cacheWrite1h: 1 },
      100 * 5_000_000 + 10 * 25_000_000 + 10_000_000,
    ],
  ]);
  expectAmounts('https://bedrock-runtime.us-east-1.amazonaws.com', { inputIncludesCache: false }, [
    [
      'a model of Amazon',
      'amazon.nova-micro-v1:0',
      { input: 101, output: 10, cachedInput: 3 },
      101 * 35_000 + 3 * 8_750 + 10 * 140_000,
    ],
    [
      'a regional profile',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      { input: 100, output: 10, cachedInput: 10, cacheWrite5m: 2 },
      100 * 3_300_000 + 10 * 16_500_000 + 10 * 330_000 + 2 * 4_125_000,
    ],
    [
      'a global profile',
      'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
      { input: 100, output: 10 },
      100 * 3_000_000 + 10 * 15_000_000,
    ],
    [
      'a global profile',
      'global.anthropic.claude-opus-5-5',
      { input: 100, output: 10, cacheWrite1h: 2 },
      100 * 4_000_000 + 10 * 20_000_000 + 2 * 8_000_000,
    ],
    ['a model of Meta', 'meta.llama3-3-70b-instruct-v1:0', { input: 100, output: 10 }, 110 * 720_000],
    ['a batch', 'meta.llama3-3-70b-instruct-v1:0', { serviceTier: 'batch', input: 100, output: 10 }, 110 * 360_000],
    ['an embedding', 'amazon.titan-embed-text-v1', { input: 101 }, 101 * 100_000],
  ]);
  expectAmounts('https://bedrock-mantle.us-east-1.api.aws/v1', {}, [
    ['a model of OpenAI', 'openai.gpt-oss-120b-1:0', { input: 100, output: 10 }, 100 * 150_000 + 10 * 600_000],
  ]);
});
