/**
 * Tokens of one image. `typical` is a common figure, and `full` is rarely exceeded. The gateway does not read the dimensions of
 * images, the length of recordings, or the number of pages.
 */
export interface ImageTokens {
  /** Model family, as in `MODEL_SIZES`. */
  readonly model: string;
  /** With `detail: low`. */
  readonly low: number;
  readonly typical: number;
  readonly full: number;
}

/** Providers divide an image into tiles or patches. The figures come from their documentation of November 2026. */
export const IMAGE_TOKENS: readonly ImageTokens[] = [
  // 2,833 tokens, and 5,667 per tile of 512 pixels: four of an image of 1024 × 1024, at most eight.
  { model: 'gpt-4o-mini', low: 2833, typical: 25_501, full: 48_169 },
  // At most 10,000 patches with `detail: original`.
  { model: 'gpt-5-4', low: 300, typical: 1600, full: 10_000 },
  { model: 'gpt-5-5', low: 300, typical: 1600, full: 10_000 },
  { model: 'gpt-5-6', low: 300, typical: 1600, full: 10_000 },
  { model: 'gpt-6', low: 300, typical: 1600, full: 10_000 },
  { model: 'gemini', low: 300, typical: 1600, full: 6500 },
  ...['qwen-vl', 'qwen2-5-vl', 'qwen3-vl', 'qwen3-5', 'qwen3-6', 'qwen3-7'].map((model) => ({
    model,
    low: 1600,
    typical: 1600,
    full: 16_384,
  })),
];
export const OTHER_IMAGE_TOKENS: Omit<ImageTokens, 'model'> = { low: 300, typical: 1600, full: 5000 };

/** The number for Gemini, which is the highest. OpenAI counts 10 per second. */
export const AUDIO_TOKENS_PER_SECOND = 32;
/** Speech at 32 kbit/s, and at 6 kbit/s, the lowest rate of Opus. The header of a WAV file states its own rate. */
export const AUDIO_BYTES_PER_SECOND = { typical: 4000, full: 750 } as const;
/** Audio and video that the request links to. */
export const AUDIO_SECONDS_UNKNOWN = { typical: 60, full: 600 } as const;
/** Transcripts have about three words per second. */
export const TRANSCRIPT_TOKENS_PER_SECOND = 5;
/** Speech has about 15 characters and 20 tokens per second. */
export const SPEECH_TOKENS_PER_CHARACTER = 2;

/** 300 tokens per second, at 2 Mbit/s and at 150 kbit/s. */
export const VIDEO_BYTES_PER_TOKEN = { typical: 800, full: 64 } as const;
/** A page costs up to 3,000 tokens and has about 25 KB. Text-only files are smaller. */
export const DOCUMENT_BYTES_PER_TOKEN = { typical: 8, full: 1 } as const;
/** Encrypted reasoning and signatures, which only the provider can read. */
export const SEALED_BYTES_PER_TOKEN = { typical: 8, full: 1 } as const;
export const FILE_TOKENS_MIN = 300;

/** Output tokens of one generated image by `quality`. `auto` can select the highest. */
export const GENERATED_IMAGE_TOKENS: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ['low', 408],
  ['medium', 1584],
]);
export const GENERATED_IMAGE_TOKENS_MAX = 6240;
/** An input image for editing, with high fidelity. */
export const EDITED_IMAGE_TOKENS = { typical: 1600, full: 6240 } as const;
