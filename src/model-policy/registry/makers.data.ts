/** The nine makers by their canonical slugs. */
export const MAKERS = [
  'openai',
  'anthropic',
  'google',
  'meta',
  'mistral',
  'cohere',
  'deepseek',
  'xai',
  'qwen',
] as const;
export type Maker = (typeof MAKERS)[number];

/**
 * What providers write before the slash of a model's id (`meta-llama/llama-3.3-70b-instruct`), lower case, beside the
 * slugs themselves. A prefix that is none of these belongs to somebody else: the model is not the maker's.
 */
export const MAKER_PREFIXES: Readonly<Record<string, Maker>> = {
  'anthropic-ai': 'anthropic',
  'meta-llama': 'meta',
  mistralai: 'mistral',
  cohereforai: 'cohere',
  coherelabs: 'cohere',
  'deepseek-ai': 'deepseek',
  'x-ai': 'xai',
  'xai-org': 'xai',
  alibaba: 'qwen',
  // Google's own listing writes it before every id.
  models: 'google',
};
