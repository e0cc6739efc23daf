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
  @ApiField({ example: 'ada@example.com', description: 'Nobody else may have it, in any letter case.' })
  @IsStorable()
  @Matches(EMAIL, { message: 'an e-mail address' })
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

/** A field that is left out stays as it is. */
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

  @ApiField({ description: 'true: may not sign in, and every session has ended.' })
  @IsBoolean()
  @CanBeAbsent()
  disabled?: boolean;
}

export class SetPasswordRequest {
  @Password()
  new_password: string;
}
