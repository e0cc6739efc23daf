import { EMAIL, NAME_LENGTH_MAX, PASSWORD_LENGTH, ROLES, type Role } from '../../operators/account.rules.js';
import { BooleanField, EnumField, StringField } from '../../validation/fields.js';

const NAME = { min: 1, max: NAME_LENGTH_MAX, stored: true, example: 'Ada' } as const;
const PASSWORD = { ...PASSWORD_LENGTH, example: 'correct horse battery staple' } as const;
const ADDRESS = { pattern: EMAIL, stored: true, expected: 'an e-mail address', example: 'ada@example.com' } as const;

export class CreateOperatorRequest {
  @StringField({ ...ADDRESS, required: true, description: 'Nobody else may have it, in any letter case.' })
  email: string;

  @StringField({ ...NAME, required: true })
  name: string;

  @EnumField(ROLES, { required: true })
  role: Role;

  @StringField({ ...PASSWORD, required: true })
  password: string;
}

/** What is left out stays as it is. */
export class UpdateOperatorRequest {
  @StringField(NAME)
  name?: string;

  @EnumField(ROLES)
  role?: Role;

  @BooleanField({ description: 'true: may not sign in, and every session has ended.' })
  disabled?: boolean;
}

export class SetPasswordRequest {
  @StringField({ ...PASSWORD, required: true })
  new_password: string;
}
