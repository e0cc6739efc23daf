import {
  type StatisticsQuery,
  type StatisticsSort,
  ENDPOINT_SORTS,
  TOKEN_SORTS,
} from '../../stats/aggregates/statistics-query.js';
import { IsNotAfter } from '../../validation/input.decorators.js';
import { QueryEnum, QueryInteger, QueryText, QueryTimestamp, QueryUuid } from '../../validation/query-fields.js';

const DEFAULT_SPAN_MS = 30 * 86_400_000;
/** The earliest time that both the database and ISO 8601 write with four digits. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');

class StatisticsRequest {
  @QueryUuid('Only requests of this key.')
  key_id?: string;

  @QueryText({ max: 200, description: 'Only requests for this model.' })
  model?: string;

  @IsNotAfter('until')
  @QueryTimestamp({ description: 'Earliest time. The default is 30 days before `until`.' })
  since?: number;

  @QueryTimestamp({ description: 'Latest time. The default is now.' })
  until?: number;

  @QueryInteger({ min: 1, max: 500, byDefault: 20 })
  limit: number;

  @QueryEnum(['asc', 'desc'], { byDefault: 'desc' })
  sort_dir: 'asc' | 'desc';
}

export class EndpointStatsRequest extends StatisticsRequest {
  @QueryEnum(ENDPOINT_SORTS, { byDefault: 'request_count' })
  sort_by: (typeof ENDPOINT_SORTS)[number];
}

export class TokenStatsRequest extends StatisticsRequest {
  @QueryEnum(TOKEN_SORTS, { byDefault: 'request_count' })
  sort_by: StatisticsSort;
}

export function statisticsQueryOf(query: EndpointStatsRequest | TokenStatsRequest, nowMs: number): StatisticsQuery {
  const { key_id: keyId = null, model = null, until: untilMs = null, limit } = query;
  // Relative to `until`, so that a range that ends in the past is not empty.
  const { since: sinceMs = Math.max(FIRST_MS, Math.min(nowMs, untilMs ?? nowMs) - DEFAULT_SPAN_MS) } = query;
  return { keyId, model, sinceMs, untilMs, limit, sortBy: query.sort_by, sortDir: query.sort_dir };
}
