import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import { limitExceeded, type RefusingLimit } from '../../platform/errors/error-factories.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import type { OverLimit } from '../limit-claims.js';
import type { ActiveLimit } from './limit.js';
import type { LimitMeasure, LimitPeriod, LimitScope } from './limit-terms.data.js';
import { shownAmount, shownPeriod } from './shown-limit.rules.js';

/**
 * The wait if only the reservations of other requests cause the rejection, or if the end of the period is unknown. It is random, so that
 * retries do not arrive together.
 */
const SHORT_SECONDS_MAX = 5;
/** From this wait on, SDKs must not retry. */
const LONG_WAIT_SECONDS = 3600;

/**
 * The 429 of a limit that is not one of the key's own four.
 *
 * - A request that is larger than the limit never fits: no `Retry-After`.
 * - If used and requested amounts exceed the limit, `Retry-After` is the time until the period ends.
 * - If that time is unknown, because the database is unavailable, `Retry-After` is a few seconds. The outage can end at any time.
 * - Otherwise running requests must end first. They hold what is left, or could use more than twice the limit. `Retry-After` is a few
 *   seconds.
 *
 * `x-should-retry: false` means that waiting for less than an hour does not help.
 */
export function limitRejection(limit: ActiveLimit, over: OverLimit, nowMs: number): GatewayError {
  const { measure } = limit;
  const [amount, used, reserved, requested] = [over.amount, over.used, over.held, BigInt(over.asked)].map((figure) =>
    amountInWords(measure, figure),
  );
  const wait = waitFor(limit, over, nowMs);
  const name = limit.name === null ? '' : ` "${limit.name}"`;
  const problem = couldOverdraw(over) ? 'could be exceeded' : 'is exceeded';
  const message =
    `The ${MEASURES[measure].limit} limit${name} ${SCOPES[limit.scope]}${tagOf(limit)} ${problem}: ` +
    `${used} used and ${reserved} reserved of ${amount}${PERIODS[limit.period]}. ` +
    `This request ${measure === 'requests' || measure === 'concurrent_requests' ? 'counts as' : 'reserves'} ${requested}. ` +
    wait.remedy;
  return limitExceeded(message, detailsOf(limit, over), { afterSeconds: wait.afterSeconds, helps: wait.helps });
}

function detailsOf(limit: ActiveLimit, over: OverLimit): RefusingLimit {
  const { id, name, scope, measure } = limit;
  return {
    id,
    name,
    scope,
    measure,
    period: shownPeriod(limit),
    amount: shownAmount(measure, over.amount),
    used: shownAmount(measure, over.used),
    reserved: shownAmount(measure, over.held),
    requested: shownAmount(measure, over.asked),
    resets_at: typeof over.untilMs === 'number' ? new Date(over.untilMs).toISOString() : null,
  };
}

/** The request fits, but with everything that running requests and this one can use, usage could exceed twice the limit. */
const couldOverdraw = ({ amount, used, held, asked }: OverLimit): boolean => used + held + BigInt(asked) <= amount;

interface Wait {
  readonly afterSeconds: number | null;
  readonly helps: boolean;
  readonly remedy: string;
}

const shortSeconds = (): number => 1 + Math.floor(Math.random() * SHORT_SECONDS_MAX);

const OUTAGE = 'This gateway cannot read the current usage, because its database is unavailable. Try again later.';
const RAISE = 'Ask an operator of this gateway to raise the limit.';

function waitFor(limit: ActiveLimit, over: OverLimit, nowMs: number): Wait {
  const { measure, period } = limit;
  const { amount, used, held, asked, untilMs } = over;
  const smaller = SMALLER[measure] === undefined ? '' : `${SMALLER[measure]} `;
  if (BigInt(asked) > amount)
    return { afterSeconds: null, helps: false, remedy: `Waiting does not help. ${smaller}${RAISE}` };
  if (used + BigInt(asked) <= amount) {
    const ended = `Try again when ${measure === 'concurrent_requests' ? 'another request has' : 'running requests have'} ended.`;
    const remedy = couldOverdraw(over) ? `${overdraftOf(over, measure)} ${smaller}${ended}` : ended;
    return { afterSeconds: shortSeconds(), helps: true, remedy };
  }
  const now = used + held < amount ? smaller : '';
  if (period === 'total' && typeof untilMs !== 'number')
    return { afterSeconds: null, helps: false, remedy: `The limit does not reset. ${now}${RAISE}` };
  if (untilMs === 'unknown') return { afterSeconds: shortSeconds(), helps: true, remedy: OUTAGE };
  // The request fits only while a top-up is active that ends before enough usage has expired.
  if (untilMs === null) return { afterSeconds: null, helps: false, remedy: `Waiting does not help. ${now}${RAISE}` };
  const afterSeconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
  const remedy = `${now}${endOf(limit, untilMs)} at ${new Date(untilMs).toISOString()}.`;
  return { afterSeconds, helps: afterSeconds < LONG_WAIT_SECONDS, remedy };
}

const overdraftOf = ({ possible }: OverLimit, measure: LimitMeasure): string =>
  `With its maximum and those of running requests, usage could reach ${amountInWords(measure, possible)}, more than twice the limit.`;

function endOf({ period, endsAtMs }: ActiveLimit, untilMs: number): string {
  if (untilMs === endsAtMs) return 'The limit ends';
  return period.startsWith('rolling') ? 'Enough usage expires' : 'The limit resets';
}

/** Providers name the maximum output differently, for example `max_tokens` or `max_output_tokens`. */
const SMALLER: Readonly<Partial<Record<LimitMeasure, string>>> = {
  tokens: 'Lower the maximum output or shorten the input.',
  input_tokens: 'Shorten the input.',
  output_tokens: 'Lower the maximum output.',
  cost: 'Lower the maximum output, shorten the input or use a cheaper model.',
};

const SCOPES: Readonly<Record<LimitScope, string>> = {
  account: 'of the account',
  team: 'of your team',
  key: 'of this API key',
  tag: 'of the tag',
};

const tagOf = ({ scopeTag }: ActiveLimit): string => (scopeTag === null ? '' : ` "${scopeTag}"`);

const PERIODS: Readonly<Record<LimitPeriod, string>> = {
  minute: ' per minute',
  hour: ' per hour',
  rolling_5h: ' within 5 hours',
  day: ' per day',
  rolling_7d: ' within 7 days',
  week: ' per week',
  month: ' per month',
  total: '',
};

const MEASURES: Readonly<Record<LimitMeasure, { readonly limit: string; readonly unit: string }>> = {
  requests: { limit: 'request', unit: 'request' },
  tokens: { limit: 'token', unit: 'token' },
  input_tokens: { limit: 'input token', unit: 'input token' },
  output_tokens: { limit: 'output token', unit: 'output token' },
  cost: { limit: 'cost', unit: '' },
  concurrent_requests: { limit: 'concurrent request', unit: 'request' },
};

function amountInWords(measure: LimitMeasure, figure: bigint): string {
  if (measure === 'cost') return shownDollars(figure);
  const { unit } = MEASURES[measure];
  return `${grouped(String(figure))} ${unit}${figure === 1n ? '' : 's'}`;
}

const NANOS_PER_CENT = 10_000_000n;
/** Amounts of at least a cent are rounded to a hundredth of a cent. Smaller amounts are exact. */
const ROUNDED_TO = 100_000n;

/** `$12.50`, `$1,250.00`, `$0.0125`, `$0.00000125`. */
function shownDollars(nanos: bigint): string {
  const rounded = nanos < NANOS_PER_CENT ? nanos : ((nanos + ROUNDED_TO / 2n) / ROUNDED_TO) * ROUNDED_TO;
  const [whole = '0', fraction = ''] = formatNanos(rounded).split('.');
  return `$${grouped(whole)}.${fraction.padEnd(2, '0')}`;
}

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');
