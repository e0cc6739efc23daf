import type { PriceFactor } from './price-row.js';

interface PublishedFactor extends PriceFactor {
  readonly provider: string;
  /** Models of the price list, by their names there. `*` at the end is a prefix. Null for every model of the provider. */
  readonly models: readonly string[] | null;
  /** The vendor's page. */
  readonly source: string;
  /** The day on which the factor was compared with a copy of this page. Null if it has not been compared yet. */
  readonly checked: string | null;
}

/** The days of the last comparisons. On the second one, fast modes of Claude were also compared with the price list (OpenRouter). */
const READ = '2026-11-25';
const READ_AGAIN = '2026-11-26';

const OPENAI = 'https://developers.openai.com/api/docs/pricing';
const OPENAI_FAST = 'https://openai.com/api-fast-mode/';
const OPENAI_RESIDENCY = 'https://developers.openai.com/api/docs/guides/data-residency';
const CLAUDE_FAST = 'https://platform.claude.com/docs/en/build-with-claude/fast-mode';
const CLAUDE = 'https://platform.claude.com/docs/en/about-claude/pricing';
const CLAUDE_US = 'https://support.claude.com/en/articles/15422948-enable-us-only-inference-for-your-organization';
const GEMINI = 'https://ai.google.dev/gemini-api/docs/optimization';

const half = (provider: string, serviceTier: string, source: string, checked: string | null): PublishedFactor => ({
  provider,
  models: null,
  serviceTier,
  numerator: 1,
  denominator: 2,
  source,
  checked,
});

/** OpenAI renamed `priority` to `fast` in July 2026. Responses contain either name, at the same price. */
const openAiFast = (models: readonly string[], numerator: number, denominator: number, checked: string | null = READ) =>
  ['priority', 'fast'].map((serviceTier): PublishedFactor => ({
    provider: 'openai',
    models,
    serviceTier,
    numerator,
    denominator,
    source: OPENAI_FAST,
    checked,
  }));

const claudeFast = (models: readonly string[], numerator: number, checked: string | null): PublishedFactor => ({
  provider: 'anthropic',
  models,
  serviceTier: 'fast',
  numerator,
  denominator: 1,
  source: CLAUDE_FAST,
  checked,
});

/** OpenAI adds 10% for models released since 5 March 2026. */
const OPENAI_WITH_UPLIFT = ['gpt-5.4*', 'gpt-5.5*', 'gpt-5.6*', 'gpt-6*'];

/**
 * Published factors on the prices of tokens. The first row that matches the service tier is multiplied by the first that matches the
 * region. A service tier without a row is priced as the standard tier, and the result says that this is assumed.
 */
export const PRICE_FACTORS: readonly PublishedFactor[] = [
  half('openai', 'batch', OPENAI, READ),
  half('openai', 'flex', OPENAI, READ),
  ...openAiFast(['gpt-6-astra', 'gpt-6-sol', 'gpt-6-luna'], 2, 1, null),
  ...openAiFast(['gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna'], 2, 1),
  ...openAiFast(['gpt-5.5'], 5, 2),
  ...openAiFast(['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.2', 'gpt-5.1', 'gpt-5', 'gpt-4.1-nano'], 2, 1),
  ...openAiFast(['gpt-5-mini'], 9, 5),
  ...openAiFast(['gpt-4.1', 'gpt-4.1-mini', 'o3', 'gpt-4o-2024-05-13'], 7, 4),
  ...openAiFast(['gpt-4o'], 17, 10),
  ...openAiFast(['gpt-4o-mini'], 5, 3),
  ...openAiFast(['o4-mini'], 20, 11),
  {
    provider: 'openai',
    models: OPENAI_WITH_UPLIFT,
    region: '*',
    numerator: 11,
    denominator: 10,
    source: OPENAI_RESIDENCY,
    checked: READ,
  },

  half('anthropic', 'batch', CLAUDE, READ),
  claudeFast(['claude-opus-5-5'], 2, null),
  claudeFast(['claude-opus-5', 'claude-opus-4-8'], 2, READ_AGAIN),
  claudeFast(['claude-opus-4-6'], 6, READ),
  claudeFast(['claude-opus-4-7'], 6, READ_AGAIN),
  {
    provider: 'anthropic',
    models: null,
    region: 'us',
    numerator: 11,
    denominator: 10,
    source: CLAUDE_US,
    checked: READ_AGAIN,
  },

  half('google', 'batch', GEMINI, READ),
  half('google', 'flex', GEMINI, READ),
  {
    provider: 'google',
    models: ['gemini-*'],
    serviceTier: 'priority',
    numerator: 9,
    denominator: 5,
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    checked: null,
  },

  half('azure', 'batch', 'https://azure.microsoft.com/pricing/details/azure-openai/', '2026-10-07'),
  half('aws', 'batch', 'https://aws.amazon.com/bedrock/pricing/', '2026-10-07'),
  half('mistral', 'batch', 'https://mistral.ai/pricing', null),
  half('groq', 'batch', 'https://groq.com/pricing', null),
  {
    provider: 'groq',
    models: null,
    serviceTier: 'flex',
    numerator: 1,
    denominator: 1,
    source: 'https://console.groq.com/docs/flex-processing',
    checked: READ,
  },
  {
    provider: 'x-ai',
    models: null,
    region: 'us',
    numerator: 11,
    denominator: 10,
    source: 'https://docs.x.ai/developers/pricing',
    checked: READ,
  },
  {
    provider: 'moonshotai',
    models: null,
    serviceTier: 'batch',
    numerator: 3,
    denominator: 5,
    source: 'https://platform.kimi.ai/docs/pricing/batch',
    checked: READ,
  },
  {
    provider: 'voyageai',
    models: null,
    serviceTier: 'batch',
    numerator: 67,
    denominator: 100,
    source: 'https://docs.voyageai.com/docs/batch-inference',
    checked: READ_AGAIN,
  },
];

/** Service tiers that are billed at the standard price, at every provider. */
export const STANDARD_TIERS: ReadonlySet<string> = new Set(['', 'default', 'standard', 'on_demand', 'standard_only']);

/** Regions without a factor, at every provider. */
export const GLOBAL_REGIONS: ReadonlySet<string> = new Set(['', 'global', 'not_available']);
