import type { FigureField, Measure } from './measures.data.js';

export const EXPORT_FORMATS = ['openai_costs', 'openai_usage', 'anthropic_costs', 'anthropic_usage'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type ExportField = FigureField | 'start' | 'end' | 'model' | 'line_item' | 'currency';

interface ColumnSpec {
  /** Headers in lower case, with `_` for everything that is not a letter or digit. The first one that the export has is used. */
  readonly names: readonly string[];
  readonly required?: true;
  /** The column is not used if the export has these, because they contain the same tokens. */
  readonly unless?: readonly ExportField[];
}

export interface FormatSpec {
  /** The usual name of the export, for messages. */
  readonly title: string;
  readonly columns: Readonly<Partial<Record<ExportField, ColumnSpec>>>;
  /** Each figure is the sum of these columns, as far as the export has them. */
  readonly measures: Readonly<Partial<Record<Measure, readonly FigureField[]>>>;
  /** Headers that only this vendor uses. They decide between formats whose required columns are all present. */
  readonly signs: readonly string[];
}

const OPENAI_DATES = {
  start: {
    names: ['start_time', 'start_time_iso', 'date', 'timestamp', 'aggregation_timestamp', 'day'],
    required: true,
  },
  end: { names: ['end_time', 'end_time_iso', 'end_date'] },
} as const;
const OPENAI_SIGNS = ['start_time', 'end_time', 'start_time_iso', 'end_time_iso', 'project_id', 'organization_id'];
const ANTHROPIC_DATES = {
  start: { names: ['usage_date_utc', 'date_utc', 'usage_date', 'date', 'day', 'starting_at'], required: true },
  end: { names: ['ending_at', 'end_date'] },
} as const;
const ANTHROPIC_SIGNS = ['usage_date_utc', 'workspace', 'usage_type', 'context_window', 'inference_geo', 'speed'];

/** Column names vary between exports and years. docs/costs.md lists them. */
export const FORMATS: Readonly<Record<ExportFormat, FormatSpec>> = {
  openai_costs: {
    title: "OpenAI's cost export",
    columns: {
      ...OPENAI_DATES,
      // Older exports also have `cost`, in cents.
      amount: {
        names: ['amount_value', 'cost_in_major', 'amount_usd', 'cost_usd', 'amount', 'cost', 'total_cost'],
        required: true,
      },
      currency: { names: ['amount_currency', 'currency'] },
      model: { names: ['model', 'snapshot_id'] },
      line_item: { names: ['line_item', 'name'], unless: ['model'] },
    },
    measures: { cost: ['amount'] },
    signs: [...OPENAI_SIGNS, 'amount_value', 'amount_currency', 'line_item', 'cost_in_major', 'organization_name'],
  },
  openai_usage: {
    title: "OpenAI's usage export",
    columns: {
      ...OPENAI_DATES,
      model: { names: ['model', 'snapshot_id'] },
      all_input: { names: ['input_tokens', 'n_context_tokens_total', 'prompt_tokens'], required: true },
      cached_input: {
        names: ['input_cached_tokens', 'cached_input_tokens', 'n_cached_context_tokens_total', 'cached_tokens'],
      },
      cache_write: { names: ['input_cache_write_tokens', 'cache_write_tokens'] },
      output: { names: ['output_tokens', 'n_generated_tokens_total', 'completion_tokens'] },
      requests: { names: ['num_model_requests', 'n_requests', 'num_requests', 'requests'] },
    },
    measures: {
      requests: ['requests'],
      input_tokens: ['all_input'],
      cached_input_tokens: ['cached_input'],
      cache_write_tokens: ['cache_write'],
      output_tokens: ['output'],
    },
    signs: [
      ...OPENAI_SIGNS,
      'num_model_requests',
      'n_requests',
      'snapshot_id',
      'batch',
      'api_key_id',
      'user_id',
      'input_cached_tokens',
      'input_uncached_tokens',
      'n_context_tokens_total',
      'n_generated_tokens_total',
    ],
  },
  anthropic_costs: {
    title: "Anthropic's cost export",
    columns: {
      ...ANTHROPIC_DATES,
      // Not `amount`: in Anthropic's cost API it is in cents.
      amount: { names: ['cost_usd', 'amount_usd', 'total_cost_usd', 'cost'], required: true },
      currency: { names: ['currency'] },
      model: { names: ['model', 'model_version'] },
    },
    measures: { cost: ['amount'] },
    signs: [...ANTHROPIC_SIGNS, 'cost_usd', 'token_type', 'list_price_usd', 'cost_type'],
  },
  anthropic_usage: {
    title: "Anthropic's usage export",
    columns: {
      ...ANTHROPIC_DATES,
      model: { names: ['model_version', 'model'] },
      uncached_input: {
        names: ['usage_input_tokens_no_cache', 'uncached_input_tokens', 'input_tokens'],
        required: true,
      },
      cached_input: { names: ['usage_input_tokens_cache_read', 'cache_read_input_tokens'] },
      cache_write: {
        names: ['usage_input_tokens_cache_write', 'cache_creation_input_tokens'],
        unless: ['cache_write_5m', 'cache_write_1h'],
      },
      cache_write_5m: {
        names: ['usage_input_tokens_cache_write_5m', 'cache_creation_ephemeral_5m_input_tokens'],
      },
      cache_write_1h: {
        names: ['usage_input_tokens_cache_write_1h', 'cache_creation_ephemeral_1h_input_tokens'],
      },
      output: { names: ['usage_output_tokens', 'output_tokens'], required: true },
      requests: { names: ['requests', 'request_count', 'num_requests'] },
      web_searches: { names: ['web_search_count', 'web_search_requests', 'server_tool_use_web_search_requests'] },
    },
    measures: {
      requests: ['requests'],
      input_tokens: ['uncached_input', 'cached_input', 'cache_write', 'cache_write_5m', 'cache_write_1h'],
      cached_input_tokens: ['cached_input'],
      cache_write_tokens: ['cache_write', 'cache_write_5m', 'cache_write_1h'],
      output_tokens: ['output'],
      web_searches: ['web_searches'],
    },
    signs: [
      ...ANTHROPIC_SIGNS,
      'model_version',
      'usage_input_tokens_no_cache',
      'usage_input_tokens_cache_read',
      'usage_output_tokens',
      'web_search_count',
    ],
  },
};
