import type { RequestLogFilter } from '../../stats/reports/request-logs.read-model.js';
import { IsNotAfter } from '../../validation/input.decorators.js';
import { QueryInteger, QueryText, QueryTimestamp, QueryUuid } from '../../validation/query-fields.js';
import { LogPageRequest } from '../page.dto.js';

const TEXT = { min: 1, max: 200 } as const;

export class ListRequestLogsRequest extends LogPageRequest {
  @QueryUuid(
    'The `X-Request-Id` of an answer. Finds refused requests of the last 7 days too, which no other listing holds.',
  )
  request_id?: string;

  @QueryUuid('Requests of one key.')
  key_id?: string;

  @QueryText({ ...TEXT, description: 'The model asked for, to the letter.' })
  model?: string;

  @QueryText({ ...TEXT, description: "The route's template, e.g. `/v1/files/{file_id}`." })
  endpoint?: string;

  @QueryInteger({ min: 100, max: 599, description: 'What the client was answered; 499 where it went away before.' })
  status?: number;

  @IsNotAfter('until')
  @QueryTimestamp({ description: 'Begun at or after.' })
  since?: number;

  @QueryTimestamp({ description: 'Begun at or before. To read page after page, leave it at one moment.' })
  until?: number;
}

export function requestLogFilterOf(query: ListRequestLogsRequest): RequestLogFilter {
  const { request_id = null, key_id = null, model = null, endpoint = null, status = null } = query;
  const { since = null, until = null } = query;
  return { requestId: request_id, keyId: key_id, model, endpoint, status, sinceMs: since, untilMs: until };
}
