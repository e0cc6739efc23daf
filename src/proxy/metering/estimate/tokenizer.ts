import type { CountTokens } from './estimate-job.js';

const OLDER = /^(?:[\w.-]+\/)*(?:gpt-4(?!o|\.|-o)|gpt-3|text-embedding-|davinci-002|babbage-002)/i;
/** The tokenizer takes quadratic time for long runs without a word boundary. Splitting a run adds at most one token. */
const RUNS = /\S{200}|\s{200}/g;
/** A few megabytes of memory. The library's default is 100,000. */
const CACHED_WORDS_MAX = 10_000;

interface Encoding {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  setMergeCacheSize(size: number): void;
}

const loaded = new Map<string, Promise<CountTokens>>();

/**
 * OpenAI's older models use cl100k_base. Counts are exact for OpenAI models, and approximate for other makers, whose
 * tokenizers are not public. Loading a tokenizer takes 1 s and 40 MB.
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
