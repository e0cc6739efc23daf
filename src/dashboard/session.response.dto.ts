import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../operators/account.rules.js';
import type { CallerSession } from '../request-context/caller-session.js';

class SignedInOperator {
  @ApiProperty({ format: 'uuid', example: '0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80' })
  id: string;

  @ApiProperty({ example: 'ada@example.com' })
  email: string;

  @ApiProperty({ example: 'Ada' })
  name: string;

  @ApiProperty({ enum: ROLES })
  role: Role;
}

/** Who is signed in. The session's own secret is in the cookie alone. */
export class DashboardSessionResponse {
  @ApiProperty({ type: SignedInOperator })
  operator: SignedInOperator;

  @ApiProperty({
    description: 'To be sent as `X-CSRF-Token` with every call but `GET`; the same for the whole session.',
    example: 'kQ2pX0r4…',
  })
  csrf_token: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'Seven days from the last extension; activity extends it, every 15 minutes at most.',
    example: '2026-03-08T12:00:00.000Z',
  })
  expires_at: Date;

  static of({ session, operator }: CallerSession, csrfToken: string): DashboardSessionResponse {
    const { id, email, name, role } = operator;
    return { operator: { id, email, name, role }, csrf_token: csrfToken, expires_at: session.expiresAt };
  }
}
