import { ApiProperty } from '@nestjs/swagger';
import type { Days } from '../../costs/days.rules.js';
import { ERROR_CODES, type ErrorCode } from '../../platform/errors/error-code.data.js';
import { QueryText, QueryUuid } from '../../platform/validation/query-fields.js';
import type { RequestErrorFilter, RequestErrors } from '../../stats/reports/request-errors.read-model.js';
import { QueryTag } from '../teams/tags.decorators.js';
import { DaysRequest } from '../usage/usage.dto.js';
import { COUNT, DAY } from '../fields.data.js';

export class RequestErrorsRequest extends DaysRequest {
  @QueryUuid('Only requests of this key.')
  key_id?: string;

  @QueryUuid('Only requests of the keys that belong to this team now.')
  team_id?: string;

  @QueryTag('Only requests of the keys that have this tag now, or whose team has it.')
  tag?: string;

  @QueryText({ min: 1, max: 200, description: 'Only requests with this error code, such as `rate_limit_exceeded`.' })
  error_code?: string;
}

export const requestErrorFilterOf = ({
  key_id,
  team_id,
  tag,
  error_code,
}: RequestErrorsRequest): RequestErrorFilter => ({
  keyId: key_id,
  teamId: team_id,
  tag,
  code: error_code,
});

const TEXT_OR_NULL = { type: String, nullable: true } as const;

class ErrorCounts {
  @ApiProperty({ ...COUNT, description: 'Rejected and failed requests.' })
  requests: number;

  @ApiProperty({
    ...COUNT,
    description: 'Part of `requests` that was not admitted. Usage contains the others, as `errors`.',
  })
  rejected: number;
}

class DayErrors extends ErrorCounts {
  @ApiProperty(DAY)
  date: string;
}

class CodeErrors extends ErrorCounts {
  @ApiProperty({
    example: 'model_not_available',
    description: '`other` for errors without a code of the gateway, such as those of a provider.',
  })
  error_code: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 403, description: 'Status of the code. Null for `other`.' })
  status: number | null;
}

class TeamErrors extends ErrorCounts {
  @ApiProperty({ ...TEXT_OR_NULL, format: 'uuid', example: null, description: 'Team of the key now.' })
  team_id: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, example: null })
  team_name: string | null;
}

class KeyErrors extends TeamErrors {
  @ApiProperty({
    ...TEXT_OR_NULL,
    format: 'uuid',
    example: '5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f',
    description: 'Null for requests without a known key.',
  })
  key_id: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, example: 'billing service' })
  key_name: string | null;
}

export class RequestErrorsResponse {
  @ApiProperty({ enum: ['request_errors'] })
  object: 'request_errors';

  @ApiProperty(DAY)
  from: string;

  @ApiProperty({ ...DAY, description: 'Last day, included.' })
  to: string;

  @ApiProperty({ type: ErrorCounts })
  totals: ErrorCounts;

  @ApiProperty({ type: [DayErrors], description: 'Days with failed requests, newest first.' })
  daily: DayErrors[];

  @ApiProperty({ type: [CodeErrors], description: 'The most frequent first.' })
  by_error_code: CodeErrors[];

  @ApiProperty({ type: [KeyErrors], description: 'The 500 keys with the most failed requests.' })
  by_key: KeyErrors[];

  @ApiProperty({ type: [TeamErrors], description: 'The 500 teams with the most failed requests.' })
  by_team: TeamErrors[];

  static of({ from, to }: Days, { total, byDay, byCode, byKey, byTeam }: RequestErrors): RequestErrorsResponse {
    return {
      object: 'request_errors',
      from,
      to,
      totals: total,
      daily: byDay.map(({ day, ...counts }) => ({ date: day, ...counts })),
      by_error_code: byCode.map(({ code, ...counts }) => ({ error_code: code, status: statusOf(code), ...counts })),
      by_key: byKey.map(({ keyId, keyName, ...team }) => ({ key_id: keyId, key_name: keyName, ...teamOf(team) })),
      by_team: byTeam.map(teamOf),
    };
  }
}

const teamOf = ({ teamId, teamName, ...counts }: RequestErrors['byTeam'][number]): TeamErrors => ({
  team_id: teamId,
  team_name: teamName,
  ...counts,
});

const statusOf = (code: string): number | null =>
  Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as ErrorCode].status : null;
