import { isObject } from '../../platform/validation/check.js';
import { USAGE_KINDS, type UsageKind } from '../usage-kinds.data.js';
import type { Prices, PriceTier } from './price-row.js';

/** The price of one model in a file that another project publishes. */
export interface FilePrice {
  /** As the file names it: `openai`, `bedrock`, `openrouter`. */
  readonly provider: string;
  readonly model: string;
  readonly prices: Prices;
  /** Null if the format cannot express tiers. Each tier has all prices. */
  readonly tiers: readonly PriceTier[] | null;
}

/** The kind, and the number of units that the file's price is for. */
type KindOfField = Readonly<Record<string, readonly [kind: UsageKind, per: number]>>;

const MILLION = 1_000_000;

const LITELLM: KindOfField = {
  input_cost_per_token: ['input', 1],
  cache_read_input_token_cost: ['cached_input', 1],
  cache_creation_input_token_cost: ['cache_write_5m', 1],
  cache_creation_input_token_cost_above_1hr: ['cache_write_1h', 1],
  output_cost_per_token: ['output', 1],
  output_cost_per_reasoning_token: ['reasoning', 1],
  input_cost_per_audio_token: ['audio_input', 1],
  output_cost_per_audio_token: ['audio_output', 1],
  output_cost_per_image_token: ['image_output', 1],
  output_cost_per_image: ['images', 1],
  input_cost_per_character: ['characters', 1],
  input_cost_per_second: ['audio_seconds', 1],
};
const LITELLM_TIER = /^(.+)_above_(\d+)k_tokens$/;

const OPENROUTER: KindOfField = {
  prompt: ['input', 1],
  completion: ['output', 1],
  input_cache_read: ['cached_input', 1],
  input_cache_write: ['cache_write_5m', 1],
  internal_reasoning: ['reasoning', 1],
  web_search: ['web_searches', 1],
  audio: ['audio_input', 1],
};

const GENAI: KindOfField = {
  input_mtok: ['input', MILLION],
  cache_read_mtok: ['cached_input', MILLION],
  cache_write_mtok: ['cache_write_5m', MILLION],
  cache_write_1h_mtok: ['cache_write_1h', MILLION],
  output_mtok: ['output', MILLION],
  output_reasoning_mtok: ['reasoning', MILLION],
  input_audio_mtok: ['audio_input', MILLION],
  cache_audio_read_mtok: ['cached_audio_input', MILLION],
  output_audio_mtok: ['audio_output', MILLION],
  input_image_mtok: ['image_input', MILLION],
  output_image_mtok: ['image_output', MILLION],
  web_searches_kcount: ['web_searches', 1000],
  input_mchars: ['characters', MILLION],
};

/**
 * Reads LiteLLM's `model_prices_and_context_window.json`, OpenRouter's list of models, or the data of genai-prices. Models without
 * a price of a known kind are left out.
 *
 * @param atMs selects among the dated prices of genai-prices. Prices for hours of the day are left out
 * @returns null for another format
 * @throws PriceFileError for a price that is not a number, negative or too high
 */
export function pricesOfFile(content: unknown, atMs: number): FilePrice[] | null {
  const read = formatOf(content);
  if (read === null) return null;
  const found = read(atMs).filter(({ prices }) => Object.keys(prices).length > 0);
  const long = found.find(({ model }) => model.length > MODEL_LENGTH_MAX || model === '');
  if (long !== undefined) throw new PriceFileError(`A model ID does not have 1 to ${MODEL_LENGTH_MAX} characters.`);
  return found;
}

const MODEL_LENGTH_MAX = 200;

export class PriceFileError extends Error {}

function formatOf(content: unknown): ((atMs: number) => FilePrice[]) | null {
  if (Array.isArray(content)) {
    const providers = content as unknown[];
    if (!providers.every(isGenaiProvider) || providers.length === 0) return null;
    return (atMs) => providers.flatMap((provider) => ofGenai(provider, atMs));
  }
  if (!isObject(content)) return null;
  const { data } = content;
  if (Array.isArray(data)) return () => (data as unknown[]).flatMap(ofOpenRouter);
  const models = Object.entries(content).filter(([name]) => name !== 'sample_spec');
  const isLiteLlm = models.length > 0 && models.every(([, model]) => isObject(model) && 'litellm_provider' in model);
  return isLiteLlm ? () => models.map(([name, model]) => ofLiteLlm(name, model as Fields)) : null;
}

type Fields = Readonly<Record<string, unknown>>;

function ofLiteLlm(name: string, fields: Fields): FilePrice {
  const provider = String(fields['litellm_provider']);
  const model = name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;
  const prices = pricesIn(name, fields, LITELLM);
  const changes = new Map<number, Fields>();
  for (const [field, value] of Object.entries(fields)) {
    const [, base, thousands] = LITELLM_TIER.exec(field) ?? [];
    if (base === undefined || LITELLM[base] === undefined) continue;
    const above = Number(thousands) * 1000;
    changes.set(above, { ...changes.get(above), [base]: value });
  }
  return { provider, model, prices, tiers: tiersOf(name, prices, changes, LITELLM) };
}

function ofOpenRouter(model: unknown): FilePrice[] {
  if (!isObject(model) || typeof model['id'] !== 'string' || !isObject(model['pricing']))
    throw new PriceFileError('A model of the list has no "id" or "pricing".');
  const pricing = Object.entries(model['pricing']);
  // -1 means that the price depends on the model that the router chooses.
  if (pricing.some(([, price]) => Number(price) === -1)) return [];
  const numbers = Object.fromEntries(
    pricing.map(([name, price]) => [name, typeof price === 'string' ? numberOf(price) : price]),
  );
  // Other kinds that cost nothing are not billed separately.
  const billed = Object.entries(numbers).filter(
    ([name, price]) => price !== 0 || name === 'prompt' || name === 'completion',
  );
  const prices = pricesIn(model['id'], Object.fromEntries(billed), OPENROUTER);
  return [{ provider: 'openrouter', model: model['id'], prices, tiers: null }];
}

const numberOf = (text: string): number => (text.trim() === '' ? NaN : Number(text));

interface GenaiProvider {
  readonly id: string;
  readonly models: readonly unknown[];
}

const isGenaiProvider = (value: unknown): value is GenaiProvider =>
  isObject(value) && typeof value['id'] === 'string' && Array.isArray(value['models']);

function ofGenai({ id, models }: GenaiProvider, atMs: number): FilePrice[] {
  return models.flatMap((model) => {
    if (!isObject(model) || typeof model['id'] !== 'string')
      throw new PriceFileError(`A model of the provider "${id}" has no "id".`);
    const fields = genaiPricesAt(model['prices'], atMs);
    if (fields === null) return [];
    const name = `${id}/${model['id']}`;
    const base: Record<string, unknown> = {};
    const changes = new Map<number, Fields>();
    for (const [field, price] of Object.entries(fields)) {
      const { base: first, tiers } = isObject(price) ? price : { base: price, tiers: [] };
      base[field] = first;
      for (const tier of Array.isArray(tiers) ? (tiers as Fields[]) : []) {
        const above = Number(tier['start']);
        changes.set(above, { ...changes.get(above), [field]: tier['price'] });
      }
    }
    const prices = pricesIn(name, base, GENAI);
    return [{ provider: id, model: model['id'], prices, tiers: tiersOf(name, prices, changes, GENAI) }];
  });
}

/** The last dated entry that has begun. */
function genaiPricesAt(prices: unknown, atMs: number): Fields | null {
  if (isObject(prices)) return prices;
  if (!Array.isArray(prices)) return null;
  const entries = (prices as unknown[]).filter(isObject);
  const begun = entries.findLast(({ constraint }) => {
    if (constraint === undefined || constraint === null) return true;
    const start = isObject(constraint) ? constraint['start_date'] : undefined;
    return typeof start === 'string' && Date.parse(start) <= atMs;
  });
  return begun !== undefined && isObject(begun['prices']) ? begun['prices'] : null;
}

function pricesIn(model: string, fields: Fields, kinds: KindOfField): Prices {
  const prices: Partial<Record<UsageKind, number>> = {};
  for (const [field, [kind, per]] of Object.entries(kinds)) {
    const price = fields[field] ?? null;
    if (price !== null) prices[kind] = nanosOf(price, USAGE_KINDS[kind].per / per, `${model}: ${field}`);
  }
  return prices;
}

function tiersOf(model: string, prices: Prices, changes: ReadonlyMap<number, Fields>, kinds: KindOfField): PriceTier[] {
  return [...changes]
    .sort(([a], [b]) => a - b)
    .map(([above, fields]) => {
      if (!Number.isSafeInteger(above) || above <= 0)
        throw new PriceFileError(`${model}: a tier does not begin at a positive number of tokens.`);
      return { above, prices: { ...prices, ...pricesIn(model, fields, kinds) } };
    });
}

const NANOS = 1e9;

/** 12 digits remove the error of binary fractions. The rest is rounded up, so that a price is never too low. */
function nanosOf(price: unknown, factor: number, name: string): number {
  const nanos = typeof price === 'number' ? Math.ceil(Number((price * factor * NANOS).toPrecision(12))) : NaN;
  if (Number.isSafeInteger(nanos) && nanos >= 0) return nanos;
  throw new PriceFileError(`${name} is not a price from $0 to $9007199 per million units.`);
}
