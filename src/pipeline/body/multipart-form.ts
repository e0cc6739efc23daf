import { invalidValue } from '../../errors/catalogue.js';
import { FormFile } from '../../validation/form-file.js';
import { refuseOtherReadings } from './model-in-form.rules.js';
import { readPartHead, type PartHead } from './multipart-part-head.js';

export const PARTS_MAX = 1_000;
/** Bytes of one part's head. */
export const HEAD_BYTES_MAX = 8 * 1024;
/** Bytes of all text fields together: what of a form is held a second time. */
export const TEXT_BYTES_MAX = 1024 * 1024;

const CRLF = '\r\n';
/** Space, tab, line feed, carriage return. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BLANK_LINE = Buffer.from('\r\n\r\n');

type Field = string | FormFile;
/** A repeated name as an array; `models` always as one, since the gate takes each for a model. */
export type Form = Readonly<Record<string, Field | readonly Field[]>>;

/**
 * The fields of a form, read where they lie in `body`: text as text, a file as its size. Costs one search of the body,
 * and memory for `TEXT_BYTES_MAX` of text and `PARTS_MAX` entries at most, whatever comes.
 * Nothing is allowed before the first boundary. Only blanks and line breaks are allowed after the last one. Parsers disagree
 * on everything else (D29).
 * @throws FormSyntaxError for a form that does not consist of parts between boundaries
 * @throws GatewayError `invalid_value`, param `model`, for a form in which two parsers could read two models; `invalid_value`
 *   at the field with which the text becomes too long
 */
export function parseMultipartForm(body: Buffer, boundary: string): Form {
  const fields = new Map<string, Field[]>();
  let textBytes = 0;
  for (const { head, content } of partsOf(body, Buffer.from(`--${boundary}`))) {
    if (!head.isFile) textBytes += content.length;
    if (textBytes > TEXT_BYTES_MAX)
      throw invalidValue(head.name, `short: all text of a form is ${TEXT_BYTES_MAX} bytes at most`);
    addField(fields, head, content);
  }
  // `fromEntries`, for a field may be called `__proto__`.
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 && name !== 'models' ? values[0]! : values]),
  );
}

interface Part {
  readonly head: PartHead;
  readonly content: Buffer;
}

/** A form that does not consist of parts between boundaries. The message completes a sentence. */
export class FormSyntaxError extends Error {}

function* partsOf(body: Buffer, delimiter: Buffer): Generator<Part> {
  if (!startsWith(body, delimiter, 0)) throw new FormSyntaxError('it does not begin with its boundary');
  let at = delimiter.length;
  for (let parts = 0; !isEnd(body, at); parts++) {
    if (parts === PARTS_MAX) throw new FormSyntaxError(`it has more than ${PARTS_MAX} parts`);
    if (!startsWith(body, CRLF, at)) throw new FormSyntaxError('a boundary is not followed by a line break');
    const headAt = at + CRLF.length;
    const headEnd = body.subarray(headAt, headAt + HEAD_BYTES_MAX + BLANK_LINE.length).indexOf(BLANK_LINE);
    if (headEnd < 0)
      throw new FormSyntaxError(`the headers of a part do not end, or have more than ${HEAD_BYTES_MAX} bytes`);
    const contentAt = headAt + headEnd + BLANK_LINE.length;
    const next = body.indexOf(delimiter, headAt);
    if (next < 0) throw new FormSyntaxError('its closing boundary is missing');
    const contentEnd = next - CRLF.length;
    if (contentEnd < contentAt || !startsWith(body, CRLF, contentEnd)) {
      throw new FormSyntaxError('a boundary is not at the beginning of a line');
    }
    yield {
      head: readPartHead(body.subarray(headAt, headAt + headEnd)),
      content: body.subarray(contentAt, contentEnd),
    };
    at = next + delimiter.length;
  }
}

/**
 * Whether the boundary before `at` closes the form. RFC 2046 ignores what follows, and clients write line breaks there: the
 * openai SDK 4 and axios up to 1.8.4 end their forms with two. Anything else could be one more part to another parser (D29).
 */
function isEnd(body: Buffer, at: number): boolean {
  if (!startsWith(body, '--', at)) return false;
  if (body.subarray(at + 2).every((byte) => BLANKS.has(byte))) return true;
  throw new FormSyntaxError('its closing boundary is followed by more than line breaks');
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
