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

/** Lowercase prefixes of model IDs (`meta-llama/llama-3.3-70b-instruct`), in addition to the makers' own names. */
const MAKER_PREFIXES: Readonly<Record<string, Maker>> = {
  'anthropic-ai': 'anthropic',
  'meta-llama': 'meta',
  mistralai: 'mistral',
  cohereforai: 'cohere',
  coherelabs: 'cohere',
  'deepseek-ai': 'deepseek',
  'x-ai': 'xai',
  'xai-org': 'xai',
  alibaba: 'qwen',
  // Google's own model list prefixes every ID with this.
  models: 'google',
};

interface CanonicalId {
  /** Lower case, with `-` for every separator, without the maker's prefix, the variant (`:free`) and the fine-tune. */
  readonly name: string;
  readonly maker: Maker | null;
}

const prefixes: ReadonlyMap<string, Maker> = new Map([
  ...MAKERS.map((maker) => [maker, maker] as const),
  ...Object.entries(MAKER_PREFIXES),
]);

export const makerOf = (name: string): Maker | undefined => prefixes.get(name.toLowerCase());

/** Returns the ID in the form of the built-in registry; null if its prefix is not a known maker. */
export function canonicalId(id: string): CanonicalId | null {
  const slash = id.lastIndexOf('/');
  const maker = slash === -1 ? null : makerOf(id.slice(0, slash));
  if (maker === undefined) return null;
  // `ft:gpt-4o-mini:acme::id` is a fine-tune. Only its first part, the base model, is used.
  const bare = id
    .slice(slash + 1)
    .toLowerCase()
    .replace(/^ft:/, '');
  return { name: canonicalName(bare.split(':', 1)[0] ?? ''), maker };
}

export function canonicalName(name: string): string {
  return name.replace(/[._@]/g, '-');
}

export function undated(name: string): string {
  return name.replace(/-(?:latest|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{8}|\d{4})$/, '');
}
