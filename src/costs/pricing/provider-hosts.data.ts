interface ProviderHost {
  readonly host: RegExp;
  readonly provider: string;
  /** The region in which requests to this host are processed, if it changes the price. */
  readonly region: string | null;
}

/**
 * Hosts that the price list lacks, and hosts with prices by region. They come before the price list. Sources, November 2026:
 * developers.openai.com/api/docs/guides/data-residency, docs.x.ai/developers/pricing, docs.aws.amazon.com/bedrock.
 */
export const PROVIDER_HOSTS: readonly ProviderHost[] = [
  { host: /^us\.api\.openai\.com$/, provider: 'openai', region: 'us' },
  { host: /^eu\.api\.openai\.com$/, provider: 'openai', region: 'eu' },
  { host: /^au\.api\.openai\.com$/, provider: 'openai', region: 'au' },
  { host: /^in\.api\.openai\.com$/, provider: 'openai', region: 'in' },
  { host: /^jp\.api\.openai\.com$/, provider: 'openai', region: 'jp' },
  { host: /^us(?:-[a-z]+-\d)?\.api\.x\.ai$/, provider: 'x-ai', region: 'us' },
  { host: /^eu(?:-[a-z]+-\d)?\.api\.x\.ai$/, provider: 'x-ai', region: null },
  { host: /^bedrock-mantle\.[a-z0-9-]+\.api\.aws$/, provider: 'aws', region: null },
  { host: /^bedrock-runtime-fips\.[a-z0-9-]+\.amazonaws\.com$/, provider: 'aws', region: null },
  { host: /^api\.together\.ai$/, provider: 'together', region: null },
];

/** Names of makers in model IDs (`mistralai/…`) that differ from the provider's name in the price list. */
export const MAKER_ALIASES: Readonly<Record<string, string>> = {
  mistralai: 'mistral',
  xai: 'x-ai',
  gemini: 'google',
  vertex_ai: 'google',
  'z-ai': 'zai',
  bedrock: 'aws',
  amazon: 'aws',
  together_ai: 'together',
};
