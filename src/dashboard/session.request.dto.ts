import { StringField } from '../validation/fields.js';

/** Any text will do: what cannot be right gets the answer of what is wrong (D19). */
export class SignInRequest {
  @StringField({ required: true, description: 'In any letter case.', example: 'ada@example.com' })
  email: string;

  @StringField({ required: true, example: 'correct horse battery staple' })
  password: string;
}
