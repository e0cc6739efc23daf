import type { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { readForm } from '../../../src/proxy/pipeline/body/multipart-form.js';
import { BOUNDARY, formOf, text, type TestPart } from '../../support/multipart-forms.js';

export const WHOLE = formOf([text('a', 'b')]).toString();
/** The result of `refusalOf` for a form in which two parsers could read different models. */
export const REFUSED = 'invalid_value model';

export const parse = (body: Buffer | string, boundary = BOUNDARY) => readForm(Buffer.from(body), boundary, 'model');
export const fieldsOf = (...parts: TestPart[]) => parse(formOf(parts));

/** Returns the code and `param` of the error, or `read` if there is no error. */
export function refusalOf(read: () => unknown): string {
  try {
    read();
    return 'read';
  } catch (error) {
    const { code, param } = error as GatewayError;
    return `${code} ${param}`;
  }
}

/** Reads a form with one part that has these header lines. */
export const head =
  (lines: string, content = 'x') =>
  () =>
    fieldsOf({ head: lines, content });
export const disposition = (value: string) => head(`Content-Disposition: ${value}`);
