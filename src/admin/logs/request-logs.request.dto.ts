import type { RequestLogFilter } from '../../stats/reports/request-logs.read-model.js';
import { IsNotAfter } from '../../validation/input.decorators.js';
import { QueryInteger, QueryText, QueryTimestamp, QueryUuid } from '../../validation/query-fields.js';
import { LogPageRequest } from '../page.dto.js';

const TEXT = { min: 1, max: 200 } as const;

export class ListRequestLogsRequest extends LogPageRequest {
  @QueryUuid(
    'The `X-Request-Id` of a response. It also finds rejected requests from the last 7 days that were not sampled.',
  )
  request_id?: string;

  @QueryUuid('Only requests of this key.')
  key_id?: string;

  @QueryText({ ...TEXT, description: 'Exact model ID in the request.' })
  model?: string;

  @QueryText({ ...TEXT, description: 'Path template of the route, such as `/v1/files/{file_id}`.' })
  endpoint?: string;

  @QueryInteger({ min: 100, max: 599, description: 'Response status. 499 if the client disconnected first.' })
  status?: number;

  @IsNotAfter('until')
  @QueryTimestamp({ description: 'Earliest start of a request.' })
  since?: number;

  @QueryTimestamp({ description: 'Latest start of a request. Use the same value for all pages.' })
  until?: number;
}

export function requestLogFilterOf(query: ListRequestLogsRequest): RequestLogFilter {
  const { request_id = null, key_id = null, model = null, endpoint = null, status = null } = query;
  const { since = null, until = null } = query;
  return { requestId: request_id, keyId: key_id, model, endpoint, status, sinceMs: since, untilMs: until };
}
