/** The counts that a report can contain, from 0 to `TOKENS_MAX`. */
export type CountName =
  | 'total'
  | 'cachedInput'
  | 'cacheWrite'
  | 'cacheWrite5m'
  | 'cacheWrite1h'
  | 'reasoning'
  | 'thoughts'
  | 'citations'
  | 'audioInput'
  | 'cachedAudioInput'
  | 'audioOutput'
  | 'imageInput'
  | 'imageOutput'
  | 'webSearches'
  | 'xSearches'
  | 'sources'
  | 'fileSearches'
  | 'documentSearches'
  | 'codeExecutions'
  | 'imageToolInput'
  | 'imageToolOutput'
  | 'imageToolCachedInput'
  | 'imageToolImageInput'
  | 'imageToolImageOutput';

type TextName = 'serviceTier' | 'speed' | 'region';

type AmountName = 'seconds' | 'usd' | 'ticks' | 'upstreamUsd';

/** The meaning of a reported field, by the type of its value. A value of another type is ignored. */
export interface DetailField {
  readonly count?: CountName;
  readonly text?: TextName;
  /** The meaning of the provider's words, if they differ from those of the price list. */
  readonly words?: ReadonlyMap<string, string>;
  /** A number that can have decimals. */
  readonly amount?: AmountName;
  /** A Boolean: the customer's own provider key was used. */
  readonly byok?: true;
  readonly fields?: DetailFields;
  /** An array of counts: `[{"modality":"AUDIO","tokenCount":7}]`. */
  readonly byModality?: Readonly<Record<string, CountName>>;
  /** An array of reports, one per step of the response. */
  readonly steps?: true;
}

export type DetailFields = ReadonlyMap<string, DetailField>;

const count = (name: CountName): DetailField => ({ count: name });
const text = (name: TextName): DetailField => ({ text: name });
const amount = (name: AmountName): DetailField => ({ amount: name });
const inside = (fields: Readonly<Record<string, DetailField>>): DetailField => ({ fields: fieldsOf(fields) });
const modalities = (names: Readonly<Record<string, CountName>>): DetailField => ({ byModality: names });
const fieldsOf = (fields: Readonly<Record<string, DetailField>>): DetailFields => new Map(Object.entries(fields));

const CACHE_WRITES = inside({
  ephemeral_5m_input_tokens: count('cacheWrite5m'),
  ephemeral_1h_input_tokens: count('cacheWrite1h'),
});

const INPUT = inside({
  cached_tokens: count('cachedInput'),
  // OpenAI and OpenRouter, LiteLLM, Alibaba.
  cache_write_tokens: count('cacheWrite'),
  cache_creation_tokens: count('cacheWrite'),
  cache_creation_input_tokens: count('cacheWrite'),
  cache_creation: CACHE_WRITES,
  audio_tokens: count('audioInput'),
  image_tokens: count('imageInput'),
  cached_tokens_details: inside({ audio_tokens: count('cachedAudioInput') }),
});

const OUTPUT = inside({
  reasoning_tokens: count('reasoning'),
  thinking_tokens: count('reasoning'),
  audio_tokens: count('audioOutput'),
  image_tokens: count('imageOutput'),
});

/** Anthropic's totals and each step in `iterations` have these fields. */
const ANTHROPIC_TOKENS = {
  cache_read_input_tokens: count('cachedInput'),
  cache_creation_input_tokens: count('cacheWrite'),
  cache_creation: CACHE_WRITES,
  output_tokens_details: OUTPUT,
};

const TRAFFIC_TYPE: DetailField = {
  text: 'serviceTier',
  words: new Map([
    ['ON_DEMAND', 'on_demand'],
    ['ON_DEMAND_FLEX', 'flex'],
    ['ON_DEMAND_PRIORITY', 'priority'],
    ['PROVISIONED_THROUGHPUT', 'provisioned_throughput'],
  ]),
};

export const STEP_FIELDS = fieldsOf(ANTHROPIC_TOKENS);

/** Fields of `usage` and `usageMetadata`. If a count has several fields, the highest value is used. */
export const USAGE_FIELDS = fieldsOf({
  ...ANTHROPIC_TOKENS,
  total_tokens: count('total'),
  prompt_tokens_details: INPUT,
  input_tokens_details: INPUT,
  // Transcriptions.
  input_token_details: INPUT,
  output_token_details: OUTPUT,
  completion_tokens_details: OUTPUT,
  // DeepSeek; Moonshot and Together; Mistral.
  prompt_cache_hit_tokens: count('cachedInput'),
  cached_tokens: count('cachedInput'),
  num_cached_tokens: count('cachedInput'),
  // Perplexity.
  reasoning_tokens: count('reasoning'),
  citation_tokens: count('citations'),
  num_search_queries: count('webSearches'),
  // Anthropic and OpenRouter.
  server_tool_use: inside({
    web_search_requests: count('webSearches'),
    code_execution_requests: count('codeExecutions'),
  }),
  // xAI.
  num_sources_used: count('sources'),
  server_side_tool_usage_details: inside({
    web_search_calls: count('webSearches'),
    x_search_calls: count('xSearches'),
    file_search_calls: count('fileSearches'),
    document_search_calls: count('documentSearches'),
    code_interpreter_calls: count('codeExecutions'),
  }),
  cost_in_usd_ticks: amount('ticks'),
  // A number at OpenRouter, an object at Perplexity.
  cost: { amount: 'usd', fields: fieldsOf({ total_cost: amount('usd') }) },
  is_byok: { byok: true },
  cost_details: inside({ upstream_inference_cost: amount('upstreamUsd') }),
  // OpenAI's transcriptions; Mistral.
  seconds: amount('seconds'),
  prompt_audio_seconds: amount('seconds'),
  // Anthropic.
  service_tier: text('serviceTier'),
  speed: text('speed'),
  inference_geo: text('region'),
  iterations: { steps: true },
  // Vertex AI, in OpenAI's format and in its own.
  extra_properties: inside({ google: inside({ traffic_type: TRAFFIC_TYPE }) }),
  trafficType: TRAFFIC_TYPE,
  // Gemini.
  totalTokenCount: count('total'),
  cachedContentTokenCount: count('cachedInput'),
  thoughtsTokenCount: count('thoughts'),
  promptTokensDetails: modalities({ AUDIO: 'audioInput', IMAGE: 'imageInput' }),
  cacheTokensDetails: modalities({ AUDIO: 'cachedAudioInput' }),
  candidatesTokensDetails: modalities({ AUDIO: 'audioOutput', IMAGE: 'imageOutput' }),
});

/** Fields of `tool_usage`, which OpenAI's responses have next to `usage`. */
export const TOOL_USAGE_FIELDS = fieldsOf({
  web_search: inside({ num_requests: count('webSearches') }),
  image_gen: inside({
    input_tokens: count('imageToolInput'),
    output_tokens: count('imageToolOutput'),
    cached_tokens: count('imageToolCachedInput'),
    input_tokens_details: inside({ image_tokens: count('imageToolImageInput') }),
    output_tokens_details: inside({ image_tokens: count('imageToolImageOutput') }),
  }),
});
