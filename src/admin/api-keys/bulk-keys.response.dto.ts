import { ApiProperty } from '@nestjs/swagger';
import type { BulkOutcome } from '../../keys/bulk-transitions.service.js';
import { ApiKeyStatusResponse, RevokedApiKeyResponse } from './api-key.response.dto.js';

/** Why one of the keys is as it was. */
class FailedKey {
  @ApiProperty({ example: '0b9a7c1d-52f4-4e0b-8f43-6a1e2d3c4b5a' })
  id: string;

  @ApiProperty({
    description:
      'What the single call answers: `not_found` for an unknown key too. `service_unavailable`: the database went away ' +
      'before this key was done; to be asked for again.',
    example: 'not_found',
  })
  code: string;

  @ApiProperty({ example: 'API key not found or not active' })
  message: string;
}

const IN_ORDER = 'In the order of the request.';
const AS_SINGLE = 'What the single call answers for each, in the order of the request.';

/** After bulk-suspend and bulk-unsuspend. */
export class BulkStatusResponse {
  @ApiProperty({ type: [ApiKeyStatusResponse], description: AS_SINGLE })
  succeeded: ApiKeyStatusResponse[];

  @ApiProperty({ type: [FailedKey], description: IN_ORDER })
  failed: FailedKey[];

  static of(outcome: BulkOutcome): BulkStatusResponse {
    return {
      succeeded: outcome.succeeded.map((key) => ApiKeyStatusResponse.of(key)),
      failed: failedOf(outcome),
    };
  }
}

export class BulkRevokeResponse {
  @ApiProperty({ type: [RevokedApiKeyResponse], description: AS_SINGLE })
  succeeded: RevokedApiKeyResponse[];

  @ApiProperty({ type: [FailedKey], description: IN_ORDER })
  failed: FailedKey[];

  static of(outcome: BulkOutcome): BulkRevokeResponse {
    return {
      succeeded: outcome.succeeded.map((key) => RevokedApiKeyResponse.of(key)),
      failed: failedOf(outcome),
    };
  }
}

const failedOf = ({ failed }: BulkOutcome): FailedKey[] =>
  failed.map(({ id, error: { code, message } }) => ({ id: id.toLowerCase(), code, message }));
