import { invalidValue, requestTooLarge, invalidForm } from '../../../platform/errors/error-factories.js';
import type { RequestContext } from '../../../platform/request-context/request-context.js';
import { FILE_HEAD_BYTES, FormFile } from '../../../platform/validation/form-kinds.js';
import { rejectOtherReadings } from './ambiguous-form-fields.rules.js';
import { readPartHead, type PartHead } from './multipart-headers.js';

export const PARTS_MAX = 1_000;
export const HEAD_BYTES_MAX = 8 * 1024;
/** Limits all text fields together, which are copied to memory in addition to the body. */
export const TEXT_BYTES_MAX = 1024 * 1024;
/** Limits line breaks before the first boundary and whitespace after the last. Clients send two to four bytes. */
export const BLANK_BYTES_MAX = 64 * 1024;
/** Limits one file (D7). The route limits the whole body. */
const FORM_FILE_BYTES_MAX = 25 * 1024 * 1024;

const CRLF = '\r\n';
const BLANK_LINE = Buffer.from('\r\n\r\n');

type Field = string | FormFile;
/** The values of a repeated name are an array. `models` is always an array. */
type Form = Readonly<Record<string, Field | readonly Field[]>>;

/** Puts a buffered form into the context. See `readForm`. */
export function takeForm(ctx: RequestContext, body: Buffer, boundary: string, syntaxParam: 'model' | null): void {
  const form = readForm(body, boundary, syntaxParam);
  ctx.body.bytes = body;
  ctx.body.json = form;
  ctx.stream = form['stream'] === 'true';
}

/**
 * Reads the fields of a buffered form, for the model gate and the route's validation.
 * @param syntaxParam the `param` of errors about a malformed form. The specification requires `model` (D29)
 * @throws GatewayError `request_too_large` for a file above 25 MiB, `invalid_value` for an invalid form
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
    if (error instanceof FormSyntaxError) throw invalidForm(error.message, error.remedy, syntaxParam);
    throw error;
  }
}

/**
 * Parses a form in one pass. Only CRLFs can precede the first boundary, and only whitespace can follow the last one, because
 * parsers disagree on everything else (D29).
 */
function parseMultipartForm(body: Buffer, boundary: string): Form {
  const fields = new Map<string, Field[]>();
  let textBytes = 0;
  for (const { head, content } of partsOf(body, Buffer.from(`--${boundary}`))) {
    if (!head.isFile) textBytes += content.length;
    if (textBytes > TEXT_BYTES_MAX)
      throw invalidValue(head.name, `shorter, because all text fields together are limited to ${TEXT_BYTES_MAX} bytes`);
    addField(fields, head, content);
  }
  // `fromEntries`, because a field can be named `__proto__`.
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 && name !== 'models' ? values[0]! : values]),
  );
}

interface Part {
  readonly head: PartHead;
  readonly content: Buffer;
}

class FormSyntaxError extends Error {
  constructor(
    problem: string,
    readonly remedy: string,
  ) {
    super(problem);
  }
}

const BOUNDARY_REMEDY = 'End every line with CRLF, and choose a boundary that no part contains';

function* partsOf(body: Buffer, delimiter: Buffer): Generator<Part> {
  let at = endOfFirstBoundary(body, delimiter);
  for (let parts = 0; !isEnd(body, at); parts++) {
    if (parts === PARTS_MAX) throw new FormSyntaxError(`it has more than ${PARTS_MAX} parts`, 'Send fewer fields');
    if (!startsWith(body, CRLF, at))
      throw new FormSyntaxError('a boundary is not followed by a line break', BOUNDARY_REMEDY);
    const headAt = at + CRLF.length;
    const next = body.indexOf(delimiter, headAt);
    if (next < 0) throw new FormSyntaxError('its closing boundary is missing', 'Send the whole body');
    const headEnd = body.subarray(headAt, headAt + HEAD_BYTES_MAX + BLANK_LINE.length).indexOf(BLANK_LINE);
    if (headEnd < 0) throw endlessHead();
    const contentAt = headAt + headEnd + BLANK_LINE.length;
    const contentEnd = next - CRLF.length;
    if (contentEnd < contentAt || !startsWith(body, CRLF, contentEnd)) {
      throw new FormSyntaxError('a boundary is not at the beginning of a line', BOUNDARY_REMEDY);
    }
    yield {
      head: readPartHead(body.subarray(headAt, headAt + headEnd)),
      content: body.subarray(contentAt, contentEnd),
    };
    at = next + delimiter.length;
  }
}

const endlessHead = () =>
  new FormSyntaxError(
    `the headers of a part exceed ${HEAD_BYTES_MAX} bytes or do not end with a blank line`,
    'Send fewer or shorter headers, and a blank line after them',
  );

function endOfFirstBoundary(body: Buffer, delimiter: Buffer): number {
  let at = 0;
  while (at < BLANK_BYTES_MAX && startsWith(body, CRLF, at)) at += CRLF.length;
  if (startsWith(body, delimiter, at)) return at + delimiter.length;
  throw new FormSyntaxError(
    'it does not begin with the boundary in its Content-Type',
    'Let the HTTP client set the Content-Type of the form',
  );
}

const BLANK = /^[ \t\r\n]*$/;

/**
 * Whether the boundary before `at` closes the form. Line breaks can follow it: openai SDK 4 and axios up to 1.8.4 send two.
 * RFC 2046 ignores other text there, but another parser could read it as a part (D29).
 */
function isEnd(body: Buffer, at: number): boolean {
  if (!startsWith(body, '--', at)) return false;
  const epilogue = body.subarray(at + 2);
  if (epilogue.length <= BLANK_BYTES_MAX && BLANK.test(epilogue.toString('latin1'))) return true;
  throw new FormSyntaxError('its closing boundary is followed by more data', 'End the body with the closing boundary');
}

const startsWith = (body: Buffer, bytes: Buffer | string, at: number): boolean => {
  const wanted = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  return at + wanted.length <= body.length && body.compare(wanted, 0, wanted.length, at, at + wanted.length) === 0;
};

const fileOf = (filename: string | null, content: Buffer): FormFile =>
  new FormFile(filename, content.length, content.subarray(0, FILE_HEAD_BYTES));

function addField(fields: Map<string, Field[]>, head: PartHead, content: Buffer): void {
  const { name, filename, isFile } = head;
  const values = fields.get(name) ?? [];
  const value = isFile ? fileOf(filename, content) : content.toString();
  rejectOtherReadings(head, value, values.length > 0);
  values.push(value);
  fields.set(name, values);
}
