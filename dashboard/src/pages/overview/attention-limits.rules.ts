import { counted } from '../../parts/numbers';
import { stateOf, titleOf } from '../budgets/limit-words.rules';
import type { Limit, LimitPeriod } from '../budgets/limit-types';
import type { Concern } from './attention.rules';

const SOON_MS = 7 * 86_400_000;
/** These periods end within an hour, so a reached limit is ordinary rate limiting. */
const SHORT_PERIODS: ReadonlySet<LimitPeriod | null> = new Set([null, 'minute', 'hour']);

/** Covers only enforced limits, because others reject nothing. */
export function limitConcerns(limits: readonly Limit[], nowMs: number): Concern[] {
  const watched = limits.filter(({ mode, period }) => mode === 'enforce' && !SHORT_PERIODS.has(period));
  const reached = watched.filter((limit) => stateOf(limit, nowMs) === 'reached');
  const soon = watched.filter((limit) => stateOf(limit, nowMs) === 'active' && isReachedSoon(limit, nowMs));
  return [
    ...concern(reached, {
      id: 'limits-reached',
      urgent: true,
      title: 'reached',
      detail: 'Requests are rejected until the limit resets. You can add a top-up or raise the amount.',
    }),
    ...concern(soon, {
      id: 'limits-soon',
      urgent: false,
      title: 'about to be reached',
      detail: 'At the current rate, this happens within 7 days. Requests are rejected from then on.',
    }),
  ];
}

function isReachedSoon({ forecast }: Limit, nowMs: number): boolean {
  const reachedAt = forecast?.reached_at ?? null;
  return reachedAt !== null && Date.parse(reachedAt) <= nowMs + SOON_MS;
}

function concern(limits: readonly Limit[], words: Pick<Concern, 'id' | 'urgent' | 'title' | 'detail'>): Concern[] {
  if (limits.length === 0) return [];
  const title = `${counted(limits.length, 'limit')} ${words.title}`;
  const things = limits.map((limit) => ({ label: titleOf(limit), to: `/budgets/${limit.id}` }));
  return [{ ...words, title, to: '/budgets', things }];
}
