import { Module } from '@nestjs/common';
import { identityOf, CostReads } from '../admin/costs/cost-reads.service.js';
import { CostsRequest, CostFilterRequest } from '../admin/costs/costs.request.dto.js';
import { type CostFiguresResponse, type CostsResponse } from '../admin/costs/costs.response.dto.js';
import type { Grouping } from '../costs/report/cost-query.js';
import { CostReportsModule } from '../costs/report/cost-reports.module.js';
import { TeamsModule } from '../keys/teams/teams.module.js';
import { withApplication } from './application.js';
import { readQuery } from './input-options.js';
import { usageError } from './cli-error.js';
import { joinedExport } from './joined-export.js';
import type { Invocation, Result } from './command.js';
import { COST_REPORT_OPTIONS } from './options.data.js';
import { teamIdOf, teamInputOf } from './team-input.js';
import { counted, pageText, textTable } from './text-table.js';

export interface CostReportOptions {
  readonly csv?: true;
  readonly focus?: true;
}

@Module({ imports: [CostReportsModule, TeamsModule], providers: [CostReads] })
class CostReadsModule {}

/** `GET /admin/costs`, or `GET /admin/costs/focus` with `--focus`. */
export async function reportCosts(
  call: Invocation,
  input: Record<string, unknown>,
  { csv, focus }: CostReportOptions,
): Promise<Result> {
  if (call.json && (csv ?? focus))
    throw usageError(`option '${csv ? '--csv' : '--focus'}' cannot be used with option '--json'`);
  const { team, others } = teamInputOf(input);
  if (focus) {
    const query = await readQuery(CostFilterRequest, others, COST_REPORT_OPTIONS);
    return withReads(call, team, async (reads, ofTeam) => ({
      document: {},
      text: await joinedExport(await reads.focus({ ...query, ...ofTeam })),
    }));
  }
  const query = await readQuery(CostsRequest, others, COST_REPORT_OPTIONS);
  return withReads(call, team, async (reads, ofTeam) => {
    if (csv) return { document: {}, text: await reads.csv({ ...query, ...ofTeam }) };
    const document = await reads.report({ ...query, ...ofTeam });
    return { document, text: reportText(document, query.offset) };
  });
}

/** @param team a name or an ID; `work` gets the filter by ID */
const withReads = (
  call: Invocation,
  team: string | null | undefined,
  work: (reads: CostReads, ofTeam: Pick<CostFilterRequest, 'team_id'>) => Promise<Result>,
): Promise<Result> =>
  withApplication(call, { module: CostReadsModule, writes: false }, async (services) => {
    const teamId = await teamIdOf(services, team, COST_REPORT_OPTIONS);
    return work(services.get(CostReads), typeof teamId === 'string' ? { team_id: teamId } : {});
  });

const FIGURES = ['COST', 'REQUESTS', 'UNPRICED', 'INPUT', 'CACHED', 'OUTPUT'];
const CACHED = ['cached_input', 'cached_audio_input', 'cache_write_5m', 'cache_write_1h'];
const INPUT = ['input', 'audio_input', 'image_input', ...CACHED];
const OUTPUT = ['output', 'audio_output', 'image_output'];

function reportText(report: CostsResponse, offset: number): string {
  const { since, until, totals, groups, total, group_by } = report;
  const head = `Costs from ${since} to ${until} (UTC): ${costText(totals)} for ${counted(totals.requests, 'request')}.\n`;
  const identity = identityOf(group_by as Grouping);
  const titles = [...identity.map((name) => name.replace('_', ' ').toUpperCase()), ...FIGURES];
  const rows = groups.map((group) => [...identity.map((name) => group[name] ?? '-'), ...figuresOf(group)]);
  const stacked = group_by.includes(',');
  const table =
    stacked && rows.length > 0
      ? textTable(titles, rows)
      : pageText(titles, rows, { offset, total, none: 'No costs are recorded for these days.' });
  return `${head}${notesOf(totals)}\n${table}\n${monthsText(report)}`;
}

function monthsText({ this_month: month, last_month: last, forecast }: CostsResponse): string {
  const expected =
    forecast === null
      ? ''
      : ` Forecast: $${forecast.amount} (${forecast.method}, based on ${forecast.based_on_days} days).`;
  return `${month.month}: ${costText(month)} so far.${expected}\n${last.month}: ${costText(last)}.\n`;
}

function notesOf({ unpriced_requests: unpriced, backfilled_requests: backfilled }: CostFiguresResponse): string {
  const lines = [
    ...(unpriced > 0 ? [`${unpriced} requests have no complete price, so the cost is a lower bound.\n`] : []),
    ...(backfilled > 0 ? [`The costs of ${backfilled} requests are computed from the tokens of their days.\n`] : []),
  ];
  return lines.join('');
}

const costText = ({ cost }: Pick<CostFiguresResponse, 'cost'>): string => (cost === null ? 'unknown' : `$${cost}`);

function figuresOf({ cost, requests, unpriced_requests, tokens }: CostFiguresResponse): string[] {
  const sumOf = (kinds: readonly string[]) => String(kinds.reduce((sum, kind) => sum + (tokens[kind] ?? 0), 0));
  const counts = [String(requests), String(unpriced_requests)];
  return [cost === null ? '-' : `$${cost}`, ...counts, sumOf(INPUT), sumOf(CACHED), sumOf(OUTPUT)];
}
