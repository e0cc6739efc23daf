import type { UsageKind, Units } from '../usage-kinds.data.js';
import { USAGE_KINDS } from '../usage-kinds.data.js';
import type { RequestCost } from './request-cost.rules.js';

/** The kinds that a provider read from its prompt cache, with the kinds that they would be without one. */
const CACHED: readonly (readonly [UsageKind, UsageKind])[] = [
  ['cached_input', 'input'],
  ['cached_audio_input', 'audio_input'],
  ['cached_image_input', 'image_input'],
];

const CACHED_KINDS = CACHED.map(([cached]) => cached);
const INPUT_KINDS: readonly UsageKind[] = [...CACHED.flat(), 'cache_write_5m', 'cache_write_1h', 'video_input'];

/** Input tokens that the provider read from its prompt cache. */
export const cachedTokensIn = (units: Units): number => sumOf(CACHED_KINDS, units);

/** All input tokens, including cached ones. */
export const inputTokensIn = (units: Units): number => sumOf(INPUT_KINDS, units);

function sumOf(kinds: readonly UsageKind[], units: Units): number {
  let sum = 0;
  for (const kind of kinds) sum += units[kind] ?? 0;
  return sum;
}

/**
 * Returns how much less cached tokens cost than the request's other input tokens, in nano-dollars. It is 0 if all of the input was cached,
 * because the cost then has no other price. The extra price of cache writes is not subtracted.
 */
export function cacheSavedNanos({ lines }: Pick<RequestCost, 'lines'>): number {
  let nanos = 0;
  for (const [cached, plain] of CACHED) {
    for (const { units, price, factor, other } of lines.filter(({ kind }) => kind === cached)) {
      const uncached = lines.find((line) => line.kind === plain && line.other?.model === other?.model);
      if (uncached === undefined) continue;
      const { per } = USAGE_KINDS[cached];
      nanos += (units * Math.max(0, uncached.price - price) * factor.numerator) / (factor.denominator * per);
    }
  }
  return nanos;
}
