import type { Maker } from './canonical-id.js';
import type { ModelFlag } from './model-facts.js';
import type { ModelCategory } from './endpoints.data.js';

/**
 * Name, kind and flags of a family. Kind `base` is a chat model that only completes text (D10). Kind null has no category, so
 * the model is a custom model, regardless of its owner. Only chat models have flags.
 */
export type Family = readonly [name: string, kind: ModelCategory | 'base' | null, flags?: readonly ModelFlag[]];

const R = 'reasoning';
const V = 'vision';
const W = 'web_search';
const A = 'audio_input';
const T = 'tool_use';
const J = 'json_mode';
const K = 'thinking';
const C = 'computer_use';

/**
 * Model families by maker. A name matches itself and every longer name after a separator (`gpt-4o`, `gpt-4o-2024-08-06`,
 * `gpt-4o:free`). The longest match wins, so a model that differs from its family has its own line. The separators `-`, `.` and
 * `_` are equivalent (`claude-3.5-sonnet`). Parts in the middle of an ID (`-vl-`, `-realtime`) are in id-parts.data.ts.
 *
 * Source: the public catalogs models.dev and LiteLLM's model list, July 2026, both MIT-licensed. Retired models, base models,
 * Cohere's embeddings and Mistral's OCR are from the makers' documentation of the same month. The data differs from the
 * catalogs:
 * - web_search means `web_search_options` on chat completions, which only the search models accept. The catalogs also count a
 *   vendor's search tool.
 * - thinking and computer_use refer to /v1/messages and its built-in tools, so only Anthropic's models have them.
 * - Chat models that their maker serves only on /v1/responses (`-pro`, `-codex`, deep research) are listed like their family.
 *   Other providers serve them as chat models. Operators can restrict them with GW_MODEL_REGISTRY.
 */
export const FAMILIES: Readonly<Record<Maker, readonly Family[]>> = {
  openai: [
    ['gpt-5', 'chat', [R, V, T, J]],
    ['gpt-5-chat', 'chat', [V, J]],
    ['gpt-5.1-chat', 'chat', [R, V, J]],
    ['gpt-5-search-api', 'chat', [W, J]],
    ['gpt-daybreak', 'chat', [R, V, T, J]],
    ['gpt-rosalind', 'chat', [R, V, T, J]],
    ['codex-auto-review', 'chat', [R, V, T, J]],
    ['codex-mini', 'chat', [R, V, T, J]],
    ['gpt-4.5', 'chat', [V, T, J]],
    ['gpt-4.1', 'chat', [V, T, J]],
    ['gpt-4o', 'chat', [V, T, J]],
    ['gpt-4o-audio', 'chat', [A, T]],
    ['gpt-4o-mini-audio', 'chat', [A, T]],
    ['gpt-audio', 'chat', [A, T]],
    ['gpt-4o-search-preview', 'chat', [W, J]],
    ['gpt-4o-mini-search-preview', 'chat', [W, J]],
    ['chatgpt-4o', 'chat', [V]],
    ['gpt-4', 'chat', [T]],
    ['gpt-4-0314', 'chat'],
    ['gpt-4-32k', 'chat', [T]],
    ['gpt-4-turbo', 'chat', [V, T, J]],
    ['gpt-4-turbo-preview', 'chat', [T, J]],
    ['gpt-4-0125-preview', 'chat', [T, J]],
    ['gpt-4-1106-preview', 'chat', [T, J]],
    ['gpt-4-vision-preview', 'chat', [V]],
    ['gpt-3.5-turbo', 'chat', [T, J]],
    ['gpt-35-turbo', 'chat', [T, J]],
    ['gpt-3.5-turbo-0301', 'chat'],
    ['gpt-3.5-turbo-0613', 'chat', [T]],
    ['gpt-3.5-turbo-16k', 'chat', [T]],
    ['gpt-oss', 'chat', [R, T, J]],
    ['o1', 'chat', [R, V, T, J]],
    ['o1-mini', 'chat', [R]],
    ['o1-preview', 'chat', [R]],
    ['o3', 'chat', [R, V, T, J]],
    ['o3-mini', 'chat', [R, T, J]],
    ['o4', 'chat', [R, V, T, J]],
    ['computer-use-preview', 'chat', [V, T]],
    ['gpt-3.5-turbo-instruct', 'base'],
    ['gpt-35-turbo-instruct', 'base'],
    ['davinci-002', 'base'],
    ['babbage-002', 'base'],
    ['text-davinci', 'base'],
    ['text-curie', 'base'],
    ['text-babbage', 'base'],
    ['text-ada', 'base'],
    ['code-davinci', 'base'],
    ['text-embedding-3', 'embedding'],
    ['text-embedding-4', 'embedding'],
    ['text-embedding-ada', 'embedding'],
    ['dall-e', 'image'],
    ['gpt-image', 'image'],
    ['chatgpt-image', 'image'],
    ['tts-1', 'tts'],
    ['gpt-tts', 'tts'],
    ['whisper', 'transcription'],
    ['gpt-transcribe', 'transcription'],
    ['gpt-live-transcribe', 'transcription'],
    ['gpt-realtime', 'realtime'],
    ['gpt-live', 'realtime'],
    ['sora', null],
    ['omni-moderation', null],
    ['text-moderation', null],
  ],
  anthropic: [
    ['claude', 'chat', [R, V, T, J, K, C]],
    ['claude-3-7-sonnet', 'chat', [R, V, T, J, K, C]],
    ['claude-3-5-sonnet', 'chat', [V, T, J, C]],
    ['claude-3-5-sonnet-20240620', 'chat', [V, T, J]],
    ['claude-3-5-haiku', 'chat', [V, T, J]],
    ['claude-3', 'chat', [V, T, J]],
    ['claude-2', 'chat'],
    ['claude-instant', 'chat'],
  ],
  google: [
    ['gemini', 'chat', [R, V, A, T, J]],
    ['gemini-omni', 'chat', [R, V, A]],
    ['gemini-2.0-flash', 'chat', [V, A, T, J]],
    ['gemini-2.0-flash-thinking', 'chat', [R, V, J]],
    ['gemini-2.0-pro', 'chat', [V, A, T, J]],
    ['gemini-2.5-computer-use', 'chat', [R, V, T]],
    ['gemini-1.5', 'chat', [V, A, T, J]],
    ['gemini-1.0-pro', 'chat', [T, J]],
    ['gemini-pro-vision', 'chat', [V]],
    ['gemini-robotics-er', 'chat', [R, V, T, J]],
    ['gemini-exp', 'chat', [V, T, J]],
    ['gemini-flash-experimental', 'embedding'],
    ['gemma', 'chat'],
    ['gemma-3', 'chat', [V]],
    ['gemma-3-1b', 'chat'],
    ['gemma-3n', 'chat', [V, A]],
    ['gemma-4', 'chat', [R, V, T, J]],
    ['text-embedding-004', 'embedding'],
    ['text-embedding-005', 'embedding'],
    ['text-multilingual-embedding', 'embedding'],
    ['embeddinggemma', 'embedding'],
    ['imagen', 'image'],
    ['veo', null],
    ['lyria', null],
    ['aqa', null],
  ],
  meta: [
    ['llama', 'chat'],
    ['llama-3.1', 'chat', [T]],
    ['llama-3.2', 'chat', [T]],
    ['llama-3.3', 'chat', [T, J]],
    ['llama-4', 'chat', [V, T, J]],
    ['llama2', 'chat'],
    ['llama3', 'chat'],
    ['llama3.1', 'chat', [T]],
    ['llama3.2', 'chat', [T]],
    ['llama3.3', 'chat', [T, J]],
    ['llama4', 'chat', [V, T, J]],
    ['llama-guard', 'chat'],
    ['llama-guard-4', 'chat', [V]],
    ['meta-llama', 'chat'],
    ['meta-llama-3.1', 'chat', [T]],
    ['meta-llama-3.2', 'chat', [T]],
    ['meta-llama-3.3', 'chat', [T, J]],
    ['codellama', 'chat'],
  ],
  mistral: [
    ['mistral', 'chat', [T, J]],
    ['mistral-7b', 'chat', [T]],
    ['mistral-large', 'chat', [V, T, J]],
    ['mistral-large-2402', 'chat', [T, J]],
    ['mistral-large-2407', 'chat', [T, J]],
    ['mistral-large-2411', 'chat', [T, J]],
    ['mistral-medium', 'chat', [V, T, J]],
    ['mistral-medium-2604', 'chat', [R, V, T, J]],
    ['mistral-small', 'chat', [V, T, J]],
    ['mistral-small-2402', 'chat', [T, J]],
    ['mistral-small-2409', 'chat', [T, J]],
    ['mistral-small-2501', 'chat', [T, J]],
    ['mistral-small-2603', 'chat', [R, V, T, J]],
    ['mistral-small-latest', 'chat', [R, V, T, J]],
    ['mixtral', 'chat', [T, J]],
    ['open-mistral', 'chat', [T, J]],
    ['open-mixtral', 'chat', [T, J]],
    ['open-codestral-mamba', 'chat', [T]],
    ['ministral', 'chat', [T, J]],
    ['magistral', 'chat', [R, T, J]],
    ['codestral', 'chat', [T, J]],
    ['codestral-mamba', 'chat', [T]],
    ['devstral', 'chat', [T, J]],
    ['labs-devstral', 'chat', [V, T, J]],
    ['pixtral', 'chat', [V, T, J]],
    ['voxtral', 'chat', [A, T]],
  ],
  cohere: [
    ['command', 'chat', [T]],
    ['command-r', 'chat', [T, J]],
    ['command-r7b', 'chat', [T, J]],
    ['command-a', 'chat', [T, J]],
    ['command-a-vision', 'chat', [V, J]],
    ['c4ai-command', 'chat', [T, J]],
    ['c4ai-aya', 'chat'],
    ['aya', 'chat'],
    ['north-mini-code', 'chat', [T]],
    ['embed-english', 'embedding'],
    ['embed-multilingual', 'embedding'],
    ['embed-v4', 'embedding'],
  ],
  deepseek: [
    ['deepseek', 'chat', [T, J]],
    ['deepseek-reasoner', 'chat', [R, J]],
    ['deepseek-r1', 'chat', [R, J]],
    ['deepseek-r1-0528', 'chat', [R, T, J]],
    ['deepseek-v4', 'chat', [R, T, J]],
    ['deepseek-prover', 'chat'],
  ],
  xai: [
    ['grok', 'chat', [T, J]],
    ['grok-2', 'chat', [T, J]],
    ['grok-3', 'chat', [T, J]],
    ['grok-3-mini', 'chat', [R, T, J]],
    ['grok-4', 'chat', [R, V, T, J]],
    ['grok-code', 'chat', [R, T, J]],
    ['grok-build', 'chat', [R, V, T, J]],
  ],
  qwen: [
    ['qwen', 'chat', [T]],
    ['qwen-plus', 'chat', [R, T, J]],
    ['qwen-plus-character', 'chat', [T]],
    ['qwen-flash', 'chat', [R, T, J]],
    ['qwen-turbo', 'chat', [R, T, J]],
    ['qwen-max', 'chat', [T, J]],
    ['qwen-mt', 'chat'],
    ['qwen-vl', 'chat', [V, T]],
    ['qwen2', 'chat', [T]],
    ['qwen2.5', 'chat', [T, J]],
    ['qwen3', 'chat', [R, T, J]],
    ['qwen3-max', 'chat', [T, J]],
    ['qwen3-coder', 'chat', [T, J]],
    ['qwen3-next', 'chat', [R, T, J]],
    ['qwen3.5', 'chat', [R, V, A, T, J]],
    ['qwen3.5-plus', 'chat', [R, V, T, J]],
    ['qwen3.6', 'chat', [R, V, A, T, J]],
    ['qwen3.6-flash', 'chat', [R, V, T, J]],
    ['qwen3.6-plus', 'chat', [R, V, T, J]],
    ['qwen3.6-max', 'chat', [R, T, J]],
    ['qwen3.7', 'chat', [R, V, T, J]],
    ['qwen3.7-max', 'chat', [R, T, J]],
    ['qwq', 'chat', [R, T]],
    ['qvq', 'chat', [R, V, T]],
    ['text-embedding-v1', 'embedding'],
    ['text-embedding-v2', 'embedding'],
    ['text-embedding-v3', 'embedding'],
    ['text-embedding-v4', 'embedding'],
  ],
};

/** IDs that match exactly. With a suffix, such a name can belong to another maker. */
export const EXACT: Readonly<Partial<Record<Maker, readonly Family[]>>> = {
  openai: [
    ['davinci', 'base'],
    ['curie', 'base'],
    ['babbage', 'base'],
    ['ada', 'base'],
  ],
  google: [['embedding-001', 'embedding']],
};

/**
 * The newest known generation of each numbered family. A later generation counts as this one: `gpt-6-mini` has the kind and
 * flags of `gpt-5-mini`. Each name must end in its number and be listed in `FAMILIES`.
 */
export const NEWEST: Readonly<Partial<Record<Maker, readonly string[]>>> = {
  openai: ['gpt-5', 'o4', 'text-embedding-4', 'tts-1'],
  google: ['gemma-4'],
  meta: ['llama-4', 'llama4'],
  deepseek: ['deepseek-v4'],
  xai: ['grok-4'],
  qwen: ['qwen3.7', 'text-embedding-v4'],
};
