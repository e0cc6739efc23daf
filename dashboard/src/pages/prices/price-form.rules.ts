import type { ApiError } from '../../api/api-error';
import type { components } from '../../api/schema';
import { USAGE_KIND_NAMES, type UsageKind } from '../../parts/usage-kinds.data';
import type { MissingPrice, NewPrice } from './price-types';

export type AppliedPrice = components['schemas']['LookedUpPriceResponse'];
/** Prices are decimal text. A kind with an empty text has no price. */
export type PriceValues = Readonly<Record<'model' | 'provider' | 'note' | UsageKind, string>>;

export const ALL_UPSTREAMS = '*';
const ALWAYS_SHOWN: readonly UsageKind[] = ['input', 'cached_input', 'output'];
const PRICE = /^(0|[1-9]\d{0,8})(\.\d{1,6})?$/;

export function initialValues(missing: MissingPrice | null, applied: AppliedPrice | null): PriceValues {
  const prices = Object.fromEntries(USAGE_KIND_NAMES.map((kind) => [kind, applied?.prices[kind] ?? '']));
  return {
    ...(prices as Record<UsageKind, string>),
    model: missing?.model ?? '',
    provider: missing?.provider ?? ALL_UPSTREAMS,
    note: '',
  };
}

/** The kinds that the form shows first. The operator can add others. */
export const firstKinds = (missing: MissingPrice | null, applied: AppliedPrice | null): readonly UsageKind[] =>
  USAGE_KIND_NAMES.filter(
    (kind) =>
      applied?.prices[kind] !== undefined ||
      missing?.unpriced_kinds.includes(kind) === true ||
      (ALWAYS_SHOWN.includes(kind) && !countsOnlyCalls(missing)),
  );

/** An image or speech model might have no tokens at all. */
const countsOnlyCalls = (missing: MissingPrice | null): boolean =>
  missing !== null && missing.unpriced_kinds.length > 0 && !('input' in missing.units) && !('output' in missing.units);

export function problemsOf(values: PriceValues, shown: readonly UsageKind[]): Record<string, string> {
  const problems: Record<string, string> = {};
  if (values.model.trim() === '') problems.model = 'Enter a model ID, or a pattern with *.';
  for (const kind of shown) {
    const price = values[kind].trim();
    if (price !== '' && !PRICE.test(price))
      problems[kind] = 'Enter dollars such as 2.50, with at most six decimal places and no sign.';
  }
  if (shown.every((kind) => values[kind].trim() === '') && shown[0] !== undefined)
    problems[shown[0]] = 'Enter at least one price. Enter 0 for free usage.';
  return problems;
}

/** @param validFrom null for now */
export function bodyOf(values: PriceValues, validFrom: string | null): NewPrice {
  const given = USAGE_KIND_NAMES.map((kind) => [kind, values[kind].trim()] as const).filter(([, text]) => text !== '');
  return {
    model: values.model.trim(),
    provider: values.provider,
    currency: 'USD',
    prices: Object.fromEntries(given),
    ...(validFrom !== null && { valid_from: validFrom }),
    ...(values.note.trim() !== '' && { note: values.note.trim() }),
  };
}

/** Maps `prices.input` to `input`. */
export const fieldOf = ({ param }: Pick<ApiError, 'param'>): string | null => param?.replace(/^prices\./u, '') ?? null;
