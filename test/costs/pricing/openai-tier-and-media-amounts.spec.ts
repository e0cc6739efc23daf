import { describe } from '@jest/globals';
import { expectAmounts } from './reports.js';

const OPENAI = 'https://api.openai.com/v1';
const SEARCH = 10_000_000_000;

describe('the amount of a request in a service tier or region of OpenAI', () => {
  const flex = { serviceTier: 'flex' };
  const priority = { serviceTier: 'priority' };
  expectAmounts(OPENAI, {}, [
    [
      'flex',
      'gpt-5',
      { ...flex, input: 1000, output: 100, cachedInput: 500 },
      500 * 625_000 + 500 * 62_500 + 100 * 5_000_000,
    ],
    ['flex', 'o3', { ...flex, input: 1000, output: 100 }, 1000 * 1_000_000 + 100 * 4_000_000],
    ['flex, rounded up', 'gpt-5-nano', { ...flex, input: 1, cachedInput: 1 }, 2_500],
    [
      'flex with a web search in full',
      'gpt-5-mini',
      { ...flex, input: 1000, output: 100, webSearches: 1 },
      1000 * 125_000 + 100 * 1_000_000 + SEARCH,
    ],
    [
      'flex with a long context',
      'gpt-5.5',
      { ...flex, input: 272_000, output: 100 },
      272_000 * 5_000_000 + 100 * 22_500_000,
    ],
    ['a batch', 'gpt-4o', { serviceTier: 'batch', input: 1000, output: 100 }, 1000 * 1_250_000 + 100 * 5_000_000],
    ['a batch', 'gpt-4.1-mini', { serviceTier: 'batch', input: 999, output: 101 }, 999 * 200_000 + 101 * 800_000],
    ['a batch', 'text-embedding-3-small', { serviceTier: 'batch', input: 999 }, 999 * 10_000],
    [
      'priority',
      'gpt-4o',
      { ...priority, input: 1000, output: 100, cachedInput: 200 },
      800 * 4_250_000 + 200 * 2_125_000 + 100 * 17_000_000,
    ],
    ['priority', 'gpt-4o-2024-05-13', { ...priority, input: 1000, output: 100 }, 1000 * 8_750_000 + 100 * 26_250_000],
    [
      'priority',
      'gpt-4o-mini',
      { ...priority, input: 1000, output: 100, cachedInput: 10 },
      990 * 250_000 + 10 * 125_000 + 100 * 1_000_000,
    ],
    [
      'priority',
      'gpt-4.1',
      { ...priority, input: 1000, output: 100, cachedInput: 10 },
      990 * 3_500_000 + 10 * 875_000 + 100 * 14_000_000,
    ],
    ['priority', 'gpt-4.1-mini', { ...priority, input: 1000, output: 100 }, 1000 * 700_000 + 100 * 2_800_000],
    ['priority', 'gpt-4.1-nano', { ...priority, input: 1000, output: 100 }, 1000 * 200_000 + 100 * 800_000],
    ['priority', 'o3', { ...priority, input: 1000, output: 100 }, 1000 * 3_500_000 + 100 * 14_000_000],
    [
      'priority',
      'o4-mini',
      { ...priority, input: 1000, output: 100, cachedInput: 8 },
      992 * 2_000_000 + 8 * 500_000 + 100 * 8_000_000,
    ],
    [
      'priority',
      'gpt-5',
      { ...priority, input: 1000, output: 100, cachedInput: 8 },
      992 * 2_500_000 + 8 * 250_000 + 100 * 20_000_000,
    ],
    [
      'priority',
      'gpt-5-mini',
      { ...priority, input: 1000, output: 100, cachedInput: 8 },
      992 * 450_000 + 8 * 45_000 + 100 * 3_600_000,
    ],
    ['priority', 'gpt-5.2', { ...priority, input: 1000, output: 100 }, 1000 * 3_500_000 + 100 * 28_000_000],
    ['priority', 'gpt-5.4', { ...priority, input: 1000, output: 100 }, 1000 * 5_000_000 + 100 * 30_000_000],
    [
      'priority',
      'gpt-5.5',
      { ...priority, input: 1000, output: 100, cachedInput: 4 },
      996 * 12_500_000 + 4 * 1_250_000 + 100 * 75_000_000,
    ],
    [
      'fast mode',
      'gpt-5.6-sol',
      { serviceTier: 'fast', input: 1000, output: 100, cachedInput: 4 },
      996 * 8_000_000 + 4 * 800_000 + 100 * 40_000_000,
    ],
    [
      'fast mode of a long context',
      'gpt-5.6-terra',
      { serviceTier: 'fast', input: 272_000, output: 1 },
      272_000 * 8_000_000 + 36_000_000,
    ],
    ['the default tier', 'gpt-5', { serviceTier: 'default', input: 10, output: 10 }, 10 * 1_250_000 + 10 * 10_000_000],
    ['an unknown tier', 'gpt-5', { serviceTier: 'scale', input: 10, output: 10 }, 10 * 1_250_000 + 10 * 10_000_000],
  ]);
  expectAmounts('https://eu.api.openai.com/v1', {}, [
    ['a European request', 'gpt-5.4', { input: 1000, output: 10 }, 1000 * 2_750_000 + 10 * 16_500_000],
    ['a European flex request', 'gpt-5.4', { ...flex, input: 1000, output: 10 }, 1000 * 1_375_000 + 10 * 8_250_000],
    [
      'a European web search',
      'gpt-5.5',
      { input: 1000, output: 10, webSearches: 1 },
      1000 * 5_500_000 + 10 * 33_000_000 + SEARCH,
    ],
    [
      'a European request without a surcharge',
      'gpt-4o',
      { input: 1000, output: 10 },
      1000 * 2_500_000 + 10 * 10_000_000,
    ],
  ]);
});

describe('the amount of images, speech and embeddings at OpenAI', () => {
  const dallE = (imageSize: string | null, imageQuality: string | null, images = 1) => ({
    images,
    imageSize,
    imageQuality,
  });
  expectAmounts(OPENAI, { mediaOnly: true }, [
    [
      'an image by tokens',
      'gpt-image-1',
      { input: 50, output: 4160, imageOutput: 4160, images: 1 },
      50 * 5_000_000 + 4160 * 40_000_000,
    ],
    [
      'an edit',
      'gpt-image-1',
      { input: 373, output: 272, imageInput: 323, imageOutput: 272, images: 1 },
      50 * 5_000_000 + 323 * 10_000_000 + 272 * 40_000_000,
    ],
    [
      'a cached edit',
      'gpt-image-1',
      { input: 400, output: 272, imageInput: 323, cachedInput: 100, images: 1 },
      300 * 10_000_000 + 77 * 1_250_000 + 23 * 2_500_000 + 272 * 40_000_000,
    ],
    [
      'two images',
      'gpt-image-1-mini',
      { input: 20, output: 544, imageOutput: 544, images: 2 },
      20 * 2_000_000 + 544 * 8_000_000,
    ],
    [
      'text and image output',
      'gpt-image-1.5',
      { input: 20, output: 1100, imageOutput: 1056, images: 1 },
      20 * 5_000_000 + 44 * 10_000_000 + 1056 * 32_000_000,
    ],
    [
      'an image',
      'gpt-image-2',
      { input: 20, output: 196, imageOutput: 196, images: 1 },
      20 * 5_000_000 + 196 * 30_000_000,
    ],
    ['a square image', 'dall-e-3', dallE('1024x1024', 'standard'), 40_000_000_000],
    ['a wide image', 'dall-e-3', dallE('1792x1024', 'standard'), 80_000_000_000],
    ['a square image in high definition', 'dall-e-3', dallE('1024x1024', 'hd'), 80_000_000_000],
    ['a tall image in high definition', 'dall-e-3', dallE('1024x1792', 'hd', 2), 2 * 120_000_000_000],
    ['an image of an unknown size', 'dall-e-3', dallE(null, null), 120_000_000_000],
    ['ten small images', 'dall-e-2', dallE('256x256', null, 10), 10 * 16_000_000_000],
    ['an image', 'dall-e-2', dallE('512x512', null), 18_000_000_000],
    ['speech by characters', 'tts-1', { characters: 4096 }, 4096 * 15_000_000],
    ['speech by characters', 'tts-1-hd', { characters: 1 }, 30_000_000],
    [
      'speech by tokens',
      'gpt-4o-mini-tts',
      { input: 25, output: 600, characters: 100 },
      25 * 600_000 + 600 * 12_000_000,
    ],
    ['a transcription by the second', 'whisper-1', { audioSeconds: 61 }, 61 * 100_000_000],
    ['a transcription by the second', 'gpt-transcribe', { audioSeconds: 1 }, 75_000_000],
    [
      'a transcription by tokens',
      'gpt-4o-transcribe',
      { input: 114, output: 31, audioInput: 100, audioSeconds: 10 },
      14 * 2_500_000 + 100 * 6_000_000 + 31 * 10_000_000,
    ],
    [
      'a transcription by tokens',
      'gpt-4o-mini-transcribe',
      { input: 114, output: 31, audioInput: 114 },
      114 * 3_000_000 + 31 * 5_000_000,
    ],
    ['an embedding', 'text-embedding-3-small', { input: 8 }, 8 * 20_000],
    ['an embedding of one token', 'text-embedding-3-small', { input: 1 }, 20_000],
    ['an embedding', 'text-embedding-3-large', { input: 2049 }, 2049 * 130_000],
    ['an embedding', 'text-embedding-ada-002', { input: 2049 }, 2049 * 100_000],
  ]);
});
