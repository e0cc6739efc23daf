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

interface CanonicalId {
  /** Lower case, `-` for every separator, without maker's prefix, variant (`:free`) or fine-tune. */
  readonly name: string;
  /** The maker that the prefix names; null without a prefix. */
  readonly maker: Maker | null;
}

const prefixes: ReadonlyMap<string, Maker> = new Map([
  ...MAKERS.map((maker) => [maker, maker] as const),
  ...Object.entries(MAKER_PREFIXES),
]);

/** The maker that a prefix of IDs or an `owned_by` names; undefined: somebody else. */
export const makerOf = (name: string): Maker | undefined => prefixes.get(name.toLowerCase());

/** What an id looks like to the built-in registry; null where its prefix is no maker's. */
export function canonicalId(id: string): CanonicalId | null {
  const slash = id.lastIndexOf('/');
  const maker = slash === -1 ? null : makerOf(id.slice(0, slash));
  if (maker === undefined) return null;
  // `ft:gpt-4o-mini:acme::id` is a fine-tune: its base stands first, the rest is the customer's own naming.
  const bare = id
    .slice(slash + 1)
    .toLowerCase()
    .replace(/^ft:/, '');
  return { name: canonicalName(bare.split(':', 1)[0] ?? ''), maker };
}

export function canonicalName(name: string): string {
  return name.replace(/[._@]/g, '-');
}

/** The name without the date or the `latest` at its end. */
export function undated(name: string): string {
  return name.replace(/-(?:latest|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{8}|\d{4})$/, '');
}
