import { dayAfter, daysBetween } from '../days.rules.js';
import type { Compared, ComparedDay, ComparedModel, Comparison } from './comparison.rules.js';
import { absolute, mainFigure, percentOf } from './differences.rules.js';
import { shown } from './export-columns.rules.js';
import type { ProviderExport } from './export-reader.js';

export const CAUSE_CODES = [
  'time_zone' as const,
  'several_upstreams' as const,
  'unpriced_models' as const,
  'estimated_usage' as const,
  'backfilled_usage' as const,
  'requests_bypassed' as const,
  'export_incomplete' as const,
  'price_change' as const,
  'rounding' as const,
] as const;

export interface Cause {
  readonly code: (typeof CAUSE_CODES)[number];
  readonly message: string;
}

/** @param upstreams those that the gateway's figures are from */
export function likelyCauses(file: ProviderExport, compared: Comparison, upstreams: readonly string[]): Cause[] {
  if (isExact(compared.totals) && compared.days.every(isExact)) return [];
  const { totals, days, models } = compared;
  if (totals.matches && [...days, ...(models ?? [])].every(({ matches }) => matches)) return [ROUNDING];
  const timeZone = timeZoneOf(file, compared);
  const rest = timeZone === null ? [bypassed(compared), incomplete(compared), ...priceChanges(file, compared)] : [];
  const causes = [
    timeZone,
    severalUpstreams(upstreams),
    unpriced(file, compared),
    estimated(totals),
    backfilled(totals),
  ];
  return [...causes, ...rest].filter((cause) => cause !== null);
}

const isExact = ({ provider, gateway }: Compared): boolean =>
  [...provider.keys(), ...gateway.keys()].every(
    (measure) => (provider.get(measure) ?? 0n) === (gateway.get(measure) ?? 0n),
  );

const ROUNDING: Cause = {
  code: 'rounding',
  message: 'The differences are within rounding error: the export has fewer decimals than the gateway.',
};

/** Up to 0.5 percent. */
const isSmall = (difference: bigint, whole: bigint): boolean => absolute(difference) * 200n <= absolute(whole);

/** Shifts the gateway's days, because the days of an export can begin at another hour or have the date of their end. */
function timeZoneOf({ from, to, sums }: ProviderExport, { totals, gatewayDays }: Comparison): Cause | null {
  const whole = mainFigure(totals.provider);
  const days = Array.from({ length: daysBetween(from, to) }, (_, n) => dayAfter(from, n));
  const providerOn = (day: string) =>
    [...sums.of(day).values()].reduce((sum, { figures }) => sum + mainFigure(figures), 0n);
  const gatewayOn = (day: string) => mainFigure(gatewayDays.get(day) ?? new Map());
  const mismatch = (shift: number) =>
    days.reduce((sum, day) => sum + absolute(providerOn(day) - gatewayOn(dayAfter(day, shift))), 0n);
  const unshifted = mismatch(0);
  if (whole === 0n || isSmall(unshifted, whole)) return null;
  const shift = [1, -1].find((by) => isSmall(mismatch(by), whole));
  const code = 'time_zone';
  if (shift !== undefined) {
    const other = shift === 1 ? 'next' : 'previous';
    return { code, message: `Each day of the export matches the gateway's ${other} day. Export the days in UTC.` };
  }
  if (days.length === 1 || !isSmall(mainFigure(totals.gateway) - whole, whole)) return null;
  return {
    code,
    message: 'The totals match, but single days differ. The days of the export probably do not begin at midnight UTC.',
  };
}

function severalUpstreams(upstreams: readonly string[]): Cause | null {
  if (upstreams.length < 2) return null;
  const names = namesText(upstreams);
  return {
    code: 'several_upstreams',
    message: `The gateway's figures are from several upstreams: ${names}. Set 'provider' to the upstream of the export.`,
  };
}

function unpriced(file: ProviderExport, { totals, models }: Comparison): Cause | null {
  if (!file.measures.has('cost') || totals.unpricedRequests === 0) return null;
  const names = namesOf((models ?? []).filter(({ unpricedRequests }) => unpricedRequests > 0));
  return {
    code: 'unpriced_models',
    message: `The gateway has no complete price for ${counted(totals.unpricedRequests, 'request')}, so its costs are lower bounds.${names === '' ? '' : ` Models: ${names}.`}`,
  };
}

const estimated = ({ estimatedRequests }: Compared): Cause | null =>
  estimatedRequests === 0
    ? null
    : {
        code: 'estimated_usage',
        message: `The usage of ${counted(estimatedRequests, 'request')} is estimated, for example after a client disconnected.`,
      };

const backfilled = ({ backfilledRequests }: Compared): Cause | null =>
  backfilledRequests === 0
    ? null
    : {
        code: 'backfilled_usage',
        message: `The costs of ${counted(backfilledRequests, 'request')} are computed from daily totals of an older release, which lack cached tokens.`,
      };

function bypassed(compared: Comparison): Cause | null {
  const { totals } = compared;
  const only = usedOnlyIn('provider', compared);
  const [mine, theirs] = [mainFigure(totals.gateway), mainFigure(totals.provider)];
  const more = theirs > mine && !isSmall(theirs - mine, theirs) && totals.unpricedRequests === 0;
  const requests = (totals.provider.get('requests') ?? 0n) > (totals.gateway.get('requests') ?? 0n);
  if (only.length === 0 && !more && !requests) return null;
  const names = namesOf(only);
  return {
    code: 'requests_bypassed',
    message: `The provider reports usage that the gateway did not record. Other programs probably use the account without the gateway.${names === '' ? '' : ` Only in the export: ${names}.`}`,
  };
}

function incomplete(compared: Comparison): Cause | null {
  const only = usedOnlyIn('gateway', compared);
  if (only.length === 0) return null;
  return {
    code: 'export_incomplete',
    message: `The gateway recorded usage that the export lacks: ${namesOf(only)}. The export is probably limited to a project, a workspace or one kind of endpoint, or the provider has not completed the last days.`,
  };
}

/** Models, or days if the export has no models. */
const usedOnlyIn = (side: 'provider' | 'gateway', { days, models }: Comparison): readonly ComparedDay[] =>
  (models ?? days).filter((group) => group.foundIn === side && mainFigure(group[side]) !== 0n);

/** A model whose costs differ by the same share on at least two days, up to its last day. */
function priceChanges(file: ProviderExport, { models }: Comparison): Cause[] {
  if (!file.measures.has('cost') || models === null) return [];
  return [...Map.groupBy(models, ({ model }) => model)].flatMap(([model, all]) => {
    const usable = all.filter(({ foundIn, unpricedRequests }) => foundIn === 'both' && unpricedRequests === 0);
    const last = usable.at(-1);
    if (last === undefined || last.matches) return [];
    const share = shareOf(last);
    const first = usable.findLastIndex((one) => one.matches || absolute(shareOf(one) - share) > SAME_SHARE_MAX) + 1;
    if (usable.length - first < 2 || absolute(share) < CHANGED_SHARE_MIN) return [];
    const percent = percentOf(mainFigure(last.gateway) - mainFigure(last.provider), mainFigure(last.provider));
    const name = model === '' ? 'Usage without a model' : shown(model);
    return {
      code: 'price_change' as const,
      message: `${name} differs by about ${percent} % on every day from ${usable[first]!.day}. Compare its price with the provider's price list, and check discounts.`,
    };
  });
}

/** Shares are in hundredths of a percent. */
const SAME_SHARE_MAX = 50n;
const CHANGED_SHARE_MIN = 100n;

function shareOf({ provider, gateway }: Compared): bigint {
  const whole = mainFigure(provider);
  return whole === 0n ? 0n : ((mainFigure(gateway) - whole) * 10_000n) / whole;
}

const NAMES_MAX = 5;

const namesOf = (groups: readonly (ComparedDay | ComparedModel)[]): string =>
  namesText([...new Set(groups.map((group) => ('model' in group ? modelName(group) : group.day)))]);

const modelName = ({ model }: ComparedModel): string => (model === '' ? 'usage without a model' : shown(model));

const namesText = (names: readonly string[]): string =>
  names.slice(0, NAMES_MAX).join(', ') + (names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '');

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
