import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import { EMAIL, NAME_LENGTH_MAX, PASSWORD_LENGTH, ROLES, type Role } from '../../operators/account.rules.js';
import { ApiField, CanBeAbsent, HasLength, IsStorable } from '../../validation/input.decorators.js';

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
  @IsStorable()
  @HasLength(1, NAME_LENGTH_MAX)
  @IsString()
  name: string;

  @ApiField()
  @IsIn(ROLES)
  role: Role;

  @Password()
  password: string;
}

export class UpdateOperatorRequest {
  @ApiField(NAME)
  @IsStorable()
  @HasLength(1, NAME_LENGTH_MAX)
  @IsString()
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
