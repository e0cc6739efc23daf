import type {
  ApiKeyListResponse,
  ApiKeyResponse,
  CreatedApiKeyResponse,
  RotatedApiKeyResponse,
} from '../../admin/api-keys/api-key.response.dto.js';
import type { ApiKey } from '../../keys/keys.service.js';
import { pageText, printable, textList, timeText } from '../text-table.js';

const NAME_LENGTH_MAX = 40;
const ONCE = 'This is the only time that the key is shown: store it now.\n';
const HEAD = ['ID', 'NAME', 'STATUS', 'KEY', 'RPM', 'RPD', 'MONTH', 'TOKENS', 'EXPIRES', 'LAST USED'];

export function createdText(key: CreatedApiKeyResponse): string {
  const lines = textList([['key', key.key], ...factsOf(key)]);
  return `Created the API key "${printable(key.name)}".\n${lines}${ONCE}`;
}

export const updatedText = (key: ApiKeyResponse): string =>
  `The API key "${printable(key.name)}" is now:\n${textList(factsOf(key))}`;

export function rotatedText({ id, key, status }: RotatedApiKeyResponse): string {
  const lines = textList([
    ['key', key],
    ['id', id],
    ['status', status],
  ]);
  return `Rotated the API key. The old secret is worth nothing from now on.\n${lines}${ONCE}`;
}

export const changedText = ({ id, name, status }: ApiKey): string =>
  `The API key "${printable(name)}" (${id}) is ${status}.\n`;

export const listText = ({ total, keys }: ApiKeyListResponse, offset: number): string =>
  pageText(HEAD, keys.map(row), { offset, total, none: 'No API key.' });

const factsOf = (key: ApiKeyResponse): [string, string][] => [
  ['id', key.id],
  ['requests', `${key.rpm_limit} a minute, ${key.rpd_limit} a day, ${limit(key.monthly_limit)} a month`],
  ['tokens', `${limit(key.monthly_token_limit)} a month`],
  ['models', key.allowed_models?.join(', ') ?? 'all'],
  ['expires', key.expires_at === null ? 'never' : timeText(key.expires_at) + (key.is_expired ? ' (has passed)' : '')],
];

const row = (key: ApiKeyResponse): string[] => [
  key.id,
  shortened(key.name),
  key.is_expired ? `${key.status} (expired)` : key.status,
  key.key_hint.replace('…', '...'),
  String(key.rpm_limit),
  String(key.rpd_limit),
  limit(key.monthly_limit, '-'),
  limit(key.monthly_token_limit, '-'),
  timeText(key.expires_at),
  timeText(key.last_used_at),
];

export const limit = (value: number | null, none = 'unlimited'): string => (value === null ? none : String(value));

function shortened(name: string): string {
  const characters = [...name];
  return characters.length > NAME_LENGTH_MAX ? `${characters.slice(0, NAME_LENGTH_MAX - 3).join('')}...` : name;
}
