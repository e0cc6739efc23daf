import { parseDollars } from '../../costs/pricing/price-text.rules.js';
import { validationError } from '../../platform/errors/error-factories.js';
import { type JsonObject } from '../../platform/validation/check.js';
import { acceptInput } from '../../platform/validation/nested-input.js';
import { parseTimestamp } from '../../platform/validation/timestamp.js';
import type { CacheWeights, LimitSettings, LimitTerms } from '../../quota/limits/limit.js';
import type { LimitMeasure } from '../../quota/limits/limit-terms.data.js';
import { shownTerms } from '../../quota/limits/shown-limit.rules.js';
import type { GivenTopUp } from '../../quota/limits/top-ups.service.js';
import { CreateLimitRequest, CreateTopUpRequest, DEFAULT_THRESHOLDS, UpdateLimitRequest } from './limit.request.dto.js';

/** Converts the body of a new limit. Rules over several fields follow in `LimitsService`. */
export function limitTermsOf(body: CreateLimitRequest): LimitTerms {
  const { scope, measure } = body;
  return {
    scope,
    scopeId: (body.team_id ?? body.key_id)?.toLowerCase() ?? null,
    scopeTag: body.tag ?? null,
    measure,
    period: body.period ?? 'total',
    zone: body.time_zone ?? 'UTC',
    name: null,
    models: null,
    mode: 'enforce',
    reserve: 'typical',
    weights: null,
    startsAt: null,
    endsAt: null,
    enabled: true,
    thresholds: measure === 'concurrent_requests' ? [] : DEFAULT_THRESHOLDS,
    carryOver: null,
    ...settingsOf(body, measure),
    amount: amountOf(body.amount, measure),
  };
}

/** These cannot change, because the figures of a limit depend on them. */
const FIXED = ['scope', 'team_id', 'key_id', 'tag', 'measure', 'period', 'time_zone'] as const;

/**
 * Rejects unknown fields, and returns a function that checks the other fields against the stored limit. The body can repeat fixed fields
 * with their current values, because some tools send the whole object.
 */
export function limitChangesReader(body: unknown): (limit: LimitTerms) => Partial<LimitSettings> {
  acceptInput(CreateLimitRequest, body);
  const fields = Object.entries(body as JsonObject);
  const settings = fields.filter(([name]) => !(FIXED as readonly string[]).includes(name));
  const read = acceptInput(UpdateLimitRequest, Object.fromEntries(settings));
  return (limit) => {
    const current: JsonObject = shownTerms(limit);
    const changed = FIXED.find((name) => !isCurrentValue(name, (body as JsonObject)[name], current[name]));
    if (changed !== undefined)
      throw validationError(
        changed,
        `The field '${changed}' of a limit cannot change. Create another limit, and delete this one.`,
      );
    return settingsOf(read(limit), limit.measure);
  };
}

/** Whether a fixed field is absent or equals its current value, in any notation that a new limit accepts. */
function isCurrentValue(name: (typeof FIXED)[number], given: unknown, current: unknown): boolean {
  if (given === undefined || given === current) return true;
  const ignoresCase = name === 'team_id' || name === 'key_id' || name === 'time_zone';
  return ignoresCase && typeof given === 'string' && given.toLowerCase() === String(current).toLowerCase();
}

/** Checks the body of a new top-up, and returns a reader of it, which depends on the measure. @throws GatewayError `validation_error` */
export function topUpReader(body: unknown): (limit: Pick<LimitTerms, 'measure'>) => GivenTopUp {
  const read = acceptInput(CreateTopUpRequest, body);
  return (limit) => {
    const { amount, expires_at: expiresAt, note = null } = read(limit);
    return { amount: amountOf(amount, limit.measure), expiresAt: timeOf(expiresAt), note };
  };
}

function settingsOf(body: UpdateLimitRequest, measure: LimitMeasure): Partial<LimitSettings> {
  const { amount, carry_over: carryOver } = body;
  const settings: { readonly [F in keyof LimitSettings]: LimitSettings[F] | undefined } = {
    name: body.name,
    models: body.models ? [...new Set(body.models)] : body.models,
    amount: amount === undefined ? undefined : amountOf(amount, measure),
    mode: body.mode,
    reserve: body.reserve,
    weights: body.weights ? weightsOf(body.weights) : body.weights,
    startsAt: timeOf(body.starts_at),
    endsAt: timeOf(body.ends_at),
    enabled: body.enabled,
    thresholds: body.alert_thresholds?.toSorted((a, b) => a - b),
    carryOver: carryOver === undefined || carryOver === null ? carryOver : amountOf(carryOver, measure),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

const weightsOf = (weights: NonNullable<UpdateLimitRequest['weights']>): CacheWeights => ({
  cachedInput: weights.cached_input ?? 1,
  cacheWrite: weights.cache_write ?? 1,
});

/** Returns a valid amount in nano-dollars, requests or tokens. */
const amountOf = (amount: string | number, measure: LimitMeasure): bigint =>
  measure === 'cost' ? parseDollars(String(amount))! : BigInt(amount);

const timeOf = (text: string | null | undefined): Date | null | undefined =>
  typeof text === 'string' ? new Date(parseTimestamp(text)!) : text;
