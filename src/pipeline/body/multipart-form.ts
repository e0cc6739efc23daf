import { invalidValue, requestTooLarge, unreadableForm } from '../../errors/catalogue.js';
import { FormFile } from '../../validation/form-kinds.js';
import { refuseOtherReadings } from './ambiguous-model.rules.js';
import { readPartHead, type PartHead } from './multipart-headers.js';

export const PARTS_MAX = 1_000;
/** Bytes of the headers of one part. */
export const HEAD_BYTES_MAX = 8 * 1024;
/** Bytes of all text fields together, which are held a second time. */
export const TEXT_BYTES_MAX = 1024 * 1024;
/** Bytes of line breaks before the first boundary, and of whitespace after the last. Clients send two to four. */
export const BLANK_BYTES_MAX = 64 * 1024;
/** Bytes of one file (D7). The route bounds the whole body. */
const FORM_FILE_BYTES_MAX = 25 * 1024 * 1024;

const CRLF = '\r\n';
const BLANK_LINE = Buffer.from('\r\n\r\n');

type Field = string | FormFile;
/** A repeated name is an array. `models` always is, because each of its values is a model. */
export type Form = Readonly<Record<string, Field | readonly Field[]>>;

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

/**
 * The fields of a form: text as text, a file as its size. It costs one search of the body, and memory for `TEXT_BYTES_MAX` of
 * text and `PARTS_MAX` entries at most. Only line breaks (CRLF) are allowed before the first boundary, and only whitespace
 * after the last one. Parsers disagree on everything else (D29).
 * @throws FormSyntaxError for a form that does not consist of parts between boundaries
 * @throws GatewayError `invalid_value`, param `model`, for a form in which two parsers could read two models; `invalid_value`
 *   at the field with which the text becomes too long
 */
function parseMultipartForm(body: Buffer, boundary: string): Form {
  const fields = new Map<string, Field[]>();
  let textBytes = 0;
  for (const { head, content } of partsOf(body, Buffer.from(`--${boundary}`))) {
    if (!head.isFile) textBytes += content.length;
    if (textBytes > TEXT_BYTES_MAX)
      throw invalidValue(head.name, `short: all text of a form is ${TEXT_BYTES_MAX} bytes at most`);
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

/** A form that does not consist of parts between boundaries. The message completes a sentence. */
class FormSyntaxError extends Error {
  constructor(
    problem: string,
    readonly remedy: string,
  ) {
    super(problem);
  }
}

const LINES = 'End every line with CRLF, and choose a boundary that no part contains';

function* partsOf(body: Buffer, delimiter: Buffer): Generator<Part> {
  let at = endOfFirstBoundary(body, delimiter);
  for (let parts = 0; !isEnd(body, at); parts++) {
    if (parts === PARTS_MAX) throw new FormSyntaxError(`it has more than ${PARTS_MAX} parts`, 'Send fewer fields');
    if (!startsWith(body, CRLF, at)) throw new FormSyntaxError('a boundary is not followed by a line break', LINES);
    const headAt = at + CRLF.length;
    const next = body.indexOf(delimiter, headAt);
    if (next < 0) throw new FormSyntaxError('its closing boundary is missing', 'Send the whole body');
    const headEnd = body.subarray(headAt, headAt + HEAD_BYTES_MAX + BLANK_LINE.length).indexOf(BLANK_LINE);
    if (headEnd < 0) throw endlessHead();
    const contentAt = headAt + headEnd + BLANK_LINE.length;
    const contentEnd = next - CRLF.length;
    if (contentEnd < contentAt || !startsWith(body, CRLF, contentEnd)) {
      throw new FormSyntaxError('a boundary is not at the beginning of a line', LINES);
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
    `the headers of a part do not end, or have more than ${HEAD_BYTES_MAX} bytes`,
    'Send an empty line after the headers of a part, and fewer or shorter ones',
  );

function endOfFirstBoundary(body: Buffer, delimiter: Buffer): number {
  let at = 0;
  while (at < BLANK_BYTES_MAX && startsWith(body, CRLF, at)) at += CRLF.length;
  if (startsWith(body, delimiter, at)) return at + delimiter.length;
  throw new FormSyntaxError(
    'it does not begin with the boundary that its Content-Type names',
    'Let the HTTP client set the Content-Type of the form',
  );
}

const BLANK = /^[ \t\r\n]*$/;

/**
 * Whether the boundary before `at` closes the form. RFC 2046 ignores what follows, and clients write line breaks there: the
 * openai SDK 4 and axios up to 1.8.4 end their forms with two. Anything else could be one more part to another parser (D29).
 */
function isEnd(body: Buffer, at: number): boolean {
  if (!startsWith(body, '--', at)) return false;
  const epilogue = body.subarray(at + 2);
  if (epilogue.length <= BLANK_BYTES_MAX && BLANK.test(epilogue.toString('latin1'))) return true;
  throw new FormSyntaxError(
    'its closing boundary is followed by more than line breaks',
    'End the body with the boundary',
  );
}

const startsWith = (body: Buffer, bytes: Buffer | string, at: number): boolean => {
  const wanted = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  return at + wanted.length <= body.length && body.compare(wanted, 0, wanted.length, at, at + wanted.length) === 0;
};

function addField(fields: Map<string, Field[]>, head: PartHead, content: Buffer): void {
  const { name, filename, isFile } = head;
  const values = fields.get(name) ?? [];
  const value = isFile ? new FormFile(filename, content.length) : content.toString();
  refuseOtherReadings(head, value, values.length > 0);
  values.push(value);
  fields.set(name, values);
}
