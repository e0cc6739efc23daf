import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { PASSWORD_LENGTH, ROLES, type Role } from '../operators/account.rules.js';
import type { CallerSession } from '../request-context/caller-session.js';
import { ApiField, HasLength } from '../validation/input.decorators.js';

/** Accepts any text: an impossible email or password gets the response of a wrong one (D19). */
export class SignInRequest {
  @ApiField({ description: 'In any letter case.', example: 'ada@example.com' })
  @IsString()
  email: string;

  @ApiField({ example: 'correct horse battery staple' })
  @IsString()
  password: string;
}

export class ChangePasswordRequest {
  @ApiField({ example: 'correct horse battery staple' })
  @IsString()
  current_password: string;

  @ApiField({ example: 'a longer horse, a newer battery' })
  @HasLength(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  @IsString()
  new_password: string;
}

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

/** The operator of a session. The secret of the session is only in the cookie. */
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
