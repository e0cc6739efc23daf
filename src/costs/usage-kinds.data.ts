export interface UsageKindSpec {
  /** Singular noun for one unit, for text that people read. */
  readonly unit: string;
  /** Number of units that a price is for. Prices are integers in nano-dollars per this number. */
  readonly per: number;
  /** Kinds whose price applies, in this order, if a model has no price of its own for this kind. */
  readonly fallbacks: readonly UsageKind[];
  /**
   * Kinds that can be cheaper. Without another price, the highest of their prices is assumed, and the kind still counts as unpriced.
   * Audio, for example, is not billed as text.
   */
  readonly atLeast: readonly UsageKind[];
  /** Service tiers, batches and regions change only the prices of tokens. Vendors bill tool calls in full. */
  readonly token: boolean;
  /**
   * When a count without a price leaves the request partly unpriced:
   * - `always`.
   * - `alone`: only if no token has a price. Image models report both images and tokens, but bill one of them.
   * - `never`.
   */
  readonly needsPrice: 'always' | 'alone' | 'never';
  /** Whether the gateway can read this count from responses. */
  readonly measured: boolean;
}

const MILLION = 1_000_000;

const token = (
  fallbacks: readonly UsageKind[],
  measured = true,
  atLeast: readonly UsageKind[] = [],
): UsageKindSpec => ({
  unit: 'token',
  per: MILLION,
  fallbacks,
  atLeast,
  token: true,
  needsPrice: 'always',
  measured,
});

const call = (unit: string, needsPrice: UsageKindSpec['needsPrice'] = 'always', measured = true): UsageKindSpec => ({
  unit,
  per: MILLION,
  fallbacks: [],
  atLeast: [],
  token: false,
  needsPrice,
  measured,
});

export type UsageKind =
  | 'input'
  | 'cached_input'
  | 'cache_write_5m'
  | 'cache_write_1h'
  | 'output'
  | 'reasoning'
  | 'citations'
  | 'audio_input'
  | 'cached_audio_input'
  | 'audio_output'
  | 'image_input'
  | 'cached_image_input'
  | 'image_output'
  | 'video_input'
  | 'video_output'
  | 'web_searches'
  | 'file_searches'
  | 'code_executions'
  | 'images'
  | 'audio_seconds'
  | 'characters'
  | 'video_seconds'
  | 'megabytes'
  | 'document_pages'
  | 'annotated_pages'
  | 'text_messages'
  | 'requests';

export type Units = Readonly<Partial<Record<UsageKind, number>>>;

/**
 * The kinds of usage that have prices. The kinds of one request do not overlap: `input` contains only text that was neither read
 * from nor written to a cache.
 */
export const USAGE_KINDS: Readonly<Record<UsageKind, UsageKindSpec>> = {
  input: token([]),
  cached_input: token(['input']),
  cache_write_5m: token(['input']),
  cache_write_1h: token([], true, ['cache_write_5m', 'input']),
  output: token([]),
  // Part of `output`, unless the model has a price for it.
  reasoning: token(['output']),
  citations: token(['output'], false),
  audio_input: token([], true, ['input']),
  cached_audio_input: token(['audio_input'], true, ['cached_input', 'input']),
  audio_output: token([], true, ['output']),
  image_input: token(['input']),
  cached_image_input: token(['image_input', 'cached_input', 'input']),
  image_output: token([], true, ['output']),
  video_input: token(['input'], false),
  video_output: token(['output'], false),
  web_searches: call('search'),
  file_searches: call('search'),
  code_executions: call('execution'),
  images: call('image', 'alone'),
  // Prices per hour are exact only as a multiple of 3,600 seconds. A price is for 1,000 hours.
  audio_seconds: { ...call('second', 'alone'), per: 3_600_000 },
  characters: call('character', 'alone'),
  video_seconds: call('second'),
  // Stands for usage that the response does not show, so only a price makes it count.
  megabytes: call('megabyte', 'never'),
  document_pages: call('page', 'alone', false),
  annotated_pages: call('page', 'alone', false),
  text_messages: call('message', 'alone', false),
  requests: call('request', 'never'),
};

export const USAGE_KIND_NAMES = Object.keys(USAGE_KINDS) as readonly UsageKind[];

/** Kinds that no response reports, that every request would count, or that stand for other usage. */
const NOT_COUNTED: ReadonlySet<UsageKind> = new Set([
  'video_seconds' as const,
  'megabytes' as const,
  'citations' as const,
  'cached_image_input' as const,
  'video_input' as const,
  'video_output' as const,
  'document_pages' as const,
  'annotated_pages' as const,
  'text_messages' as const,
  'requests' as const,
]);

/** The kinds that `cost_daily` has a column for. */
export const COUNTED_KINDS: readonly UsageKind[] = USAGE_KIND_NAMES.filter((kind) => !NOT_COUNTED.has(kind));

/** `reasoning` is part of `output`. */
export const TOKEN_KINDS: readonly UsageKind[] = COUNTED_KINDS.filter((kind) => USAGE_KINDS[kind].token);
export const UNIT_KINDS: readonly UsageKind[] = COUNTED_KINDS.filter((kind) => !USAGE_KINDS[kind].token);
