import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import type { Operator } from '../../auth/operators/operators.service.js';
import { EMAIL, NAME_LENGTH_MAX } from '../../auth/operators/operator.rules.js';
import { PASSWORD_LENGTH } from '../../auth/operators/password.rules.js';
import { ROLES, type Role } from '../../auth/operators/role.rules.js';
import { Page, pageOf } from '../page.dto.js';
import {
  ApiField,
  CanBeAbsent,
  HasLength,
  IsStorable,
  IsStoredText,
} from '../../platform/validation/input.decorators.js';
import { TIME } from '../fields.data.js';

const NAME = { example: 'Ada' };

const Password = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    HasLength(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max),
    ApiField({ example: 'correct horse battery staple' }),
  );

export class CreateOperatorRequest {
  @ApiField({ example: 'ada@example.com', description: 'Must be unique. Letter case is ignored.' })
  @IsStorable()
  @Matches(EMAIL, { message: 'an email address' })
  @IsString()
  email: string;

  @ApiField(NAME)
  @IsStoredText(NAME_LENGTH_MAX)
  name: string;

  @ApiField()
  @IsIn(ROLES)
  role: Role;

  @Password()
  password: string;
}

export class UpdateOperatorRequest {
  @ApiField(NAME)
  @IsStoredText(NAME_LENGTH_MAX)
  @CanBeAbsent()
  name?: string;

  @ApiField()
  @IsIn(ROLES)
  @CanBeAbsent()
  role?: Role;

  @ApiField({ description: '`true` ends all sessions of the operator and prevents sign-in.' })
  @IsBoolean()
  @CanBeAbsent()
  disabled?: boolean;
}

export class SetPasswordRequest {
  @Password()
  new_password: string;
}

const ID = { format: 'uuid', example: '0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80' } as const;

export class OperatorResponse {
  @ApiProperty(ID)
  id: string;

  @ApiProperty({ example: 'ada@example.com' })
  email: string;

  @ApiProperty({ example: 'Ada' })
  name: string;

  @ApiProperty({ enum: ROLES })
  role: Role;

  @ApiProperty()
  disabled: boolean;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null if the operator has never signed in.' })
  last_login_at: Date | null;

  @ApiProperty(TIME)
  created_at: Date;

  static of({ id, email, name, role, disabled, lastLoginAt, createdAt }: Operator): OperatorResponse {
    return { id, email, name, role, disabled, last_login_at: lastLoginAt, created_at: createdAt };
  }
}

export class OperatorListResponse extends Page {
  @ApiProperty({ type: [OperatorResponse] })
  operators: OperatorResponse[];

  static of({ total, operators }: { total: number; operators: Operator[] }, offset: number): OperatorListResponse {
    const rows = operators.map((operator) => OperatorResponse.of(operator));
    return { ...pageOf(total, offset, rows.length), operators: rows };
  }
}
