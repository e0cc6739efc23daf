/** Kinds of usage that a provider bills and that responses can fail to report. */
export type UnmeasuredKind =
  | 'input'
  | 'output'
  | 'audio_input'
  | 'audio_output'
  | 'image_output'
  | 'audio_seconds'
  | 'video_seconds'
  | 'web_searches'
  | 'requests';

/**
 * Usage of a request that has its own price, in addition to `TokenUsage`. Counts are integers from 0 to 2147483647. A kind is 0 if
 * neither the response nor the request states it.
 *
 * All token counts are parts of `inputTokens` or `outputTokens`, except where the two flags say otherwise.
 */
export interface UsageDetails {
  /** Whether `inputTokens` includes cache reads and writes: true for OpenAI's formats, false for Anthropic's. */
  readonly inputIncludesCache: boolean;
  /** False if `reasoning` is output in addition to `outputTokens`, as with xAI, Gemini and Perplexity. */
  readonly outputIncludesReasoning: boolean;
  /** The model processes only audio, or generates only images, so its prices of input and output are prices of these. */
  readonly mediaOnly: boolean;

  /** Tokens that were read from a prompt cache, including `cachedAudioInput`. */
  readonly cachedInput: number;
  /** Includes writes whose lifetime is not reported. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly reasoning: number;
  /** Includes `cachedAudioInput`. */
  readonly audioInput: number;
  readonly cachedAudioInput: number;
  readonly audioOutput: number;
  readonly imageInput: number;
  readonly imageOutput: number;

  readonly webSearches: number;
  readonly fileSearches: number;
  /** For OpenAI, the number of containers. */
  readonly codeExecutions: number;
  /** Generated images. */
  readonly images: number;
  /** Started seconds of transcribed audio. */
  readonly audioSeconds: number;
  /** Unicode code points of the text to speak. */
  readonly characters: number;
  /** Seconds of generated video. */
  readonly videoSeconds: number;
  /** Started megabytes of an upload whose duration is unknown. */
  readonly megabytes: number;

  /** `default`, `flex`, `priority`, `batch`, `standard`, `fast` and others. Null if the response does not report it. */
  readonly serviceTier: string | null;
  /** Anthropic's `inference_geo`. Null if the response does not report it. */
  readonly region: string | null;
  /** The tier and the region that the request asks for, if the response does not report them. */
  readonly requestedTier: string | null;
  readonly requestedRegion: string | null;
  /** `1024x1024` and others. Null if unknown, or if the provider chose it without reporting it. */
  readonly imageSize: string | null;
  /** `hd`, `low` and others, under the same condition. */
  readonly imageQuality: string | null;

  /** Usage that the provider bills and that the response does not show. Null if the response shows everything. */
  readonly unmeasured: readonly UnmeasuredKind[] | null;

  /** The price that the provider states, in nano-dollars (1e-9 USD), rounded up. At most 2^53-1. Null if it states none. */
  readonly reportedCostNanoUsd: number | null;

  /** Usage of other models in the same request, such as an advisor or an image model. Null if the response reports none. */
  readonly others: readonly OtherModelUsage[] | null;
}

/** Usage of another model, which is priced at the rates of that model. */
export interface OtherModelUsage {
  readonly model: string;
  /** Whether the tokens and details of the request include those of this model. */
  readonly included: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Without `others`. */
  readonly details: UsageDetails;
}

/** The details of a response that reports none. */
export const NO_DETAILS: UsageDetails = {
  inputIncludesCache: true,
  outputIncludesReasoning: true,
  mediaOnly: false,
  cachedInput: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  reasoning: 0,
  audioInput: 0,
  cachedAudioInput: 0,
  audioOutput: 0,
  imageInput: 0,
  imageOutput: 0,
  webSearches: 0,
  fileSearches: 0,
  codeExecutions: 0,
  images: 0,
  audioSeconds: 0,
  characters: 0,
  videoSeconds: 0,
  megabytes: 0,
  serviceTier: null,
  region: null,
  requestedTier: null,
  requestedRegion: null,
  imageSize: null,
  imageQuality: null,
  unmeasured: null,
  reportedCostNanoUsd: null,
  others: null,
};

/**
 * The tokens of one request, and their provenance (D14):
 * - `reported`: by the upstream.
 * - `partial`: the stream was interrupted after a part of the report.
 * - `estimated`: by a tokenizer.
 * - `none`: unknown; both numbers are 0.
 */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly provenance: 'reported' | 'partial' | 'estimated' | 'none';
  /** The output that arrived, if limits count the request and there is no complete report. */
  readonly delivered?: DeliveredOutput;
}

interface DeliveredOutput {
  /** As a tokenizer counts them. */
  readonly tokens: number;
  readonly choices: number;
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, provenance: 'none' };
