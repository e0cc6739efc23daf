import { isUtf8 } from 'node:buffer';
import { invalidContentType, invalidForm } from '../../../platform/errors/error-factories.js';
import type { GatewayError } from '../../../platform/errors/gateway-error.js';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

const TYPE_PARAMETER = new RegExp(
  `[ \\t]*;[ \\t]*(${TOKEN})=(?:"([\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*)"|(${TOKEN}))`,
  'y',
);
const FORM_TYPE = /^[ \t]*multipart\/form-data/i;
const FORM = /^[ \t]*multipart\/form-data[ \t]*(?:;|$)/i;

/** RFC 2046: 1 to 70 characters, the last of which is not a space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

export const isForm = (contentType = ''): boolean => FORM.test(contentType);

/**
 * Checks strictly, because the upstream reads the same header. With two boundaries, `boundary*` or a charset other than UTF-8,
 * it could read a different form (D29).
 * @throws GatewayError `invalid_content_type`
 */
export function boundaryOf(contentType: string | undefined): string {
  const parameters = parametersOf(contentType ?? '');
  const boundary = parameters?.get('boundary');
  if (
    parameters === null ||
    boundary === undefined ||
    !BOUNDARY.test(boundary) ||
    !isUtf8Charset(parameters.get('charset'))
  ) {
    throw invalidContentType('multipart/form-data; boundary=…');
  }
  return boundary;
}

function parametersOf(contentType: string): Map<string, string> | null {
  const type = FORM_TYPE.exec(contentType);
  if (type === null) return null;
  const parameters = new Map<string, string>();
  const text = contentType.trimEnd();
  TYPE_PARAMETER.lastIndex = type[0].length;
  while (TYPE_PARAMETER.lastIndex < text.length) {
    const match = TYPE_PARAMETER.exec(text);
    if (match === null) return null;
    const name = match[1]!.toLowerCase();
    if (parameters.has(name) || name.includes('*')) return null;
    parameters.set(name, match[2] ?? match[3]!);
  }
  return parameters;
}

const isUtf8Charset = (charset: string | undefined): boolean => charset === undefined || /^utf-?8$/i.test(charset);

const NAME_LENGTH_MAX = 200;
const LINE = new RegExp(`^(${TOKEN}):[ ]?(.*)$`);
const FORM_DATA = 'form-data';
const DISPOSITION_REMEDY = `Begin each part with 'Content-Disposition: form-data; name="FIELD"'`;
const PARAMETER = new RegExp(`; ?(name|filename|filename\\*)=(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}))`, 'y');
/** A parser that searches for `name=`, or splits at every semicolon, would find a second name here. */
const HIDES_A_NAME = /name\*?\s*=/i;
/** In all of these charsets, bytes below 0x80 are ASCII. */
const PLAIN_TEXT = /^text\/plain(?: *; *charset="?(?:utf-?8|us-ascii|iso-8859-1|windows-1252)"?)?$/i;
const IDENTITY_ENCODING = /^(?:7bit|8bit|binary)$/i;

export interface PartHead {
  readonly name: string;
  readonly filename: string | null;
  readonly isFile: boolean;
}

/**
 * Parses the headers of a part by the strict grammar that browsers, curl and the SDKs follow. Parsers disagree on everything
 * else (folded lines, `name*`, escapes, encodings), so the upstream could read a different model (D29).
 * @throws GatewayError `invalid_value`, param `model`
 */
export function readPartHead(head: Buffer): PartHead {
  if (!isUtf8(head)) throw ambiguousForm('the headers of a part are not UTF-8', 'Encode names in UTF-8');
  const lines = linesOf(head.toString());
  const { name, filename } = dispositionOf(lines.get('content-disposition'));
  if (!IDENTITY_ENCODING.test(lines.get('content-transfer-encoding') ?? 'binary')) {
    throw ambiguousForm('a part has a transfer encoding', 'Send its content unencoded');
  }
  const type = lines.get('content-type');
  const isFile = filename !== null || (type !== undefined && !/^text\/plain *(?:;|$)/i.test(type));
  if (!isFile && type !== undefined && !PLAIN_TEXT.test(type)) {
    throw ambiguousForm(
      'the Content-Type of a text field has a parameter other than an ASCII-compatible charset',
      'Omit the Content-Type',
    );
  }
  return { name, filename, isFile };
}

/** The error for a form in which two parsers could read different models (D29). */
export const ambiguousForm = (problem: string, remedy: string): GatewayError => invalidForm(problem, remedy, 'model');

function linesOf(head: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const match = LINE.exec(line);
    // Parsers read a tab, a bare CR or LF, and a NUL differently.
    if (match === null || CONTROL.test(line))
      throw ambiguousForm('a header line of a part is malformed', 'Write each header on its own line as "Name: value"');
    const name = match[1]!.toLowerCase();
    if (values.has(name)) throw ambiguousForm(`a part has two ${name} headers`, 'Send each header once');
    values.set(name, match[2]!);
  }
  return values;
}

const CONTROL = /\p{Cc}/u;

function dispositionOf(value: string | undefined): { name: string; filename: string | null } {
  if (value === undefined || !value.startsWith(FORM_DATA))
    throw ambiguousForm('a part is not form-data', DISPOSITION_REMEDY);
  const given = new Map<string, string>();
  PARAMETER.lastIndex = FORM_DATA.length;
  while (PARAMETER.lastIndex < value.length) {
    const match = PARAMETER.exec(value);
    if (match === null || given.has(match[1]!))
      throw ambiguousForm("a part's Content-Disposition is malformed", DISPOSITION_REMEDY);
    given.set(match[1]!, match[2] ?? match[3]!);
  }
  const name = given.get('name');
  const filename = given.get('filename') ?? given.get('filename*') ?? null;
  if (name === undefined || name === '' || name.length > NAME_LENGTH_MAX || name.includes('\\')) {
    throw ambiguousForm('a part has no valid name', DISPOSITION_REMEDY);
  }
  if ([name, filename, given.get('filename*')].some((text) => HIDES_A_NAME.test(text ?? ''))) {
    throw ambiguousForm('a file name contains "name=", which could be read as a second name', 'Rename the file');
  }
  return { name: unescaped(name), filename };
}

/** Browsers and SDKs escape only these three characters. */
const unescaped = (name: string): string => name.replace(/%22/g, '"').replace(/%0d/gi, '\r').replace(/%0a/gi, '\n');
