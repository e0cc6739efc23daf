import { invalidContentType } from '../../errors/catalogue.js';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** Quoted without escapes: no parameter of this type has any use for them. */
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(${TOKEN})=(?:"([\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*)"|(${TOKEN}))`, 'y');
const MEDIA_TYPE = /^[ \t]*multipart\/form-data/i;
const FORM = /^[ \t]*multipart\/form-data[ \t]*(?:;|$)/i;

/** What RFC 2046 lets a boundary be: 1 to 70 characters, no blank at its end. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/** Whether a content type says that the body is a form. */
export const isForm = (contentType = ''): boolean => FORM.test(contentType);

/**
 * The boundary that a form's content type names. Strict, for the upstream reads the same header: two boundaries, one in
 * the extended form (`boundary*`) or another charset than UTF-8 could be read as another form than ours (D29).
 * @throws GatewayError `invalid_content_type`
 */
export function boundaryOf(contentType: string | undefined): string {
  const parameters = parametersOf(contentType ?? '');
  const boundary = parameters?.get('boundary');
  if (parameters === null || boundary === undefined || !BOUNDARY.test(boundary) || !isUtf8(parameters.get('charset'))) {
    throw invalidContentType('multipart/form-data; boundary=…');
  }
  return boundary;
}

/** By lower-case name; null for another type, a malformed or a repeated parameter. */
function parametersOf(contentType: string): Map<string, string> | null {
  const type = MEDIA_TYPE.exec(contentType);
  if (type === null) return null;
  const parameters = new Map<string, string>();
  const text = contentType.trimEnd();
  PARAMETER.lastIndex = type[0].length;
  while (PARAMETER.lastIndex < text.length) {
    const match = PARAMETER.exec(text);
    if (match === null) return null;
    const name = match[1]!.toLowerCase();
    if (parameters.has(name) || name.includes('*')) return null;
    parameters.set(name, match[2] ?? match[3]!);
  }
  return parameters;
}

const isUtf8 = (charset: string | undefined): boolean => charset === undefined || /^utf-?8$/i.test(charset);
