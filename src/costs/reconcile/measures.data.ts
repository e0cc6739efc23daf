/** Figures that both sides can have. `cost` is in nano-dollars; the others are counts. */
export const MEASURES = [
  'cost' as const,
  'requests' as const,
  'input_tokens' as const,
  'cached_input_tokens' as const,
  'cache_write_tokens' as const,
  'output_tokens' as const,
  'web_searches' as const,
] as const;
export type Measure = (typeof MEASURES)[number];

export const COUNTS = MEASURES.filter((measure) => measure !== 'cost');

/** A kind of column in exports that has a figure. */
export type FigureField =
  | 'amount'
  | 'requests'
  | 'all_input'
  | 'uncached_input'
  | 'cached_input'
  | 'cache_write'
  | 'cache_write_5m'
  | 'cache_write_1h'
  | 'output'
  | 'web_searches';

const UNCACHED = ['input', 'audio_input', 'image_input'] as const;
const CACHED = ['cached_input', 'cached_audio_input'] as const;
const WRITES = ['cache_write_5m', 'cache_write_1h'] as const;

/** The columns of `cost_daily` that contain the same usage as a column of an export. Their sum is compared with it. */
export const GATEWAY_COLUMNS = {
  amount: ['cost_nanos'],
  requests: ['requests'],
  all_input: [...UNCACHED, ...CACHED, ...WRITES],
  uncached_input: UNCACHED,
  cached_input: CACHED,
  cache_write: WRITES,
  cache_write_5m: ['cache_write_5m'],
  cache_write_1h: ['cache_write_1h'],
  output: ['output', 'audio_output', 'image_output'],
  web_searches: ['web_searches'],
} as const satisfies Readonly<Record<FigureField, readonly string[]>>;

export type GatewayColumn = (typeof GATEWAY_COLUMNS)[FigureField][number];

export const GATEWAY_COLUMN_NAMES: readonly GatewayColumn[] = [...new Set(Object.values(GATEWAY_COLUMNS).flat())];
