import { Module } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { LimitAlertListResponse, type LimitAlertResponse } from '../admin/limits/limit-alert.dto.js';
import { TopUpListResponse, TopUpResponse } from '../admin/limits/top-up.dto.js';
import type { SimulationResponse } from '../admin/limits/limit-simulation.dto.js';
import { IntegerIdPipe } from '../admin/id.pipes.js';
import { topUpReader } from '../admin/limits/limit-input.js';
import { CreateLimitRequest, SimulateLimitRequest } from '../admin/limits/limit.request.dto.js';
import { ListLimitsRequest } from '../admin/limits/limit-list.request.dto.js';
import { AdminLimits } from '../admin/limits/admin-limits.service.js';
import { type Page, PageRequest } from '../admin/page.dto.js';
import { Clock } from '../platform/clock.js';
import { LimitAlerts } from '../quota/limits/limit-alerts.read-model.js';
import { LimitsModule } from '../quota/limits/limits.module.js';
import { LimitsService } from '../quota/limits/limits.service.js';
import { TopUps } from '../quota/limits/top-ups.service.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { acceptInput } from '../platform/validation/nested-input.js';
import { TeamsModule } from '../keys/teams/teams.module.js';
import { withAdvice } from './cli-error.js';
import { withApplication } from './application.js';
import { namingOptions, readQuery, type InputOption, wholeNumber } from './input-options.js';
import type { Invocation, Result } from './command.js';
import { LIMIT_LIST_OPTIONS, LIMIT_SET_OPTIONS, LIMIT_SIMULATE_OPTIONS, TOP_UP_OPTIONS } from './limit-options.data.js';
import { cellsOf, factsText, LIST_HEAD } from './limit-text.js';
import { PAGE_OPTIONS } from './options.data.js';
import { teamIdOf, teamInputOf } from './team-input.js';
import { counted, pageText, textTable, timeText } from './text-table.js';

@Module({ imports: [LimitsModule, TeamsModule], providers: [AdminLimits] })
class LimitCommandsModule {}

type Input = Record<string, unknown>;

const REACHED_HEAD = ['FROM', 'TO', 'USED', 'REACHED', 'REJECTED', 'REJECTED REQUESTS'];
const TOP_UP_HEAD = ['ID', 'AMOUNT', 'FROM', 'TO', 'STATE', 'BY', 'NOTE'];
const ALERT_HEAD = ['AT', 'ALERT', 'USED', 'AMOUNT', 'PERIOD FROM'];
const NO_LIMITS = 'No limits found.';
const NO_TOP_UPS = 'The limit has no top-ups.';
const NO_ALERTS = 'The limit has no alerts.';
const LIMIT_NOT_FOUND = 'Limit not found. Use the ID that "limit list" shows.';
const TOP_UP_NOT_FOUND = 'Top-up not found. Use the ID that "limit top-ups" shows.';
const ADVICE = { 'Limit not found': LIMIT_NOT_FOUND, 'Top-up not found': TOP_UP_NOT_FOUND };
const limitId = new IntegerIdPipe(LIMIT_NOT_FOUND);
const topUpId = new IntegerIdPipe(TOP_UP_NOT_FOUND);

export function listLimits(call: Invocation, input: Input): Promise<Result> {
  return withLimits(call, false, async (limits, services, nowMs) => {
    const query = await readQuery(
      ListLimitsRequest,
      await withTeamId(services, input, LIMIT_LIST_OPTIONS),
      LIMIT_LIST_OPTIONS,
    );
    const document = await limits.list(query);
    const { offset } = query;
    const rows = document.limits.map((limit) => cellsOf(limit, nowMs));
    return { document, text: pageText(LIST_HEAD, rows, { offset, total: document.total, none: NO_LIMITS }) };
  });
}

export function showLimit(call: Invocation, typedId: string): Promise<Result> {
  const id = limitId.transform(typedId);
  return withLimits(call, false, async (limits, _, nowMs) => {
    const document = await limits.get(id);
    return { document, text: `Limit ${id}\n${factsText(document, nowMs)}` };
  });
}

export function setLimit(call: Invocation, { id: typedId, ...input }: Input): Promise<Result> {
  const id = typeof typedId === 'string' ? limitId.transform(typedId) : null;
  return withLimits(call, true, (limits, services, nowMs) =>
    namingOptions(LIMIT_SET_OPTIONS, async () => {
      const given = await withTeamId(services, input, LIMIT_SET_OPTIONS);
      const measure = id === null ? given['measure'] : (await limits.get(id)).measure;
      const body = await withTimes(services, bodyOf(given, measure));
      const document =
        id === null
          ? await limits.create(acceptInput(CreateLimitRequest, body)(), SYSTEM_ACTOR)
          : await limits.update(id, body, SYSTEM_ACTOR);
      const done = `${id === null ? 'Created' : 'Updated'} limit ${document.id}.`;
      return { document, text: `${done}\n${factsText(document, nowMs)}` };
    }),
  );
}

export function deleteLimit(call: Invocation, typedId: string): Promise<Result> {
  const id = limitId.transform(typedId);
  return withLimits(call, true, async (_, services) => {
    await services.get(LimitsService, { strict: false }).delete(id, SYSTEM_ACTOR);
    return { document: { id, deleted: true }, text: `Deleted limit ${id}.\n` };
  });
}

export function resetLimit(call: Invocation, typedId: string): Promise<Result> {
  const id = limitId.transform(typedId);
  return withLimits(call, true, async (limits, _, nowMs) => {
    const document = await limits.reset(id, SYSTEM_ACTOR);
    return { document, text: `Reset limit ${id}. A new period began now.\n${factsText(document, nowMs)}` };
  });
}

export function topUpLimit(call: Invocation, typedId: string, input: Input): Promise<Result> {
  const id = limitId.transform(typedId);
  return withLimits(call, true, (limits, services) =>
    namingOptions(TOP_UP_OPTIONS, async () => {
      const { measure } = await limits.get(id);
      const read = topUpReader({ ...input, ...amountOf(input, 'amount', measure) });
      const document = TopUpResponse.of(await services.get(TopUps, { strict: false }).add(id, read, SYSTEM_ACTOR));
      const until = document.expires_at === null ? '' : ` until ${timeText(document.expires_at)}`;
      return { document, text: `Raised limit ${id} by ${document.amount}${until}.\n  id  ${document.id}\n` };
    }),
  );
}

export const listTopUps = (call: Invocation, typedId: string, input: Input): Promise<Result> =>
  listOf(call, typedId, input, async (services, id, query) => {
    const document = TopUpListResponse.of(await services.get(TopUps, { strict: false }).list(id, query), query.offset);
    return { document, head: TOP_UP_HEAD, rows: document.top_ups.map(topUpCells), none: NO_TOP_UPS };
  });

export function deleteTopUp(call: Invocation, typedId: string, typedTopUpId: string): Promise<Result> {
  const [id, ofTopUp] = [limitId.transform(typedId), topUpId.transform(typedTopUpId)];
  return withLimits(call, true, async (_, services) => {
    await services.get(TopUps, { strict: false }).delete(id, ofTopUp, SYSTEM_ACTOR);
    return { document: { id: ofTopUp, deleted: true }, text: `Deleted top-up ${ofTopUp} of limit ${id}.\n` };
  });
}

export const listAlerts = (call: Invocation, typedId: string, input: Input): Promise<Result> =>
  listOf(call, typedId, input, async (services, id, query) => {
    const alerts = await services.get(LimitAlerts, { strict: false }).list(id, query);
    const document = LimitAlertListResponse.of(alerts, query.offset);
    return { document, head: ALERT_HEAD, rows: document.alerts.map(alertCells), none: NO_ALERTS };
  });

interface Listed {
  readonly document: Page;
  readonly head: readonly string[];
  readonly rows: readonly string[][];
  readonly none: string;
}

async function listOf(
  call: Invocation,
  typedId: string,
  input: Input,
  read: (services: ModuleRef, id: number, query: PageRequest) => Promise<Listed>,
): Promise<Result> {
  const id = limitId.transform(typedId);
  const query = await readQuery(PageRequest, input, PAGE_OPTIONS);
  return withLimits(call, false, async (_, services) => {
    const { document, head, rows, none } = await read(services, id, query);
    return { document, text: pageText(head, rows, { offset: query.offset, total: document.total, none }) };
  });
}

export function simulateLimit(call: Invocation, input: Input): Promise<Result> {
  return withLimits(call, false, (limits, services) =>
    namingOptions(LIMIT_SIMULATE_OPTIONS, async () => {
      const given = await withTeamId(services, input, LIMIT_SIMULATE_OPTIONS);
      const body = await withTimes(services, bodyOf(given, given['measure']));
      const document = await limits.simulate(acceptInput(SimulateLimitRequest, body)());
      return { document, text: simulationText(document) };
    }),
  );
}

const withLimits = (
  call: Invocation,
  writes: boolean,
  work: (limits: AdminLimits, services: ModuleRef, nowMs: number) => Promise<Result>,
): Promise<Result> =>
  withAdvice(ADVICE, () =>
    withApplication(call, { module: LimitCommandsModule, writes }, (services) =>
      work(services.get(AdminLimits), services, services.get(Clock, { strict: false }).now()),
    ),
  );

async function withTeamId(services: ModuleRef, input: Input, options: readonly InputOption[]): Promise<Input> {
  const { team, others } = teamInputOf(input);
  return team === undefined ? others : { ...others, team_id: await teamIdOf(services, team, options) };
}

/** Cost amounts are text in the Admin API, and other amounts are numbers. */
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

/** Replaces `now` with the database's time, because limits begin and end by its clock. */
async function withTimes(services: ModuleRef, body: Input): Promise<Input> {
  const fields = ['starts_at', 'ends_at'].filter((field) => body[field] === 'now');
  if (fields.length === 0) return body;
  const now = (await services.get(LimitsService, { strict: false }).now()).toISOString();
  return { ...body, ...Object.fromEntries(fields.map((field) => [field, now])) };
}

const topUpCells = (topUp: TopUpResponse): string[] => [
  String(topUp.id),
  String(topUp.amount),
  timeText(topUp.starts_at),
  timeText(topUp.expires_at),
  topUp.is_expired ? 'expired' : 'active',
  topUp.created_by,
  topUp.note ?? '',
];

const alertCells = ({ at, threshold, used, amount, period_started_at: start }: LimitAlertResponse): string[] => [
  timeText(at),
  threshold === null ? 'forecast' : `${threshold} %`,
  String(used),
  String(amount),
  timeText(start),
];

function simulationText(simulation: SimulationResponse): string {
  const { since, until, periods, reached } = simulation;
  const start = `A new limit would start with ${simulation.starts_with} used.\n`;
  if (!simulation.simulated)
    return `${start}Usage is stored by day, so this period cannot be simulated. Use a day, a week, a month, rolling_7d or total.\n`;
  const head = `From ${since} to ${until}, the limit would have been reached in ${reached.length} of ${counted(periods, 'period')}.\n`;
  const rejected = `It would have rejected an amount of ${simulation.refused_amount}, in about ${simulation.refused_requests} of ${counted(simulation.requests, 'request')}.\n`;
  const rows = reached.map((period) => [
    timeText(period.started_at),
    timeText(period.ended_at),
    String(period.used),
    timeText(period.reached_at),
    String(period.refused_amount),
    String(period.refused_requests),
  ]);
  return head + rejected + start + (rows.length === 0 ? '' : `\n${textTable(REACHED_HEAD, rows)}`);
}
