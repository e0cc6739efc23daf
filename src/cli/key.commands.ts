import { Module } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import {
  CreateApiKeyRequest,
  settingsOf,
  UpdateApiKeyRequest,
  ResetQuotaRequest,
  ListApiKeysRequest,
  listQueryOf,
} from '../admin/api-keys/api-key.request.dto.js';
import {
  ApiKeyListResponse,
  ApiKeyResponse,
  ApiKeyStatusResponse,
  CreatedApiKeyResponse,
  RevokedApiKeyResponse,
  RotatedApiKeyResponse,
} from '../admin/api-keys/api-key.response.dto.js';
import type { QuotaResetResponse } from '../admin/api-keys/key-quota.dto.js';
import {
  KeyUsageRequest,
  keyUsageQueryOf,
  KeyUsageResponse,
  type UsageFiguresResponse,
} from '../admin/usage/usage.dto.js';
import { UuidPipe } from '../admin/id.pipes.js';
import { Clock } from '../platform/clock.js';
import { KeyQuotaService } from '../keys/key-quota.service.js';
import { KeysModule } from '../keys/keys.module.js';
import { KeysService, type ApiKey } from '../keys/keys.service.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { UsageReports } from '../stats/reports/usage-reports.read-model.js';
import { StatsReportsModule } from '../stats/stats-reports.module.js';
import { withApplication, type Need } from './application.js';
import { checkBody, readQuery } from './input-options.js';
import type { Invocation, Result } from './command.js';
import {
  KEY_CREATE_OPTIONS,
  KEY_LIST_OPTIONS,
  KEY_UPDATE_OPTIONS,
  type KeyChange,
  KEY_RESET_OPTIONS,
  KEY_USAGE_OPTIONS,
} from './options.data.js';
import { teamInputOf, teamIdOf, teamNameOf, teamsOf } from './team-input.js';
import { printable, textTable, pageText, textList, timeText } from './text-table.js';

@Module({ imports: [KeysModule, StatsReportsModule] })
class KeyUsageModule {}

const READS: Need = { module: KeysModule, writes: false };
const WRITES: Need = { module: KeysModule, writes: true };
/** Users often type the key's name instead of its ID. */
const keyId = new UuidPipe('API key not found. Use the ID that "key list" shows.');

export async function createKey(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const { team, others } = teamInputOf(input);
  const settings = settingsOf(await checkBody(CreateApiKeyRequest, others, KEY_CREATE_OPTIONS));
  return withKeys(call, WRITES, async (keys, nowMs, services) => {
    const teamId = await teamIdOf(services, team, KEY_CREATE_OPTIONS);
    const document = CreatedApiKeyResponse.issued(await keys.create({ ...settings, teamId }, SYSTEM_ACTOR), nowMs);
    const text = createdText(document, await teamNameOf(services, document.team_id));
    return { document, text, holdsSecret: true };
  });
}

export async function updateKey(call: Invocation, typedId: string, input: Record<string, unknown>): Promise<Result> {
  const id = keyId.transform(typedId);
  const { team, others } = teamInputOf(input);
  const settings = settingsOf(await checkBody(UpdateApiKeyRequest, others, KEY_UPDATE_OPTIONS));
  return withKeys(call, WRITES, async (keys, nowMs, services) => {
    const teamId = await teamIdOf(services, team, KEY_UPDATE_OPTIONS);
    const document = ApiKeyResponse.of(await keys.update(id, { ...settings, teamId }, SYSTEM_ACTOR), nowMs);
    return { document, text: updatedText(document, await teamNameOf(services, document.team_id)) };
  });
}

export async function listKeys(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const { team, others } = teamInputOf(input);
  const query = await readQuery(ListApiKeysRequest, others, KEY_LIST_OPTIONS);
  return withKeys(call, READS, async (keys, nowMs, services) => {
    const teamId = (await teamIdOf(services, team, KEY_LIST_OPTIONS)) ?? null;
    const page = await keys.list({ ...listQueryOf(query), teamId });
    const document = ApiKeyListResponse.of(page, query.offset, nowMs);
    const teamIds = document.keys.flatMap((key) => key.team_id ?? []);
    const teams = await teamsOf(services).namesOf([...new Set(teamIds)]);
    return { document, text: listText(document, query.offset, teams) };
  });
}

export async function changeKey(call: Invocation, change: KeyChange, typedId: string): Promise<Result> {
  const id = keyId.transform(typedId);
  return withKeys(call, WRITES, async (keys) => {
    if (change === 'rotate') {
      const document = RotatedApiKeyResponse.issued(await keys.rotate(id, SYSTEM_ACTOR));
      return { document, text: rotatedText(document), holdsSecret: true };
    }
    const key = await keys.change(change, id, SYSTEM_ACTOR);
    const document = change === 'revoke' ? RevokedApiKeyResponse.of(key) : ApiKeyStatusResponse.of(key);
    return { document, text: changedText(key) };
  });
}

function withKeys(
  call: Invocation,
  need: Need,
  work: (keys: KeysService, nowMs: number, services: ModuleRef) => Promise<Result>,
): Promise<Result> {
  return withApplication(call, need, (services) =>
    work(services.get(KeysService), services.get(Clock, { strict: false }).now(), services),
  );
}

export async function resetQuota(call: Invocation, typedId: string, input: Record<string, unknown>): Promise<Result> {
  const id = keyId.transform(typedId);
  const { window = 'all' } = await checkBody(ResetQuotaRequest, input, KEY_RESET_OPTIONS);
  return withApplication(call, WRITES, async (services) => {
    await services.get(KeyQuotaService).reset(id, window, SYSTEM_ACTOR);
    const document: QuotaResetResponse = { key_id: id, window, reset: true };
    const windows = window === 'all' ? 'minute, day and month' : window;
    return { document, text: `Reset the request counts of API key ${id}: ${windows}.\n` };
  });
}

const FIGURES = ['REQUESTS', 'ERRORS', 'INPUT', 'OUTPUT', 'TOKENS', 'ESTIMATED', 'CACHE READ', 'CACHE WRITE', 'COST'];

export async function showUsage(call: Invocation, typedId: string, input: Record<string, unknown>): Promise<Result> {
  const id = keyId.transform(typedId);
  const query = keyUsageQueryOf(await readQuery(KeyUsageRequest, input, KEY_USAGE_OPTIONS));
  return withApplication(call, { module: KeyUsageModule, writes: false }, async (services) => {
    const key = await services.get(KeysService, { strict: false }).get(id);
    const { usage, costs } = await services.get(UsageReports, { strict: false }).history(key.id, query);
    const document = KeyUsageResponse.of(key.id, usage, costs);
    return { document, text: usageText(key, document) };
  });
}

function usageText(key: ApiKey, { daily, monthly }: KeyUsageResponse): string {
  const kinds = key.tokenCounting === 'all' ? ', counting all kinds' : '';
  const limits = `${limit(key.monthlyLimit)} requests and ${limit(key.monthlyTokenLimit)} tokens per month${kinds}`;
  const head = `API key "${printable(key.name)}": ${limits}.\n`;
  if (daily.length === 0 && monthly.length === 0) return `${head}No usage is recorded.\n`;
  const months = textTable(
    ['MONTH', ...FIGURES],
    monthly.map((month) => [month.month, ...figuresOf(month)]),
  );
  const days = textTable(
    ['DAY', ...FIGURES],
    daily.map((day) => [day.date, ...figuresOf(day)]),
  );
  return `${head}\n${months}\n${days}`;
}

const figuresOf = (figures: UsageFiguresResponse): string[] =>
  [
    figures.requests,
    figures.errors,
    figures.input_tokens,
    figures.output_tokens,
    figures.total_tokens,
    figures.estimated_tokens,
    figures.cache_read_tokens,
    figures.cache_write_tokens,
    costText(figures),
  ].map(String);

/** A plus sign means that the amount lacks the cost of requests without a price. */
const costText = ({ cost, unpriced_requests: unpriced }: UsageFiguresResponse): string =>
  cost === null ? 'unknown' : `$${cost}${unpriced > 0 ? '+' : ''}`;

const NAME_LENGTH_MAX = 40;
const ONCE = 'This is the only time that the key is shown. Store it now.\n';
const HEAD = ['ID', 'NAME', 'TEAM', 'STATUS', 'KEY', 'RPM', 'RPD', 'MONTH', 'TOKENS', 'EXPIRES', 'LAST USED'];

function createdText(key: CreatedApiKeyResponse, team: string | null): string {
  const lines = textList([['key', key.key], ...factsOf(key, team)]);
  return `Created API key "${printable(key.name)}".\n${lines}${ONCE}`;
}

const updatedText = (key: ApiKeyResponse, team: string | null): string =>
  `Updated API key "${printable(key.name)}".\n${textList(factsOf(key, team))}`;

function rotatedText({ id, key, status }: RotatedApiKeyResponse): string {
  const lines = textList([
    ['key', key],
    ['id', id],
    ['status', status],
  ]);
  return `Rotated the API key. The old key no longer works.\n${lines}${ONCE}`;
}

const changedText = ({ id, name, status }: ApiKey): string =>
  `API key "${printable(name)}" (${id}) is now ${status}.\n`;

const listText = ({ total, keys }: ApiKeyListResponse, offset: number, teams: ReadonlyMap<string, string>): string => {
  const rows = keys.map((key) => row(key, key.team_id === null ? '-' : (teams.get(key.team_id) ?? '-')));
  return pageText(HEAD, rows, { offset, total, none: 'No API keys found.' });
};

const factsOf = (key: ApiKeyResponse, team: string | null): [string, string][] => [
  ['id', key.id],
  ['team', team ?? 'none'],
  ['tags', key.tags.join(', ') || 'none'],
  ['requests', `${key.rpm_limit} per minute, ${key.rpd_limit} per day, ${limit(key.monthly_limit)} per month`],
  [
    'tokens',
    `${limit(key.monthly_token_limit)} per month${key.token_counting === 'all' ? ', counting all kinds' : ''}`,
  ],
  ['models', key.allowed_models?.join(', ') ?? 'all'],
  ['expires', key.expires_at === null ? 'never' : timeText(key.expires_at) + (key.is_expired ? ' (expired)' : '')],
];

const row = (key: ApiKeyResponse, team: string): string[] => [
  key.id,
  shortened(key.name),
  shortened(team),
  key.is_expired ? `${key.status} (expired)` : key.status,
  key.key_hint.replace('…', '...'),
  String(key.rpm_limit),
  String(key.rpd_limit),
  limit(key.monthly_limit, '-'),
  limit(key.monthly_token_limit, '-'),
  timeText(key.expires_at),
  timeText(key.last_used_at),
];

const limit = (value: number | null, none = 'unlimited'): string => (value === null ? none : String(value));

function shortened(name: string): string {
  const characters = [...name];
  return characters.length > NAME_LENGTH_MAX ? `${characters.slice(0, NAME_LENGTH_MAX - 3).join('')}...` : name;
}
