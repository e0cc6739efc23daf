import { Module } from '@nestjs/common';
import { KeyUsageRequest, keyUsageQueryOf } from '../../admin/usage/usage.request.dto.js';
import { KeyUsageResponse, type UsageFiguresResponse } from '../../admin/usage/usage.response.dto.js';
import { KeysModule } from '../../keys/keys.module.js';
import { KeysService, type ApiKey } from '../../keys/keys.service.js';
import { KeyUsage } from '../../stats/records/key-usage.read-model.js';
import { RecordsModule } from '../../stats/records/records.module.js';
import { withApplication } from '../application.js';
import { readQuery } from '../check-input.js';
import type { Invocation, Result } from '../command.js';
import { printable, textTable } from '../text-table.js';
import { keyId } from './key-id.js';
import { USAGE_OPTIONS } from './key-options.data.js';
import { limit } from './key-text.js';

/** A key and what was counted of it are in two rooms. */
@Module({ imports: [KeysModule, RecordsModule] })
class KeyUsageRoom {}

const FIGURES = ['REQUESTS', 'ERRORS', 'INPUT', 'OUTPUT', 'TOKENS', 'ESTIMATED'];

/** `GET /admin/api-keys/{id}/usage`. */
export async function showUsage(call: Invocation, typedId: string, input: Record<string, unknown>): Promise<Result> {
  const id = keyId.transform(typedId);
  const query = keyUsageQueryOf(await readQuery(KeyUsageRequest, input, USAGE_OPTIONS));
  return withApplication(call, { room: KeyUsageRoom, writes: false }, async (services) => {
    const key = await services.get(KeysService, { strict: false }).get(id);
    const usage = await services.get(KeyUsage, { strict: false }).history(key.id, query);
    const document = KeyUsageResponse.of(key.id, usage);
    return { document, text: usageText(key, document) };
  });
}

function usageText(key: ApiKey, { daily, monthly }: KeyUsageResponse): string {
  const limits = `${limit(key.monthlyLimit)} requests and ${limit(key.monthlyTokenLimit)} tokens a month`;
  const head = `The API key "${printable(key.name)}" may make ${limits}.\n`;
  if (daily.length === 0 && monthly.length === 0) return `${head}It has used nothing.\n`;
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
    ...[figures.requests, figures.errors, figures.input_tokens, figures.output_tokens],
    ...[figures.total_tokens, figures.estimated_tokens],
  ].map(String);
