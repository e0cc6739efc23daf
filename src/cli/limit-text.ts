import type { LimitResponse } from '../admin/limits/limit.response.dto.js';
import { ZONED_PERIODS } from '../quota/limits/limit-terms.data.js';
import { textList, timeText } from './text-table.js';

export const LIST_HEAD = [
  'ID',
  'NAME',
  'FOR',
  'MEASURE',
  'PERIOD',
  'AMOUNT',
  'USED',
  'RESERVED',
  'LEFT',
  'RESETS',
  'RUNS OUT',
  'STATE',
  'MODE',
];

export const cellsOf = (limit: LimitResponse, nowMs: number): string[] => [
  String(limit.id),
  limit.name ?? '-',
  targetText(limit),
  limit.measure,
  limit.period ?? '-',
  ...[limit.effective_amount, limit.used, limit.reserved, limit.remaining].map(String),
  timeText(limit.resets_at),
  timeText(limit.forecast?.reached_at ?? null),
  stateOf(limit, nowMs),
  limit.mode,
];

export function factsText(limit: LimitResponse, nowMs: number): string {
  const { amount, carried_over: carried, top_ups: topUps, effective_amount: effective, forecast } = limit;
  const extra = effective === amount ? '' : ` (${amount}, carried over ${carried}, top-ups ${topUps})`;
  return textList([
    ...given('name', limit.name),
    ['state', stateOf(limit, nowMs)],
    ['for', targetText(limit)],
    ['measure', limit.measure],
    ['period', limit.period ?? '-'],
    ...given('zone', isZoned(limit) ? limit.time_zone : null),
    ...given('start', limit.starts_at && timeText(limit.starts_at)),
    ...given('end', limit.ends_at && timeText(limit.ends_at)),
    ['models', limit.models?.join(', ') ?? 'all'],
    ...given('weights', weightsText(limit)),
    ['amount', `${effective}${extra}`],
    ...given('carry-over', limit.carry_over === null ? null : `at most ${limit.carry_over}`),
    ['used', String(limit.used)],
    ['reserved', String(limit.reserved)],
    ['left', String(limit.remaining)],
    ['resets', timeText(limit.resets_at)],
    ['runs out', timeText(forecast?.reached_at ?? null)],
    ['mode', limit.mode],
    ['reserve', limit.reserve],
    ['alerts', limit.alert_thresholds.map((each) => `${each} %`).join(', ') || 'none'],
  ]);
}

/** Only an active limit counts usage and can reject requests. */
function stateOf({ enabled, starts_at: start, ends_at: end }: LimitResponse, nowMs: number): string {
  if (!enabled) return 'paused';
  if (end !== null && end.getTime() <= nowMs) return 'ended';
  return start !== null && start.getTime() > nowMs ? 'scheduled' : 'active';
}

const given = (name: string, value: string | null): (readonly [string, string])[] =>
  value === null ? [] : [[name, value]];

const isZoned = ({ period }: LimitResponse): boolean => period !== null && ZONED_PERIODS.includes(period);

const weightsText = ({ weights }: LimitResponse): string | null =>
  weights && `cached input ${weights.cached_input}, cache write ${weights.cache_write}`;

const targetText = ({ scope, team_id, key_id, tag }: LimitResponse): string =>
  scope === 'account' ? scope : `${scope} ${team_id ?? key_id ?? tag}`;
