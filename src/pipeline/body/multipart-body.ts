import { requestTooLarge, unreadableForm } from '../../errors/catalogue.js';
import { FormFile } from '../../validation/form-kinds.js';
import { FormSyntaxError, parseMultipartForm, type Form } from './multipart-form.js';

/** Of one file (D7). The route bounds the body as a whole. */
const FORM_FILE_BYTES_MAX = 25 * 1024 * 1024;

/**
 * Reads the fields of a held form, for the gate and the rules of its route.
 * @param syntaxParam The `param` of the error about a malformed form; `model` by the specification (D29)
 * @throws GatewayError `request_too_large` for a file above the bound; `invalid_value` for a form that cannot be read
 */
export function readForm(body: Buffer, boundary: string, syntaxParam: 'model' | null): Form {
  const form = parsedForm(body, boundary, syntaxParam);
  const tooLarge = (value: Form[string]) => value instanceof FormFile && value.bytes > FORM_FILE_BYTES_MAX;
  if (Object.values(form).flat().some(tooLarge)) throw requestTooLarge(FORM_FILE_BYTES_MAX);
  return form;
}

function parsedForm(body: Buffer, boundary: string, syntaxParam: 'model' | null): Form {
  try {
    return parseMultipartForm(body, boundary);
  } catch (error) {
    if (error instanceof FormSyntaxError) throw unreadableForm(error.message, error.remedy, syntaxParam);
    throw error;
  }
}
