import { listedProviders, type GivenPrice, type PriceTerms } from '../../costs/price-terms.js';
import { parseHours } from '../../costs/pricing/price-period.rules.js';
import type { ImagePrice, PriceFactor, Prices, PriceTier } from '../../costs/pricing/price-row.js';
import { listNames } from '../../platform/validation/scalar-kinds.js';
import { parseTimestamp, TIMESTAMP_EXPECTED } from '../../platform/validation/timestamp.js';
import { invalidInput } from '../../platform/errors/error-factories.js';
import { readAmount, readArray, readObject, readText, wrongType } from '../nested-input.rules.js';
import { USAGE_KIND_NAMES, type UsageKind } from '../../costs/usage-kinds.data.js';
import { isObject } from '../../platform/validation/check.js';

export const TIERS_MAX = 10;
export const IMAGES_MAX = 100;
export const FACTORS_MAX = 50;
export const IMPORTED_MAX = 1000;
export const NOTE_CHARACTERS_MAX = 500;
export const MODEL_CHARACTERS_MAX = 200;
export const WORD_CHARACTERS_MAX = 64;

const FIELDS = [
  'provider',
  'model',
  'valid_from',
  'valid_to',
  'currency',
  'prices',
  'list',
  'tiers',
  'images',
  'factors',
  'hours',
  'note',
];

export interface InputContext {
  /** The names of all upstreams. */
  readonly upstreams: readonly string[];
  readonly nowMs: number;
}

/** Reads a price of an operator. @param path of the price, with a dot at its end; empty for the body */
export function readPrice(value: unknown, path: string, { upstreams, nowMs }: InputContext): GivenPrice {
  const given = readObject(value, path, FIELDS);
  const optional = (name: string) => given[name] ?? null;
  const { provider = '*', currency = 'USD', model } = given;
  if (provider !== '*' && !upstreams.includes(provider as string))
    throw invalidInput(`${path}provider`, `'*' for all upstreams, or ${listNames(upstreams)}`);
  if (currency !== 'USD')
    throw invalidInput(`${path}currency`, `'USD', because the gateway does not convert currencies`);
  const validFrom = readTime(optional('valid_from'), `${path}valid_from`) ?? new Date(nowMs);
  const validTo = readTime(optional('valid_to'), `${path}valid_to`);
  if (validTo !== null && validTo <= validFrom) throw invalidInput(`${path}valid_to`, `a time after 'valid_from'`);
  const note = optional('note') === null ? null : readText(given['note'], `${path}note`, NOTE_CHARACTERS_MAX);
  return {
    provider: provider as string,
    model: readText(model, `${path}model`, MODEL_CHARACTERS_MAX),
    validFrom,
    validTo,
    terms: readTerms(given, path),
    note,
  };
}

/** Reads the body `{prices: […]}`. */
export function readImport(value: unknown, context: InputContext): GivenPrice[] {
  const { prices } = readObject(value, '', ['prices']);
  return readArray(prices, 'prices', 1, IMPORTED_MAX).map((price, at) => readPrice(price, pathOfImported(at), context));
}

export const pathOfImported = (at: number): string => `prices[${at}].`;

function readTime(value: unknown, param: string): Date | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw wrongType(param, 'a string');
  const ms = parseTimestamp(value);
  if (ms === null) throw invalidInput(param, TIMESTAMP_EXPECTED);
  return new Date(ms);
}

function readTerms(given: Readonly<Record<string, unknown>>, path: string): PriceTerms {
  const { list = null, prices: givenPrices = {}, tiers = null, images = null, factors = null } = given;
  const prices = readPrices(givenPrices, `${path}prices`);
  const hours = readHours(given['hours'] ?? null, `${path}hours`);
  if (list !== null) return { prices, list: readList(given, path), ...hours };
  const imagePrices = images === null ? [] : readImages(images, `${path}images`);
  if (Object.keys(prices).length === 0 && imagePrices.length === 0)
    throw invalidInput(
      `${path}prices`,
      `an object with at least one kind, unless 'images' or 'list' states the prices`,
    );
  return {
    prices,
    ...(tiers !== null && { tiers: readTiers(tiers, `${path}tiers`, prices) }),
    ...(imagePrices.length > 0 && { images: imagePrices }),
    ...(factors !== null && { factors: readFactors(factors, `${path}factors`) }),
    ...hours,
  };
}

function readHours(value: unknown, param: string): Pick<PriceTerms, 'hours'> {
  if (value === null) return {};
  if (typeof value !== 'string') throw wrongType(param, 'a string');
  const hours = parseHours(value);
  if (hours === null) throw invalidInput(param, `two different times of the day in UTC, such as "16:30-00:30"`);
  return { hours };
}

function readList({ list, ...given }: Readonly<Record<string, unknown>>, path: string): string {
  for (const name of ['prices', 'tiers', 'images', 'factors'])
    if ((given[name] ?? null) !== null)
      throw invalidInput(`${path}${name}`, `absent, because 'list' states the prices`);
  const names = listedProviders();
  if (!names.includes(list as string)) throw invalidInput(`${path}list`, listNames(names));
  return list as string;
}

/** A tier has the prices of the first tier for kinds that it does not state. */
function readTiers(value: unknown, param: string, base: Prices): PriceTier[] {
  let last = 0;
  return readArray(value, param, 0, TIERS_MAX).map((item, at) => {
    const path = `${param}[${at}].`;
    const { above, prices } = readObject(item, path, ['above', 'prices']);
    if (typeof above !== 'number' || !Number.isSafeInteger(above) || above <= last)
      throw invalidInput(`${path}above`, `an integer above ${last}: tiers are in ascending order of input tokens`);
    last = above;
    const changed = readPrices(prices, `${path}prices`);
    if (Object.keys(changed).length === 0) throw invalidInput(`${path}prices`, 'an object with at least one kind');
    return { above, prices: { ...base, ...changed } };
  });
}

function readImages(value: unknown, param: string): ImagePrice[] {
  return readArray(value, param, 0, IMAGES_MAX).map((item, at) => {
    const path = `${param}[${at}].`;
    const { size, quality, price } = readObject(item, path, ['size', 'quality', 'price']);
    return {
      size: readWord(size, `${path}size`),
      quality: readWord(quality, `${path}quality`),
      price: readAmount(price, `${path}price`),
    };
  });
}

function readFactors(value: unknown, param: string): PriceFactor[] {
  return readArray(value, param, 0, FACTORS_MAX).map((item, at) => {
    const path = `${param}[${at}].`;
    const { service_tier, region, multiplier } = readObject(item, path, ['service_tier', 'region', 'multiplier']);
    const names = {
      serviceTier: readWord(service_tier, `${path}service_tier`),
      region: readWord(region, `${path}region`),
    };
    if ((names.serviceTier === null) === (names.region === null))
      throw invalidInput(param, `a list of objects with either 'service_tier' or 'region'`);
    const lower = names.serviceTier === null ? { region: names.region! } : { serviceTier: names.serviceTier };
    return { ...lower, ...fractionOf(readAmount(multiplier, `${path}multiplier`)) };
  });
}

/** Service tiers and regions are compared in lower case. */
function readWord(value: unknown, param: string): string | null {
  return (value ?? null) === null ? null : readText(value, param, WORD_CHARACTERS_MAX).toLowerCase();
}

/** A multiplier has at most six decimals. Without common divisors, the amounts stay small. */
function fractionOf(billionths: number): Pick<PriceFactor, 'numerator' | 'denominator'> {
  const [numerator, denominator] = [billionths / 1000, 1_000_000];
  const divisor = greatestDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** Names of other tools and of the vendors, which people try first. */
const OTHER_NAMES: Readonly<Record<string, UsageKind>> = {
  prompt: 'input',
  input_tokens: 'input',
  prompt_tokens: 'input',
  completion: 'output',
  output_tokens: 'output',
  completion_tokens: 'output',
  cache_read: 'cached_input',
  cache_read_input: 'cached_input',
  cached_tokens: 'cached_input',
  cache_write: 'cache_write_5m',
  cache_creation_input: 'cache_write_5m',
};

/** Reads prices by kind. @throws GatewayError that names the kind, with the nearest known kind for an unknown one */
function readPrices(value: unknown, param: string): Prices {
  if (!isObject(value)) throw wrongType(param, 'an object');
  const prices: Partial<Record<UsageKind, number>> = {};
  for (const [name, text] of Object.entries(value)) {
    const kind = USAGE_KIND_NAMES.find((known) => known === name);
    if (kind === undefined)
      throw invalidInput(param, `an object of known kinds. '${name}' is unknown: ${suggestionFor(name)}`);
    prices[kind] = readAmount(text, `${param}.${name}`);
  }
  return prices;
}

function suggestionFor(name: string): string {
  const lower = name.toLowerCase();
  const byDistance = USAGE_KIND_NAMES.map((kind) => ({ kind, distance: distanceOf(lower, kind) }));
  const [nearest] = byDistance.sort((a, b) => a.distance - b.distance);
  const kind = OTHER_NAMES[lower] ?? (nearest!.distance <= 1 + name.length / 3 ? nearest!.kind : undefined);
  return kind === undefined ? `the kinds are ${USAGE_KIND_NAMES.join(', ')}` : `did you mean '${kind}'`;
}

/** Levenshtein distance. Names are bounded, because longer ones have no near kind. */
function distanceOf(a: string, b: string): number {
  if (a.length > 2 * b.length) return a.length;
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row[j] = Math.min(row[j - 1]! + 1, before[j]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    before = row;
  }
  return before[b.length]!;
}
