import type { ApiError } from '../../api/api-error';
import { decimalProblem, wholeNumberProblem, type Entered } from '../../parts/entered-number.rules';
import { isoOf, localOf } from '../../parts/local-time';
import type {
  Limit,
  LimitAmount,
  LimitChanges,
  LimitDraft,
  LimitMeasure,
  LimitMode,
  LimitPeriod,
  LimitReserve,
  LimitScope,
} from './limit-types';
import {
  ENDING_PERIODS,
  MEASURES,
  PERIODS,
  RESERVED_MEASURES,
  SCOPES,
  WEIGHTED_MEASURES,
  ZONED_PERIODS,
} from './limit-words.data';

/** With `some`, only the chosen models count. */
export type ModelChoice = 'all' | 'some';

export interface LimitValues {
  readonly name: string;
  readonly scope: LimitScope;
  readonly team_id: string | null;
  readonly key_id: string | null;
  readonly tag: string;
  readonly measure: LimitMeasure;
  readonly period: LimitPeriod;
  readonly time_zone: string;
  readonly model_choice: ModelChoice;
  readonly models: readonly string[];
  readonly amount: Entered;
  readonly mode: LimitMode;
  readonly reserve: LimitReserve;
  readonly cached_input: Entered;
  readonly cache_write: Entered;
  /** The local times of a `datetime-local` input. */
  readonly starts_at: string;
  readonly ends_at: string;
  readonly alert_thresholds: readonly string[];
  readonly carry_over: Entered;
}

const NEW_LIMIT: LimitValues = {
  name: '',
  scope: 'account',
  team_id: null,
  key_id: null,
  tag: '',
  measure: 'cost',
  period: 'month',
  time_zone: 'UTC',
  model_choice: 'all',
  models: [],
  amount: '',
  mode: 'enforce',
  reserve: 'typical',
  cached_input: 1,
  cache_write: 1,
  starts_at: '',
  ends_at: '',
  alert_thresholds: ['50', '80', '100'],
  carry_over: '',
};

/** A link can choose the target, the measure and the period of a new limit. Invalid values are ignored. */
export function newLimitFor(params: URLSearchParams): LimitValues {
  return {
    ...NEW_LIMIT,
    scope: oneOf(SCOPES, params.get('scope')) ?? NEW_LIMIT.scope,
    team_id: params.get('team_id'),
    key_id: params.get('key_id'),
    tag: params.get('tag') ?? '',
    measure: oneOf(MEASURES, params.get('measure')) ?? NEW_LIMIT.measure,
    period: oneOf(PERIODS, params.get('period')) ?? NEW_LIMIT.period,
  };
}

const oneOf = <T extends string>(words: Readonly<Record<T, string>>, value: string | null): T | null =>
  value !== null && Object.hasOwn(words, value) ? (value as T) : null;

export const valuesOf = (limit: Limit): LimitValues => ({
  name: limit.name ?? '',
  scope: limit.scope,
  team_id: limit.team_id,
  key_id: limit.key_id,
  tag: limit.tag ?? '',
  measure: limit.measure,
  period: limit.period ?? 'total',
  time_zone: limit.time_zone,
  model_choice: limit.models === null ? 'all' : 'some',
  models: limit.models ?? [],
  amount: limit.amount,
  mode: limit.mode,
  reserve: limit.reserve,
  cached_input: limit.weights?.cached_input ?? 1,
  cache_write: limit.weights?.cache_write ?? 1,
  starts_at: limit.starts_at === null ? '' : localOf(limit.starts_at),
  ends_at: limit.ends_at === null ? '' : localOf(limit.ends_at),
  alert_thresholds: limit.alert_thresholds.map(String),
  carry_over: limit.carry_over ?? '',
});

export const appliesTo = ({ measure, period }: Pick<LimitValues, 'measure' | 'period'>) => ({
  period: measure !== 'concurrent_requests',
  zone: measure !== 'concurrent_requests' && ZONED_PERIODS.has(period),
  carryOver: measure !== 'concurrent_requests' && ENDING_PERIODS.has(period),
  reserve: RESERVED_MEASURES.has(measure),
  weights: WEIGHTED_MEASURES.has(measure),
  alerts: measure !== 'concurrent_requests',
});

const DOLLARS = /^(0|[1-9]\d*)(\.\d{1,6})?$/;

export function amountProblem(measure: LimitMeasure, amount: Entered): string | null {
  const text = String(amount).trim();
  if (text === '') return 'Enter an amount.';
  if (measure === 'cost' && !DOLLARS.test(text))
    return 'Enter dollars such as 500 or 0.25, with at most six decimal places and no sign.';
  return measure === 'cost' ? null : wholeNumberProblem(amount);
}

/** The gateway checks the rest, and its message appears next to the field. */
export const VALIDATION = {
  team_id: (id: string | null, { scope }: LimitValues) => (scope === 'team' && id === null ? 'Choose the team.' : null),
  key_id: (id: string | null, { scope }: LimitValues) => (scope === 'key' && id === null ? 'Choose the key.' : null),
  tag: (tag: string, { scope }: LimitValues) => (scope === 'tag' && tag.trim() === '' ? 'Enter the tag.' : null),
  models: (models: readonly string[], { model_choice }: LimitValues) =>
    model_choice === 'some' && models.length === 0 ? 'Enter a model or a pattern, or choose all models.' : null,
  amount: (amount: Entered, { measure }: LimitValues) => amountProblem(measure, amount),
  carry_over: (amount: Entered, values: LimitValues) =>
    appliesTo(values).carryOver && amount !== '' ? amountProblem(values.measure, amount) : null,
  cached_input: decimalProblem,
  cache_write: decimalProblem,
  alert_thresholds: (thresholds: readonly string[]) =>
    thresholds.every((text) => /^\d+$/.test(text)) ? null : 'Enter percentages as whole numbers.',
};

export const amountOf = (measure: LimitMeasure, amount: Entered): LimitAmount =>
  measure === 'cost' ? String(amount).trim() : Number(amount);

export function draftOf(values: LimitValues): LimitDraft {
  const { scope, measure, period } = values;
  const applies = appliesTo(values);
  return {
    scope,
    ...(scope === 'team' && { team_id: values.team_id }),
    ...(scope === 'key' && { key_id: values.key_id }),
    ...(scope === 'tag' && { tag: values.tag.trim() }),
    measure,
    ...(applies.period && { period }),
    ...(applies.zone && { time_zone: values.time_zone }),
    ...settingsOf(values),
  };
}

function settingsOf(values: LimitValues) {
  const {
    name,
    model_choice,
    models,
    measure,
    mode,
    reserve,
    cached_input,
    cache_write,
    starts_at,
    ends_at,
    carry_over,
  } = values;
  const applies = appliesTo(values);
  return {
    name: name.trim() === '' ? null : name.trim(),
    models: model_choice === 'all' ? null : [...models],
    amount: amountOf(measure, values.amount),
    mode,
    ...(applies.reserve && { reserve }),
    ...(applies.weights && {
      weights: weightsOf(weightOf(cached_input), weightOf(cache_write)),
    }),
    starts_at: starts_at === '' ? null : isoOf(starts_at),
    ends_at: ends_at === '' ? null : isoOf(ends_at),
    alert_thresholds: applies.alerts ? values.alert_thresholds.map(Number).toSorted((one, other) => one - other) : [],
    ...(applies.carryOver && { carry_over: carry_over === '' ? null : amountOf(measure, carry_over) }),
  };
}

/** null means 1 for each weight. */
const weightsOf = (cached_input: number, cache_write: number) =>
  cached_input === 1 && cache_write === 1 ? null : { cached_input, cache_write };

const weightOf = (entered: Entered): number => (entered === '' ? 1 : Number(entered));

/** Returns only the changed fields, so that the update does not overwrite another operator's changes. */
export function changesOf(values: LimitValues, before: LimitValues): LimitChanges {
  const [after, former] = [settingsOf(values), settingsOf(before)];
  const changed = Object.entries(after).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(former[field as keyof typeof former]),
  );
  return Object.fromEntries(changed);
}

/** Maps `weights.cached_input` to `cached_input`, and `models[0]` to `models`. */
export const fieldOf = ({ param }: Pick<ApiError, 'param'>): string | null =>
  param?.replace(/^weights\./u, '').replace(/[.[].*$/u, '') ?? null;
