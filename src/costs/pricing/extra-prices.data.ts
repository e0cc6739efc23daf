import type { ImagePrice, Prices } from './price-row.js';

export interface ExtraPrices {
  readonly provider: string;
  /** Exact names, in lower case. Null adds the prices to every model of the provider that has none for these kinds. */
  readonly models: readonly string[] | null;
  readonly prices: Prices;
  readonly images?: readonly ImagePrice[];
  readonly source: string;
  /** The day on which the prices were compared with a copy of this page. Null if they have not been compared yet. */
  readonly checked: string | null;
}

/** In nano-dollars. Prices are per million, so an image for $0.04 costs 40,000 dollars. */
const DOLLAR = 1_000_000_000;

const image = (size: string, quality: string | null, dollars: number): ImagePrice => ({
  size,
  quality,
  price: dollars * DOLLAR,
});

/** Prices that the list lacks: models that are priced by the image, by the second or by the character, audio, and tools. */
export const EXTRA_PRICES: readonly ExtraPrices[] = [
  {
    provider: 'openai',
    models: ['gpt-4o-audio-preview', 'gpt-4o-audio-preview-2024-12-17', 'gpt-4o-audio-preview-2025-06-03'],
    prices: { input: 2.5 * DOLLAR, output: 10 * DOLLAR, audio_input: 40 * DOLLAR, audio_output: 80 * DOLLAR },
    source: 'https://developers.openai.com/api/docs/models/gpt-4o-audio-preview',
    checked: null,
  },
  {
    provider: 'openai',
    models: ['gpt-4o-mini-audio-preview', 'gpt-4o-mini-audio-preview-2024-12-17'],
    prices: { input: 0.15 * DOLLAR, output: 0.6 * DOLLAR, audio_input: 10 * DOLLAR, audio_output: 20 * DOLLAR },
    source: 'https://developers.openai.com/api/docs/models/gpt-4o-mini-audio-preview',
    checked: null,
  },
  {
    provider: 'openai',
    models: ['sora-2'],
    prices: { video_seconds: 100_000 * DOLLAR },
    source: 'https://developers.openai.com/api/docs/models/sora-2',
    checked: null,
  },
  {
    provider: 'openai',
    models: ['sora-2-pro'],
    prices: {},
    images: [
      image('1280x720', null, 300_000),
      image('720x1280', null, 300_000),
      image('1792x1024', null, 500_000),
      image('1024x1792', null, 500_000),
    ],
    source: 'https://developers.openai.com/api/docs/models/sora-2-pro',
    checked: null,
  },
  {
    provider: 'openai',
    models: ['tts-1', 'tts-1-1106'],
    prices: { characters: 15 * DOLLAR },
    source: 'https://developers.openai.com/api/docs/models/tts-1',
    checked: '2026-11-25',
  },
  {
    provider: 'openai',
    models: ['tts-1-hd', 'tts-1-hd-1106'],
    prices: { characters: 30 * DOLLAR },
    source: 'https://developers.openai.com/api/docs/models/tts-1-hd',
    checked: '2026-11-25',
  },
  {
    provider: 'openai',
    models: ['dall-e-3'],
    prices: {},
    images: [
      image('1024x1024', 'hd', 80_000),
      image('1024x1792', 'hd', 120_000),
      image('1792x1024', 'hd', 120_000),
      image('1024x1024', null, 40_000),
      image('1024x1792', null, 80_000),
      image('1792x1024', null, 80_000),
    ],
    source: 'https://developers.openai.com/api/docs/models/dall-e-3',
    checked: null,
  },
  {
    provider: 'openai',
    models: ['dall-e-2'],
    prices: {},
    images: [image('256x256', null, 16_000), image('512x512', null, 18_000), image('1024x1024', null, 20_000)],
    source: 'https://developers.openai.com/api/docs/models/dall-e-2',
    checked: null,
  },
  {
    provider: 'openai',
    models: null,
    // A container of the default size for 20 minutes. Since June 2026 it is billed by the minute, but no response reports the minutes.
    prices: { code_executions: 30_000 * DOLLAR },
    source: 'https://developers.openai.com/api/docs/pricing',
    checked: null,
  },
  {
    provider: 'x-ai',
    models: null,
    prices: { web_searches: 5_000 * DOLLAR, code_executions: 5_000 * DOLLAR, file_searches: 2_500 * DOLLAR },
    source: 'https://docs.x.ai/developers/pricing',
    checked: '2026-11-25',
  },
];
