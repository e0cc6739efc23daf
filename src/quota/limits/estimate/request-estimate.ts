import type { UsageKinds } from '../../../costs/pricing/request-units.rules.js';
import type { UsageKind } from '../../../costs/usage-kinds.data.js';
import type { FormFile } from '../../../platform/validation/form-kinds.js';
import type { JsonObject } from '../../../platform/validation/check.js';
import { findMedia, storedTokens, type InputMedia } from './input-media.js';
import { fallbacksIn, type FallbackModels } from './fallback-models.js';
import { hostedCalls } from './hosted-calls.rules.js';
import {
  messagesIn,
  refersToHistory,
  tokenArraysIn,
  topLevelContent,
  type TopLevelContent,
} from './input-tokens.rules.js';
import {
  AUDIO_BYTES_PER_SECOND,
  AUDIO_TOKENS_PER_SECOND,
  EDITED_IMAGE_TOKENS,
  GENERATED_IMAGE_TOKENS,
  GENERATED_IMAGE_TOKENS_MAX,
  SPEECH_TOKENS_PER_CHARACTER,
  TRANSCRIPT_TOKENS_PER_SECOND,
} from './media-tokens.data.js';
import { largestFigures, type ModelFigures } from './model-sizes.js';
import { choicesOf, countIn, outputMax, predictionBytes } from './requested-output.rules.js';
import type { MeteredEstimate } from './route-estimates.data.js';
import { wavBytesPerSecond } from './wav-rate.js';

export type EstimateLevel = 'typical' | 'full';
/** Everything that a request asks for, or only one of the texts or images that it asks for. */
export type EstimateScope = 'all' | 'one';

export interface EstimatedRequest {
  readonly kind: MeteredEstimate;
  /** The path template, which determines the fields that count. */
  readonly endpoint: string;
  /** A JSON body, or the fields of a form. Null if the body was not parsed. */
  readonly json: JsonObject | null;
  readonly body: Buffer | null;
  readonly model: string | null;
  /** The fallback models of the route in `GW_UPSTREAMS`. Default: none. */
  readonly routeFallbacks?: readonly string[];
  /** The likely output, for `typical`. */
  readonly outputExpected: number;
  /** The maximum output, for `full`, if neither the request nor the model has a known maximum. */
  readonly outputDefault: number;
}

/** Measured with o200k: code has 4.1 bytes per token, JSON 2.7, Japanese 3.8, hexadecimal 1.8. */
const BYTES_PER_TOKEN = { typical: 2.5, full: 1 } as const;
/** Delimiters and role of a message. */
const MESSAGE_TOKENS = 4;
const IMAGES_MAX = 1000;
/** Up to this number, sums and prices stay exact. */
const UNITS_MAX = 2 ** 40;

type Units = Partial<Record<UsageKind, number>>;

/**
 * Estimates the usage of a request before it is sent, in the kinds that have prices.
 * - `typical` is the likely usage.
 * - `full` is the usage that the request and the model allow, as far as the request shows it.
 *
 * It accepts any body and never throws, because validation comes after admission. A level is computed when it is first read.
 */
export class RequestEstimate {
  readonly fallbacks: FallbackModels;
  /** The models that can serve the request instead of its own. */
  readonly otherModels: readonly string[];
  private readonly ofAll: Partial<Record<EstimateLevel, UsageKinds>> = {};
  private readonly ofOne: Partial<Record<EstimateLevel, UsageKinds>> = {};
  private readonly figures: ModelFigures;
  private readonly json: JsonObject;
  /** The number of texts or images that the request asks for. */
  private readonly results: number;
  private foundMedia: InputMedia | null = null;
  private topLevel: TopLevelContent | null = null;

  constructor(private readonly request: EstimatedRequest) {
    this.json = request.json ?? {};
    this.fallbacks = fallbacksIn(this.json);
    this.otherModels = [...this.fallbacks.names, ...(request.routeFallbacks ?? [])];
    this.figures = largestFigures([request.model, ...this.otherModels, ...(this.fallbacks.more ? [null] : [])]);
    this.results = resultsOf(request, this.json);
  }

  /** The number of texts that the provider generates. 0 for other output than text. */
  get choices(): number {
    return this.request.kind === 'text' ? this.results : 0;
  }

  of(level: EstimateLevel, scope: EstimateScope = 'all'): UsageKinds {
    const isPart = scope === 'one' && this.results > 1;
    const known = isPart ? this.ofOne : this.ofAll;
    return (known[level] ??= kindsOf(this.unitsOf(level, isPart ? 1 : this.results), this.json));
  }

  private get media(): InputMedia {
    return (this.foundMedia ??= findMedia(this.json, this.request.body?.length ?? 0, this.figures));
  }

  private get content(): TopLevelContent {
    return (this.topLevel ??= topLevelContent(this.json));
  }

  private unitsOf(level: EstimateLevel, results: number): Units {
    const { kind } = this.request;
    switch (kind) {
      case 'text':
        return this.textUnits(level, results);
      case 'embeddings':
        return { input: this.textTokens(level, this.json['input']) };
      case 'images':
        return this.imageUnits(level, results);
      case 'speech':
        return this.speechUnits(level);
      case 'transcription':
        return this.transcriptionUnits(level);
      default:
        return kind satisfies never;
    }
  }

  private textUnits(level: EstimateLevel, choices: number): Units {
    const { media, json } = this;
    const { endpoint } = this.request;
    const calls = hostedCalls(endpoint, json, level);
    const stored = refersToHistory(json) ? storedTokens(this.figures)[level] : 0;
    const text = this.textTokens(level, endpoint === '/v1/completions' ? json['prompt'] : undefined);
    const input = text + MESSAGE_TOKENS * messagesIn(json) + media.files[level] + stored;
    const outputKind = this.outputKind();
    return {
      ...calls.units,
      image_input: media.images[level],
      audio_input: media.audio[level],
      [media.cacheWrite ?? 'input']: input + calls.inputTokens,
      [outputKind]: (calls.units[outputKind] ?? 0) + this.outputTokens(level, choices),
    };
  }

  /** @param encoded the field in which the route accepts numbers, which are tokens already */
  private textTokens(level: EstimateLevel, encoded: unknown): number {
    const { tokens, bytes } = tokenArraysIn(encoded);
    return tokens + Math.ceil(Math.max(1, this.media.textBytes - bytes) / BYTES_PER_TOKEN[level]);
  }

  /** The text fields of a form, or of the top level of a JSON body. */
  private fieldTokens(level: EstimateLevel): number {
    return Math.ceil((this.content.textBytes + 1) / BYTES_PER_TOKEN[level]);
  }

  private outputTokens(level: EstimateLevel, choices: number): number {
    const { endpoint, outputExpected, outputDefault } = this.request;
    const max = outputMax(endpoint, this.json, this.figures);
    const tokens =
      level === 'full'
        ? (max ?? Math.max(outputDefault, outputExpected, this.figures.outputKnown))
        : Math.min(max ?? outputExpected, outputExpected);
    const predicted = Math.ceil(predictionBytes(this.json) / BYTES_PER_TOKEN[level]);
    return tokens * choices + predicted;
  }

  /** Audio and images have higher prices than text. */
  private outputKind(): UsageKind {
    const { modalities } = this.json;
    const names: readonly unknown[] = Array.isArray(modalities) ? modalities : [];
    if (names.includes('audio')) return 'audio_output';
    const models = [this.request.model ?? '', ...this.otherModels];
    return names.includes('image') || models.some((model) => /-image\b/.test(model)) ? 'image_output' : 'output';
  }

  private imageUnits(level: EstimateLevel, images: number): Units {
    const { json } = this;
    const each = GENERATED_IMAGE_TOKENS.get(json['quality']) ?? GENERATED_IMAGE_TOKENS_MAX;
    return {
      images,
      input: this.fieldTokens(level),
      image_input: this.content.files.length * EDITED_IMAGE_TOKENS[level],
      image_output: images * each,
    };
  }

  private speechUnits(level: EstimateLevel): Units {
    const { input } = this.json;
    const characters = typeof input === 'string' ? Math.max(1, input.length) : 1;
    const perCharacter = level === 'full' ? 2 * SPEECH_TOKENS_PER_CHARACTER : SPEECH_TOKENS_PER_CHARACTER;
    return {
      characters,
      input: this.fieldTokens(level),
      audio_output: characters * perCharacter,
    };
  }

  private transcriptionUnits(level: EstimateLevel): Units {
    const length = ({ bytes, head }: FormFile) => bytes / (wavBytesPerSecond(head) ?? AUDIO_BYTES_PER_SECOND[level]);
    const seconds = Math.max(1, Math.ceil(this.content.files.reduce((sum, file) => sum + length(file), 0)));
    return {
      audio_seconds: seconds,
      audio_input: seconds * AUDIO_TOKENS_PER_SECOND,
      input: this.fieldTokens(level),
      output: seconds * TRANSCRIPT_TOKENS_PER_SECOND,
    };
  }
}

function resultsOf({ kind, endpoint }: EstimatedRequest, json: JsonObject): number {
  if (kind === 'images') return imagesIn(json);
  return kind === 'text' ? choicesOf(endpoint, json) : 1;
}

/** The fields of a form are text. */
const imagesIn = ({ n }: JsonObject): number => countIn(typeof n === 'string' ? Number(n) : n, 1, IMAGES_MAX) ?? 1;

const INPUT_KINDS = ['input', 'cache_write_5m', 'cache_write_1h', 'image_input', 'audio_input'] as const;

function kindsOf(counted: Units, { size, quality }: JsonObject): UsageKinds {
  const units: Units = {};
  for (const name in counted) {
    const count = counted[name as UsageKind]!;
    if (count > 0) units[name as UsageKind] = Math.min(Math.ceil(count), UNITS_MAX);
  }
  units.requests = 1;
  return {
    units,
    inputTokens: INPUT_KINDS.reduce((sum, kind) => sum + (units[kind] ?? 0), 0),
    reasoning: 0,
    imageSize: typeof size === 'string' ? size : null,
    imageQuality: typeof quality === 'string' ? quality : null,
    mediaOnly: false,
    unmeasured: [],
    corrected: [],
  };
}
