import { requestTooLarge } from '../../errors/catalogue.js';
import { FormFile } from '../../validation/form-file.js';
import { parseMultipartForm, type Form } from './multipart-form.js';

/** Of one file (D7). The route bounds the body as a whole. */
const FORM_FILE_BYTES_MAX = 25 * 1024 * 1024;

/**
 * The fields that a held form has, for the gate and the rules of its route.
 * @throws GatewayError `request_too_large` for a file above the bound, else as `parseMultipartForm`
 */
export function readForm(body: Buffer, boundary: string): Form {
  const form = parseMultipartForm(body, boundary);
  const tooLarge = (value: Form[string]) => value instanceof FormFile && value.bytes > FORM_FILE_BYTES_MAX;
  if (Object.values(form).flat().some(tooLarge)) throw requestTooLarge(FORM_FILE_BYTES_MAX);
  return form;
}
