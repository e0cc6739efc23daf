import { MEASURES, PERIODS, SCOPES } from '../budgets/limit-words.data';
import { amountText, amountWithUnit, dateInWords } from '../budgets/limit-words.rules';
import type { LimitMeasure, LimitPeriod } from '../budgets/limit-types';
import type { NotificationData, NotificationWords } from './notification-words';

const FULL = 100;
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns the display text of a notification about a limit. Missing `data` is left out. */
export function limitWordsOf(
  type: 'limit_threshold_reached' | 'limit_forecast',
  data: NotificationData,
): NotificationWords {
  const to = `/budgets/${Number(data['limit_id'])}`;
  const threshold = Number(data['threshold']);
  const limit = `Limit “${nameOf(data)}”`;
  if (type === 'limit_forecast') {
    const when = textOf(data, 'reached_at');
    const title = `${limit} will be reached${when === null ? '' : ` ${dateInWords(when, Date.now())}`}`;
    return { title, detail: `${usageOf(data)} This assumes that usage continues at the same rate.`, to, urgent: false };
  }
  const reached = threshold >= FULL;
  const rejects = reached && data['mode'] !== 'observe';
  return {
    title: reached ? `${limit} is reached` : `${limit} has reached ${threshold}%`,
    detail: [usageOf(data), ...(rejects ? [rejectionOf(data)] : [])].join(' '),
    to,
    urgent: rejects,
  };
}

/** A limit without a name is named by its scope and kind: `Team: cost per month`. */
function nameOf(data: NotificationData): string {
  const name = textOf(data, 'limit_name');
  if (name !== null) return name;
  const words: Readonly<Record<string, string>> = { ...SCOPES, ...MEASURES, ...PERIODS };
  const [scope, measure, period] = ['scope', 'measure', 'period'].map(
    (field) => words[textOf(data, field) ?? ''] ?? '',
  );
  const tag = textOf(data, 'tag');
  const kind = data['measure'] === 'concurrent_requests' ? measure : `${measure} ${period}`;
  return `${scope}${tag === null ? '' : ` ${tag}`}: ${kind?.toLowerCase()}`;
}

function usageOf(data: NotificationData): string {
  const [used, amount, measure] = ['used', 'amount', 'measure'].map((field) => textOf(data, field));
  if (!used || !amount || !measure || !Object.hasOwn(MEASURES, measure)) return '';
  const kind = measure as LimitMeasure;
  const period = textOf(data, 'period') as LimitPeriod | null;
  const when = period === null || kind === 'concurrent_requests' ? '' : ` ${PERIODS[period] ?? ''}`;
  return `${amountText(kind, used)} of ${amountWithUnit(kind, amount)}${when}.`;
}

function rejectionOf(data: NotificationData): string {
  const resets = textOf(data, 'resets_at');
  const until = resets === null ? '' : ` until ${MOMENT.format(new Date(resets))}`;
  return `Requests beyond it are rejected${until}, unless you raise the limit or top it up.`;
}

function textOf(data: NotificationData, name: string): string | null {
  const value = data[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
