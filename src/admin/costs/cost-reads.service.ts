import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { type CostQuery, type Dimension, dimensionOf, isByDay, type Grouping } from '../../costs/report/cost-query.js';
import { CostReports } from '../../costs/report/cost-report.service.js';
import { FocusExport } from '../../costs/report/focus-export.service.js';
import { invalidInput } from '../../platform/errors/error-factories.js';
import { costQueryOf, type CostsRequest, daysOf, filterOf, type CostFilterRequest } from './costs.request.dto.js';
import { CostsResponse, type CostGroupResponse } from './costs.response.dto.js';
import { csvLine, type CsvCell } from '../../platform/csv/csv-line.rules.js';
import { COUNTED_KINDS } from '../../costs/usage-kinds.data.js';

/** About 15 MB of JSON. */
const GROUPS_MAX = 20_000;
const CSV_ROWS_MAX = 100_000;

/** Reads costs for the Admin API and the command line. */
@Injectable()
export class CostReads {
  constructor(
    private readonly reports: CostReports,
    private readonly focusExport: FocusExport,
    private readonly clock: Clock,
  ) {}

  /** @throws GatewayError `validation_error` if the page has more than 20,000 groups, which only days of values can have */
  report(query: CostsRequest): Promise<CostsResponse> {
    const expected = 'a smaller number, because the page has more than 20,000 groups';
    return this.read(query, { rowsMax: GROUPS_MAX }, 'limit', expected);
  }

  /** Returns all groups. @throws GatewayError `validation_error` if there are more than 100,000 */
  async csv(query: CostsRequest): Promise<string> {
    const all = { limit: CSV_ROWS_MAX + 1, offset: 0, rowsMax: CSV_ROWS_MAX };
    const expected = 'a later day, because the file would have more than 100,000 rows';
    return costCsv(await this.read(query, all, 'since', expected));
  }

  focus(query: CostFilterRequest): Promise<AsyncIterable<string>> {
    return this.focusExport.read(daysOf(query, this.clock.now()), filterOf(query));
  }

  /** @param param the field to reject if the page has more than `rowsMax` groups. The error asks for the value `expected` */
  private async read(
    given: CostsRequest,
    page: Pick<CostQuery, 'rowsMax'> & Partial<CostQuery>,
    param: string,
    expected: string,
  ): Promise<CostsResponse> {
    const nowMs = this.clock.now();
    const query = { ...costQueryOf(given, nowMs), ...page };
    const report = await this.reports.read(query, nowMs);
    if (!report.complete) throw invalidInput(param, expected);
    return CostsResponse.of(report, query);
  }
}

type Identity = 'day' | 'key_id' | 'key_name' | 'team_id' | 'team_name' | 'model' | 'endpoint' | 'provider';

const FIGURES = [
  'cost',
  'currency',
  'requests',
  'unpriced_requests',
  'estimated_requests',
  'backfilled_requests',
] as const;

/** The groups of a report as a CSV file with a header. The columns depend only on the grouping. */
function costCsv({ groups, group_by: grouping }: Pick<CostsResponse, 'groups' | 'group_by'>): string {
  const identity = identityOf(grouping as Grouping);
  const head = csvLine([...identity, ...FIGURES, ...COUNTED_KINDS]);
  return head + groups.map((group) => csvLine(cellsOf(group, identity))).join('');
}

export function identityOf(grouping: Grouping): Identity[] {
  const dimension = dimensionOf(grouping);
  return [...(isByDay(grouping) ? (['day'] as const) : []), ...(dimension === null ? [] : IDENTITIES[dimension])];
}

const IDENTITIES: Readonly<Record<Dimension, readonly Identity[]>> = {
  key: ['key_id', 'key_name'],
  team: ['team_id', 'team_name'],
  model: ['model'],
  endpoint: ['endpoint'],
  provider: ['provider'],
};

function cellsOf(group: CostGroupResponse, identity: readonly Identity[]): CsvCell[] {
  const counts: Readonly<Record<string, number>> = { ...group.tokens, ...group.units };
  return [
    ...identity.map((name) => group[name] ?? null),
    ...FIGURES.map((name) => group[name]),
    ...COUNTED_KINDS.map((kind) => counts[kind]!),
  ];
}
