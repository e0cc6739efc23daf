import { Module } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { type SimulationResponse, TopUpResponse } from '../admin/limits/limit-history.response.dto.js';
import { IntegerIdPipe } from '../admin/limits/limit-id.pipe.js';
import { ListLimitsRequest } from '../admin/limits/limit.request.dto.js';
import type { LimitResponse } from '../admin/limits/limit.response.dto.js';
import { AdminLimits } from '../admin/limits/limits.service.js';
import { readTopUp } from '../admin/limits/top-up-input.rules.js';
import { GatewayError } from '../errors/gateway-error.js';
import { LimitsModule } from '../limits/limits.module.js';
import { LimitsService } from '../limits/limits.service.js';
import { TopUps } from '../limits/top-ups.service.js';
import { SYSTEM_ACTOR } from '../request-context/caller-session.js';
import { TeamsModule } from '../teams/teams.module.js';
import { withApplication } from './application.js';
import { readQuery } from './check-input.js';
import type { Invocation, Result } from './command.js';
import { type InputOption, wholeNumber, wrongInput } from './input-options.js';
import { LIMIT_LIST_OPTIONS, LIMIT_SET_OPTIONS, LIMIT_SIMULATE_OPTIONS, TOP_UP_OPTIONS } from './limit-options.data.js';
import { teamIdOf, teamInputOf } from './team-input.js';
import { counted, pageText, textList, textTable, timeText } from './text-table.js';

@Module({ imports: [LimitsModule, TeamsModule], providers: [AdminLimits] })
class LimitCommandsModule {}

type Input = Record<string, unknown>;

const LIST_HEAD = [
  ...['ID', 'NAME', 'FOR', 'MEASURE', 'PERIOD', 'AMOUNT', 'USED', 'RESERVED', 'LEFT', 'RESETS', 'RUNS OUT', 'MODE'],
];
const REACHED_HEAD = ['FROM', 'TO', 'USED', 'REACHED', 'REFUSED', 'REFUSED REQUESTS'];
const NO_LIMITS = 'No limits found.';
const limitId = new IntegerIdPipe('Limit not found. Use the ID that "limit list" shows.');

export function listLimits(call: Invocation, input: Input): Promise<Result> {
  return withLimits(call, false, async (limits, services) => {
    const query = await readQuery(
      ListLimitsRequest,
      await withTeamId(services, input, LIMIT_LIST_OPTIONS),
      LIMIT_LIST_OPTIONS,
    );
    const document = await limits.list(query);
    const { offset } = query;
    return {
      document,
      text: pageText(LIST_HEAD, document.limits.map(cellsOf), { offset, total: document.total, none: NO_LIMITS }),
    };
  });
}

export function showLimit(call: Invocation, typedId: string): Promise<Result> {
  const id = limitId.transform(typedId);
  return withLimits(call, false, async (limits) => {
    const document = await limits.get(id);
    return { document, text: `Limit ${id}\n${factsText(document)}` };
  });
}

export function setLimit(call: Invocation, { id: typedId, ...input }: Input): Promise<Result> {
  const id = typeof typedId === 'string' ? limitId.transform(typedId) : null;
  return withLimits(call, true, (limits, services) =>
    namingOptions(LIMIT_SET_OPTIONS, async () => {
      const given = await withTeamId(services, input, LIMIT_SET_OPTIONS);
      const measure = id === null ? given['measure'] : (await limits.get(id)).measure;
      const body = bodyOf(given, measure);
      const document = await (id === null ? limits.create(body, SYSTEM_ACTOR) : limits.update(id, body, SYSTEM_ACTOR));
      return { document, text: `${id === null ? 'Created' : 'Updated'} limit ${document.id}.\n${factsText(document)}` };
    }),
  );
}

export function deleteLimit(call: Invocation, typedId: string): Promise<Result> {
  const id = limitId.transform(typedId);
  return withLimits(call, true, async (_, services) => {
    await services.get(LimitsService, { strict: false }).delete(id, SYSTEM_ACTOR);
    return { document: { id, deleted: true }, text: `Deleted limit ${id}. Its alerts stay for a year.\n` };
  });
}

export function resetLimit(call: Invocation, typedId: string): Promise<Result> {
  const id = limitId.transform(typedId);
  return withLimits(call, true, async (limits) => {
    const document = await limits.reset(id, SYSTEM_ACTOR);
    return { document, text: `Reset limit ${id}. A new period began now.\n${factsText(document)}` };
  });
}

export function topUpLimit(call: Invocation, typedId: string, input: Input): Promise<Result> {
  const id = limitId.transform(typedId);
  return withLimits(call, true, (limits, services) =>
    namingOptions(TOP_UP_OPTIONS, async () => {
      const { measure } = await limits.get(id);
      const read = readTopUp({ ...input, ...amountOf(input, 'amount', measure) });
      const { topUp, limit } = await services.get(TopUps, { strict: false }).add(id, read, SYSTEM_ACTOR);
      const document = TopUpResponse.of(topUp, limit);
      const until = document.expires_at === null ? '' : ` until ${timeText(document.expires_at)}`;
      return { document, text: `Raised limit ${id} by ${document.amount}${until}.\n  id  ${document.id}\n` };
    }),
  );
}

export function simulateLimit(call: Invocation, input: Input): Promise<Result> {
  return withLimits(call, false, (limits, services) =>
    namingOptions(LIMIT_SIMULATE_OPTIONS, async () => {
      const given = await withTeamId(services, input, LIMIT_SIMULATE_OPTIONS);
      const document = await limits.simulate(bodyOf(given, given['measure']));
      return { document, text: simulationText(document) };
    }),
  );
}

const withLimits = (
  call: Invocation,
  writes: boolean,
  work: (limits: AdminLimits, services: ModuleRef) => Promise<Result>,
): Promise<Result> =>
  withApplication(call, { module: LimitCommandsModule, writes }, (services) =>
    work(services.get(AdminLimits), services),
  );

async function withTeamId(services: ModuleRef, input: Input, options: readonly InputOption[]): Promise<Input> {
  const { team, others } = teamInputOf(input);
  return team === undefined ? others : { ...others, team_id: await teamIdOf(services, team, options) };
}

/** Amounts of costs are text in the Admin API, and the others are numbers. */
const amountOf = (input: Input, field: string, measure: unknown): Input =>
  typeof input[field] === 'string' && measure !== 'cost' ? { [field]: wholeNumber(input[field]) } : {};

function bodyOf(input: Input, measure: unknown): Input {
  const { 'weights.cached_input': cachedInput, 'weights.cache_write': cacheWrite, ...fields } = input;
  const weights = {
    ...(cachedInput !== undefined && { cached_input: cachedInput }),
    ...(cacheWrite !== undefined && { cache_write: cacheWrite }),
  };
  return {
    ...fields,
    ...amountOf(input, 'amount', measure),
    ...amountOf(input, 'carry_over', measure),
    ...(fields['alert_thresholds'] === null && { alert_thresholds: [] }),
    ...(Object.keys(weights).length > 0 && { weights }),
  };
}

/** Errors of the Admin API name the field, and those of a command its option. */
async function namingOptions(options: readonly InputOption[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GatewayError && error.code === 'validation_error' ? wrongInput(options, error) : error;
  }
}

const targetText = ({ scope, team_id, key_id, tag }: LimitResponse): string =>
  scope === 'account' ? scope : `${scope} ${team_id ?? key_id ?? tag}`;

const cellsOf = (limit: LimitResponse): string[] => [
  ...[String(limit.id), limit.name ?? '-', targetText(limit), limit.measure, limit.period ?? '-'],
  ...[limit.effective_amount, limit.used, limit.reserved, limit.remaining].map(String),
  ...[timeText(limit.resets_at), timeText(limit.forecast?.reached_at ?? null)],
  limit.enabled ? limit.mode : 'disabled',
];

function factsText(limit: LimitResponse): string {
  const { amount, carried_over: carried, top_ups: topUps, effective_amount: effective, forecast } = limit;
  const extra = effective === amount ? '' : ` (${amount}, carried over ${carried}, top-ups ${topUps})`;
  return textList([
    ...(limit.name === null ? [] : [['name', limit.name] as const]),
    ['for', targetText(limit)],
    ['measure', limit.measure],
    ['period', `${limit.period ?? '-'}${limit.time_zone === 'UTC' ? '' : ` in ${limit.time_zone}`}`],
    ['models', limit.models?.join(', ') ?? 'all'],
    ['amount', `${effective}${extra}`],
    ['used', String(limit.used)],
    ['reserved', String(limit.reserved)],
    ['left', String(limit.remaining)],
    ['resets', timeText(limit.resets_at)],
    ['runs out', timeText(forecast?.reached_at ?? null)],
    ['mode', limit.enabled ? limit.mode : `${limit.mode}, disabled`],
    ['reserve', limit.reserve],
    ['alerts', limit.alert_thresholds.map((each) => `${each} %`).join(', ') || 'none'],
  ]);
}

function simulationText(simulation: SimulationResponse): string {
  const { since, until, method, periods, reached } = simulation;
  const start = `A new limit would start with ${simulation.starts_with} used.\n`;
  if (method === null)
    return `${start}Usage is stored by day, so this period cannot be simulated. Use a day, a week, a month, rolling_7d or total.\n`;
  const head = `From ${since} to ${until}, the limit would have been reached in ${reached.length} of ${counted(periods, 'period')}.\n`;
  const refused = `It would have refused an amount of ${simulation.refused_amount}, in about ${simulation.refused_requests} of ${counted(simulation.requests, 'request')}.\n`;
  const rows = reached.map((period) => [
    ...[timeText(period.started_at), timeText(period.ended_at), String(period.used), timeText(period.reached_at)],
    ...[String(period.refused_amount), String(period.refused_requests)],
  ]);
  return head + refused + start + (rows.length === 0 ? '' : `\n${textTable(REACHED_HEAD, rows)}`);
}
