import { count } from '../../parts/numbers';

/** Fields of a key as people read them, by the names that the API and the audit log have for them. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  status: 'Status',
  key_hint: 'Key',
  rpm_limit: 'Requests a minute',
  rpd_limit: 'Requests a day',
  monthly_limit: 'Requests a month',
  monthly_token_limit: 'Tokens a month',
  allowed_models: 'Models',
  expires_at: 'Expires',
  minute: 'Requests of the minute',
  day: 'Requests of the day',
  month: 'Requests of the month',
};

const EMPTY: Readonly<Record<string, string>> = {
  monthly_limit: 'unlimited',
  monthly_token_limit: 'unlimited',
  allowed_models: 'all',
  expires_at: 'never',
};
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A value of a field in words. */
export function fieldText(field: string, value: unknown): string {
  if (value === null || value === undefined) return EMPTY[field] ?? 'none';
  if (Array.isArray(value)) return value.length === 0 ? (EMPTY[field] ?? 'none') : value.join(', ');
  if (typeof value === 'number') return count(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  const at = field === 'expires_at' ? new Date(value) : null;
  return at === null || Number.isNaN(at.getTime()) ? value : local.format(at);
}
