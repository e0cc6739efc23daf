import type { CountTokens } from './count-tokens.js';

/** OpenAI's models before gpt-4o, and all of its embeddings. */
const OLDER = /^(?:[\w.-]+\/)*(?:gpt-4(?!o|\.|-o)|gpt-3|text-embedding-|davinci-002|babbage-002)/i;

/** A run without a place to divide at is quadratic work for the tokenizer: it is divided, at the price of a token each. */
const RUNS = /\S{200}|\s{200}/g;
/** Of some megabytes, not the 100,000 words of its own choice. */
const CACHED_WORDS_MAX = 10_000;

interface Encoding {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  setMergeCacheSize(size: number): void;
}

const loaded = new Map<string, Promise<CountTokens>>();

/**
 * The tokenizer of a model's family: cl100k_base for OpenAI's older ones, o200k_base for all others, which is exact for OpenAI's
 * own and near for other makers' models, whose tokenizers are not public. The first call for each takes a second and 40 MB.
 */
export function tokenizerFor(model: string | null): Promise<CountTokens> {
  const name = model !== null && OLDER.test(model) ? 'cl100k_base' : 'o200k_base';
  let tokenizer = loaded.get(name);
  if (tokenizer === undefined) {
    tokenizer = load(name);
    loaded.set(name, tokenizer);
  }
  return tokenizer;
}

async function load(name: 'cl100k_base' | 'o200k_base'): Promise<CountTokens> {
  const encoding: Encoding =
    name === 'cl100k_base'
      ? await import('gpt-tokenizer/encoding/cl100k_base')
      : await import('gpt-tokenizer/encoding/o200k_base');
  encoding.setMergeCacheSize(CACHED_WORDS_MAX);
  // What looks like a special token is a client's text here.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let tokens = 0;
    let from = 0;
    for (const { index, 0: run } of text.matchAll(RUNS)) {
      tokens += encoding.countTokens(text.slice(from, index + run.length), asText);
      from = index + run.length;
    }
    return tokens + encoding.countTokens(text.slice(from), asText);
  };
}
