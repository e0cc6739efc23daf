import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { csvLine, type CsvCell } from '../../platform/csv/csv-line.rules.js';
import { startedParts } from '../../platform/csv/csv-stream.js';
import { RequestList, type RequestListQuery } from '../../stats/reports/request-list.read-model.js';
import {
  ListedRequestResponse,
  RequestListResponse,
  requestListQueryOf,
  type ListRequestsRequest,
} from './requests.dto.js';

const ROWS_PER_PART = 1000;

/** Reads kept requests for the Admin API and the command line. */
@Injectable()
export class RequestReads {
  constructor(
    private readonly list: RequestList,
    private readonly config: Config,
  ) {}

  async page(query: ListRequestsRequest): Promise<RequestListResponse> {
    return RequestListResponse.of(
      await this.list.page(requestListQueryOf(query)),
      query.sort,
      this.config.logSampleRate,
    );
  }

  /** The parts of a CSV file with all matching requests, from the cursor on. */
  csv(query: ListRequestsRequest): Promise<AsyncIterable<string>> {
    return startedParts(this.parts({ ...requestListQueryOf(query), limit: ROWS_PER_PART }));
  }

  private async *parts(query: RequestListQuery): AsyncGenerator<string, void> {
    let head = csvLine(COLUMNS);
    for (let { after } = query; ;) {
      const { requests, next } = await this.list.page({ ...query, after });
      yield head + requests.map((request) => csvLine(cellsOf(ListedRequestResponse.listed(request)))).join('');
      if (next === null) return;
      head = '';
      after = next;
    }
  }
}

const COLUMNS = [
  'request_id',
  'created_at',
  'status',
  'error_code',
  'error_message',
  'method',
  'endpoint',
  'model',
  'key_id',
  'key_name',
  'team_id',
  'team_name',
  'upstream',
  'latency_ms',
  'upstream_latency_ms',
  'stream',
  'input_tokens',
  'output_tokens',
  'usage_source',
  'cost',
  'currency',
  'sampled',
] as const satisfies (keyof ListedRequestResponse)[];

function cellsOf(request: ListedRequestResponse): CsvCell[] {
  return COLUMNS.map((name) => {
    const value = request[name];
    return value instanceof Date ? value.toISOString() : value;
  });
}
