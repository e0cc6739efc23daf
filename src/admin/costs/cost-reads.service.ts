import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import type { CostQuery } from '../../costs/report/cost-query.js';
import { CostReports } from '../../costs/report/cost-report.service.js';
import { FocusExport } from '../../costs/report/focus-export.service.js';
import { invalidInput } from '../../errors/error-factories.js';
import { costCsv } from './cost-csv.js';
import { costQueryOf, type CostsRequest, daysOf, filterOf, type CostFilterRequest } from './costs.request.dto.js';
import { CostsResponse } from './costs.response.dto.js';

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

  /** The parts of a CSV file in the format of FOCUS 1.2. */
  focus(query: CostFilterRequest): Promise<AsyncIterable<string>> {
    return this.focusExport.read(daysOf(query, this.clock.now()), filterOf(query));
  }

  /** @param param and `expected` are those of the error if the page has more than `rowsMax` groups */
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
