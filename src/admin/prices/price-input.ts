import { setImmediate } from 'node:timers/promises';
import type { GivenPrice, PriceTerms } from '../../costs/price-terms.js';
import { parseHours, type ImagePrice, type PriceFactor, type Prices } from '../../costs/pricing/price-row.js';
import { parsePrice } from '../../costs/pricing/price-text.rules.js';
import { acceptInput } from '../../platform/validation/nested-input.js';
import { parseTimestamp } from '../../platform/validation/timestamp.js';
import { CreatePriceRequest, ImportPricesRequest } from './price.request.dto.js';
import { type PriceContext } from './price-checks.rules.js';

/** @param path of the price, with a dot at its end; empty for the body. @throws GatewayError `validation_error` */
export function readPrice(value: unknown, path: string, context: PriceContext): GivenPrice {
  const body = acceptInput(CreatePriceRequest, value, path)(context);
  const { provider = '*', model, note = null } = body;
  return {
    provider,
    model,
    validFrom: timeOf(body.valid_from) ?? new Date(context.nowMs),
    validTo: timeOf(body.valid_to),
    terms: termsOf(body),
    note,
  };
}

/** Each price blocks the event loop for about 50 µs. */
const PRICES_OF_TURN = 50;

/** Reads the body `{prices: […]}`, in several turns of the event loop. @throws GatewayError `validation_error` */
export async function readImport(value: unknown, context: PriceContext): Promise<GivenPrice[]> {
  const { prices } = acceptInput(ImportPricesRequest, value)();
  const given: GivenPrice[] = [];
  for (const [at, price] of prices.entries()) {
    if (at > 0 && at % PRICES_OF_TURN === 0) await setImmediate();
    given.push(readPrice(price, pathOfImported(at), context));
  }
  return given;
}

export const pathOfImported = (at: number): string => `prices[${at}].`;

function termsOf({ list, prices: texts = {}, tiers, images, factors, hours }: CreatePriceRequest): PriceTerms {
  const prices = pricesOf(texts);
  const daily = hours ? { hours: parseHours(hours)! } : {};
  if (list) return { prices, list, ...daily };
  return {
    prices,
    // A tier has the prices of the first tier for kinds that it does not state.
    ...(tiers && {
      tiers: tiers.map((tier) => ({ above: tier.above, prices: { ...prices, ...pricesOf(tier.prices) } })),
    }),
    ...(images && images.length > 0 && { images: images.map(imagePriceOf) }),
    ...(factors && { factors: factors.map(factorOf) }),
    ...daily,
  };
}

const pricesOf = (texts: Readonly<Record<string, string>>): Prices =>
  Object.fromEntries(Object.entries(texts).map(([kind, text]) => [kind, parsePrice(text)!]));

const imagePriceOf = (image: NonNullable<CreatePriceRequest['images']>[number]): ImagePrice => ({
  size: image.size?.toLowerCase() ?? null,
  quality: image.quality?.toLowerCase() ?? null,
  price: parsePrice(image.price)!,
});

/** Service tiers and regions are compared in lower case. */
const factorOf = (factor: NonNullable<CreatePriceRequest['factors']>[number]): PriceFactor => ({
  ...(factor.service_tier
    ? { serviceTier: factor.service_tier.toLowerCase() }
    : { region: factor.region!.toLowerCase() }),
  ...fractionOf(parsePrice(factor.multiplier)!),
});

/** A multiplier has at most six decimals. Without common divisors, the amounts stay small. */
function fractionOf(billionths: number): Pick<PriceFactor, 'numerator' | 'denominator'> {
  const [numerator, denominator] = [billionths / 1000, 1_000_000];
  const divisor = greatestDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

const timeOf = (text: string | null | undefined): Date | null =>
  typeof text === 'string' ? new Date(parseTimestamp(text)!) : null;
