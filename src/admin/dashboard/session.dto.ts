import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsString } from 'class-validator';
import { PASSWORD_LENGTH } from '../../auth/operators/password.rules.js';
import type { OwnPasswordChange } from '../../auth/operators/operators.service.js';
import { ROLES, type Role } from '../../auth/operators/role.rules.js';
import type { Config } from '../../platform/config/config.js';
import type { CallerSession } from '../../platform/request-context/caller-session.js';
import { ApiField, CanBeAbsent, HasLength } from '../../platform/validation/input.decorators.js';

/** Accepts any text, so that a malformed email or password gets the same response as a wrong one (D19). */
export class SignInRequest {
  @ApiField({ description: 'Email of the operator, case-insensitive.', example: 'ada@example.com' })
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

  @ApiField({
    description:
      'Whether all other sessions of the operator end. The default is `true` with `GW_PROFILE=current`, and otherwise `false`.',
  })
  @IsBoolean()
  @CanBeAbsent()
  end_other_sessions?: boolean;
}

/** @param sessionId the caller's session, which a password change does not end */
export function passwordChangeOf(
  { current_password: current, new_password: next, end_other_sessions: endsOthers }: ChangePasswordRequest,
  sessionId: string,
  { isCurrentProfile }: Pick<Config, 'isCurrentProfile'>,
): OwnPasswordChange {
  return { current, next, onlySessionLeft: (endsOthers ?? isCurrentProfile) ? sessionId : null };
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

export class DashboardSessionResponse {
  @ApiProperty({ type: SignedInOperator })
  operator: SignedInOperator;

  @ApiProperty({
    description: 'Send it as `X-CSRF-Token` with every request except `GET`. It stays the same for the whole session.',
    example: 'kQ2pX0r4…',
  })
  csrf_token: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description:
      'Seven days after the last extension, and at most `GW_SESSION_MAX_HOURS` after the sign-in. Activity extends the session, at most every 15 minutes.',
    example: '2026-03-08T12:00:00.000Z',
  })
  expires_at: Date;

  static of({
    session,
    operator,
    csrfToken,
  }: CallerSession & { readonly csrfToken: string }): DashboardSessionResponse {
    const { id, email, name, role } = operator;
    return { operator: { id, email, name, role }, csrf_token: csrfToken, expires_at: session.expiresAt };
  }
}
