import { Module } from '@nestjs/common';
import {
  ListRequestLogsRequest,
  requestLogFilterOf,
  RequestLogListResponse,
  type RequestLogResponse,
} from '../admin/logs/request-logs.dto.js';
import {
  requestErrorFilterOf,
  RequestErrorsRequest,
  RequestErrorsResponse,
} from '../admin/request-errors/request-errors.dto.js';
import { RequestReads } from '../admin/requests/request-reads.service.js';
import { ListRequestsRequest, type RequestListResponse } from '../admin/requests/requests.dto.js';
import {
  ListUnstoredRecordsRequest,
  UnstoredRecordListResponse,
} from '../admin/unstored-records/unstored-records.dto.js';
import { TeamsModule } from '../keys/teams/teams.module.js';
import { usageRangeOf } from '../admin/usage/usage.dto.js';
import { ERROR_CODES, type ErrorCode } from '../platform/errors/error-code.data.js';
import { StatsReportsModule } from '../stats/stats-reports.module.js';
import { RequestErrorReports } from '../stats/reports/request-errors.read-model.js';
import { RequestLogs } from '../stats/reports/request-logs.read-model.js';
import { UnstoredRecords } from '../stats/reports/unstored-records.read-model.js';
import { withApplication } from './application.js';
import { readQuery } from './input-options.js';
import { CliError, usageError } from './cli-error.js';
import { joinedExport } from './joined-export.js';
import type { Invocation, Result } from './command.js';
import { PAGE_OPTIONS, REQUEST_ERROR_OPTIONS, REQUEST_LIST_OPTIONS } from './options.data.js';
import { teamIdOf, teamInputOf } from './team-input.js';
import { pageText, textList, textTable, timeText } from './text-table.js';

export interface RequestListOptions {
  readonly csv?: true;
}

@Module({ imports: [StatsReportsModule, TeamsModule], providers: [RequestReads] })
class RequestReadsModule {}

const NOT_FOUND =
  'No log entry exists for this request ID. Failed requests with known keys are kept for 7 days, ' +
  'and a sample of all requests (GW_LOG_SAMPLE_RATE) for 365 days.';

export async function showRequest(call: Invocation, id: string): Promise<Result> {
  const query = await readQuery(ListRequestLogsRequest, { request_id: id }, []);
  return withApplication(call, { module: StatsReportsModule, writes: false }, async (services) => {
    const page = await services.get(RequestLogs).list(requestLogFilterOf(query), query);
    const document = RequestLogListResponse.of(page, query.offset);
    const [log] = document.logs;
    if (log === undefined) throw new CliError('not_found', NOT_FOUND);
    return { document, text: requestText(log) };
  });
}

export async function listRequests(
  call: Invocation,
  input: Record<string, unknown>,
  { csv }: RequestListOptions,
): Promise<Result> {
  if (call.json && csv) throw usageError("option '--csv' cannot be used with option '--json'");
  const { team, others } = teamInputOf(input);
  const query = await readQuery(ListRequestsRequest, others, REQUEST_LIST_OPTIONS);
  return withApplication(call, { module: RequestReadsModule, writes: false }, async (services) => {
    const teamId = await teamIdOf(services, team, REQUEST_LIST_OPTIONS);
    const asked = { ...query, ...(typeof teamId === 'string' && { team_id: teamId }) };
    const reads = services.get(RequestReads);
    if (csv) return { document: {}, text: await joinedExport(await reads.csv(asked)) };
    const document = await reads.page(asked);
    return { document, text: requestsText(document) };
  });
}

export async function countErrors(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const { team, others } = teamInputOf(input);
  const query = await readQuery(RequestErrorsRequest, others, REQUEST_ERROR_OPTIONS);
  return withApplication(call, { module: RequestReadsModule, writes: false }, async (services) => {
    const teamId = await teamIdOf(services, team, REQUEST_ERROR_OPTIONS);
    const asked = { ...query, ...(typeof teamId === 'string' && { team_id: teamId }) };
    const range = usageRangeOf(asked, Date.now());
    const read = await services.get(RequestErrorReports, { strict: false }).read(range, requestErrorFilterOf(asked));
    const document = RequestErrorsResponse.of(range, read);
    return { document, text: errorsText(document) };
  });
}

function errorsText({ from, to, totals, by_error_code: codes, by_key: keys }: RequestErrorsResponse): string {
  const head = `Failed requests from ${from} to ${to} (UTC): ${totals.requests}, of which ${totals.rejected} were not admitted.\n`;
  if (totals.requests === 0) return head;
  const reasons = codes.map(({ error_code: code, status, requests, rejected }) => [
    code,
    String(status ?? '-'),
    String(requests),
    String(rejected),
  ]);
  const counts = keys.map(({ key_id: id, key_name: name, team_name: team, requests, rejected }) => [
    id === null ? 'no known key' : (name ?? id),
    team ?? '-',
    String(requests),
    String(rejected),
  ]);
  const tables = [
    textTable(['ERROR CODE', 'STATUS', 'REQUESTS', 'NOT ADMITTED'], reasons),
    textTable(['KEY', 'TEAM', 'REQUESTS', 'NOT ADMITTED'], counts),
  ];
  return [head, ...tables].join('\n');
}

function requestsText({ requests, next_cursor: next }: RequestListResponse): string {
  if (requests.length === 0) return 'No kept requests match.\n';
  const rows = requests.map((request) => [
    request.created_at.toISOString(),
    `${request.status}${request.error_code === null ? '' : ` ${request.error_code}`}`,
    `${request.method} ${request.endpoint}`,
    request.model ?? '-',
    request.key_name ?? request.key_id,
    `${request.latency_ms} ms`,
    request.cost === null ? '-' : `$${request.cost}`,
    request.request_id,
  ]);
  const more = next === null ? '' : `\nNext page: --cursor ${next}\n`;
  return textTable(['TIME', 'STATUS', 'REQUEST', 'MODEL', 'KEY', 'LATENCY', 'COST', 'REQUEST ID'], rows) + more;
}

export async function listUnstored(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const query = await readQuery(ListUnstoredRecordsRequest, input, PAGE_OPTIONS);
  return withApplication(call, { module: StatsReportsModule, writes: false }, async (services) => {
    const document = UnstoredRecordListResponse.of(await services.get(UnstoredRecords).list(query), query.offset);
    const { total, records } = document;
    const rows = records.map(({ at, source, key_id: keyId, reason }) => [timeText(at), source, keyId, reason]);
    const none = 'All records were stored.';
    const head = ['TIME', 'RECORD', 'KEY', 'REASON'];
    return { document, text: pageText(head, rows, { offset: query.offset, total, none }) };
  });
}

function requestText(log: RequestLogResponse): string {
  const { upstream_latency_ms: upstreamMs } = log;
  const facts = textList([
    ['request', `${log.method} ${log.endpoint}${log.stream ? ', streamed' : ''}`],
    ['started', log.created_at.toISOString()],
    ['key', `${log.key_name ?? '-'} (${log.key_id})`],
    ['model', log.model ?? '-'],
    ['status', `${log.status}${log.error_code === null ? '' : ` ${log.error_code}`}`],
    ...(log.error_message === null ? [] : [['message', log.error_message] as [string, string]]),
    ...meaningOf(log.error_code),
    ['latency', `${log.latency_ms} ms, ${upstreamMs === null ? 'no upstream request' : `upstream ${upstreamMs} ms`}`],
    ...upstreamLines(log),
    [
      'tokens',
      `${log.input_tokens} input, ${log.output_tokens} output${log.usage_source === null ? '' : ` (${log.usage_source})`}`,
    ],
    ...costFacts(log),
  ]);
  return facts + costTable(log.cost_details);
}

function costFacts({ cost, cost_details: details }: RequestLogResponse): [string, string][] {
  if (details === null) return [];
  const { unpriced, price, recomputed_at: recomputedAt } = details;
  const bound = cost !== null && unpriced.length > 0 ? 'at least ' : '';
  return [
    ['cost', cost === null ? 'unknown' : `${bound}$${cost}`],
    ['price', price ?? 'none'],
    ...(unpriced.length === 0 ? [] : [['needs a price', unpriced.join(', ')] as [string, string]]),
    ...(recomputedAt === null ? [] : [['recomputed', recomputedAt] as [string, string]]),
  ];
}

function costTable(details: RequestLogResponse['cost_details']): string {
  if (details === null || details.lines.length === 0) return '';
  const rows = details.lines.map((line) => {
    const factor = line.factor === null ? '' : ` x ${line.factor.numerator}/${line.factor.denominator}`;
    const asOf = line.fallback ? `, as ${line.priced_as}` : '';
    return [
      line.kind,
      String(line.units),
      `$${line.price} per ${line.per} ${line.unit}s${factor}${asOf}`,
      `$${line.amount}`,
    ];
  });
  return `\n${textTable(['KIND', 'UNITS', 'PRICE', 'AMOUNT'], rows)}`;
}

function upstreamLines({ upstream, attempts }: RequestLogResponse): [string, string][] {
  if (upstream === null) return [];
  const lines = (attempts ?? []).map((attempt, at): [string, string] => {
    const model = attempt.model === null ? '' : `, model ${attempt.model}`;
    return [`attempt ${at + 1}`, `${attempt.upstream}: ${attempt.status ?? attempt.error}, ${attempt.ms} ms${model}`];
  });
  return [['upstream', upstream], ...lines];
}

function meaningOf(code: string | null): [string, string][] {
  if (code === null || !Object.hasOwn(ERROR_CODES, code)) return [];
  const { what, help } = ERROR_CODES[code as ErrorCode];
  return [
    ['meaning', what],
    ['remedy', help],
  ];
}
