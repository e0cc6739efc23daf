import { count } from '../../parts/numbers';

/** The labels of a key's fields, by their names in the API and in audit entries. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  status: 'Status',
  key_hint: 'Key',
  rpm_limit: 'Requests per minute',
  rpd_limit: 'Requests per day',
  monthly_limit: 'Requests per month',
  monthly_token_limit: 'Tokens per month',
  token_counting: 'Counted tokens',
  allowed_models: 'Models',
  expires_at: 'Expires',
  team_id: 'Team',
  tags: 'Tags',
  minute: 'Request count (minute)',
  day: 'Request count (day)',
  month: 'Request count (month)',
};

export const COUNTED_TOKENS: Readonly<Record<string, string>> = {
  specification: 'Input and output',
  all: 'All tokens, with cache reads and writes',
};

const EMPTY: Readonly<Record<string, string>> = {
  monthly_limit: 'unlimited',
  monthly_token_limit: 'unlimited',
  allowed_models: 'all',
  expires_at: 'never',
};
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function fieldText(field: string, value: unknown): string {
  if (value === null || value === undefined) return EMPTY[field] ?? 'none';
  if (Array.isArray(value)) return value.length === 0 ? (EMPTY[field] ?? 'none') : value.join(', ');
  if (typeof value === 'number') return count(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field === 'token_counting') return COUNTED_TOKENS[value] ?? value;
  const at = field === 'expires_at' ? new Date(value) : null;
  return at === null || Number.isNaN(at.getTime()) ? value : local.format(at);
}
