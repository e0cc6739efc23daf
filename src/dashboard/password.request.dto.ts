import { PASSWORD_LENGTH } from '../operators/account.rules.js';
import { StringField } from '../validation/fields.js';

export class ChangePasswordRequest {
  @StringField({ required: true, example: 'correct horse battery staple' })
  current_password: string;

  @StringField({ ...PASSWORD_LENGTH, required: true, example: 'a longer horse, a newer battery' })
  new_password: string;
}
