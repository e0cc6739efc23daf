import { validationError } from '../errors/catalogue.js';

/** An e-mail address, blanks around it allowed: they are taken off. 254 characters at most without them. */
export const EMAIL = /^\s*[^\s@]{1,64}@[^\s@]{1,189}\s*$/;
export const NAME_LENGTH_MAX = 255;
/** In characters, not bytes. The upper bound keeps the work of a hash small. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

/** What makes two e-mails one: letter case and the way in which accents are written do not count. */
export function emailKeyOf(email: string): string {
  return email.trim().toWellFormed().normalize('NFC').toLowerCase();
}

/** The e-mail as it is kept. @throws GatewayError `validation_error`, param `email` */
export function checkedEmail(email: string): string {
  if (!EMAIL.test(email) || email.includes('\0')) {
    throw validationError('email', "Invalid value for 'email': it must be an e-mail address.");
  }
  return email.trim().toWellFormed();
}

/** @throws GatewayError `validation_error`, param `name` */
export function checkedName(name: string): string {
  const { length } = Array.from(name);
  if (length < 1 || length > NAME_LENGTH_MAX || name.includes('\0')) {
    throw validationError('name', `Invalid value for 'name': it must be 1 to ${NAME_LENGTH_MAX} characters.`);
  }
  return name.toWellFormed();
}

/** @param param the field that holds it @throws GatewayError `validation_error` */
export function checkedPassword(password: string, param: 'password' | 'new_password'): string {
  const { length } = Array.from(password);
  const { min, max } = PASSWORD_LENGTH;
  if (length >= min && length <= max) return password;
  throw validationError(param, `Invalid value for '${param}': it must be ${min} to ${max} characters.`);
}
