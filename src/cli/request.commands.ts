import {
  ListRequestLogsRequest,
  requestLogFilterOf,
  RequestLogListResponse,
  type RequestLogResponse,
} from '../admin/logs/request-logs.dto.js';
import { ERROR_CODES, type ErrorCode } from '../platform/errors/error-code.data.js';
import { StatsReportsModule } from '../stats/stats-reports.module.js';
import { RequestLogs } from '../stats/reports/request-logs.read-model.js';
import { withApplication } from './application.js';
import { readQuery } from './input-options.js';
import { CliError } from './cli-error.js';
import type { Invocation, Result } from './command.js';
import { textList, textTable } from './text-table.js';

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
