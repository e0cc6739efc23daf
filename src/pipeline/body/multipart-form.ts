import { ambiguousForm, invalidValue, unreadableForm } from '../../errors/catalogue.js';
import { FormFile } from '../../validation/form-file.js';
import { refuseOtherReadings } from './model-in-form.rules.js';
import { readPartHead, type PartHead } from './multipart-part-head.js';

export const PARTS_MAX = 1_000;
/** Bytes of one part's head. */
export const HEAD_BYTES_MAX = 8 * 1024;
/** Bytes of all text fields together: what of a form is held a second time. */
export const TEXT_BYTES_MAX = 1024 * 1024;
/** Bytes of line breaks and blanks before the first boundary and again after the last: clients send two to four. */
export const BLANK_BYTES_MAX = 1024;

const CRLF = '\r\n';
const BLANK_LINE = Buffer.from('\r\n\r\n');

type Field = string | FormFile;
/** A repeated name as an array; `models` always as one, since the gate takes each for a model. */
export type Form = Readonly<Record<string, Field | readonly Field[]>>;

/**
 * The fields of a form, read where they lie in `body`: text as text, a file as its size. Costs one search of the body,
 * and memory for `TEXT_BYTES_MAX` of text and `PARTS_MAX` entries at most, whatever comes.
 * Only line breaks (CRLF) stand before the first boundary and only line breaks and blanks after the last, and the boundary
 * stands nowhere else. Parsers disagree on anything more: some take text for a part, or a boundary for text (D29).
 * @throws GatewayError `invalid_value`: param null for a broken form, `model` for two readings, a field's name for text beyond
 *   the bound
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

function* partsOf(body: Buffer, delimiter: Buffer): Generator<Part> {
  let at = endOfFirstBoundary(body, delimiter);
  for (let parts = 0; !isEnd(body, at); parts++) {
    if (parts === PARTS_MAX) throw ambiguousForm(`it has more than ${PARTS_MAX} parts`, 'Send fewer fields');
    if (!startsWith(body, CRLF, at)) throw strayBoundary();
    const headAt = at + CRLF.length;
    const next = body.indexOf(delimiter, headAt);
    if (next < 0) throw cutShort();
    const headLength = body.subarray(headAt, headAt + HEAD_BYTES_MAX + BLANK_LINE.length).indexOf(BLANK_LINE);
    if (headLength < 0) throw endlessHead();
    const headEnd = headAt + headLength;
    const contentAt = headEnd + BLANK_LINE.length;
    const contentEnd = next - CRLF.length;
    if (contentEnd < contentAt || !startsWith(body, CRLF, contentEnd)) throw strayBoundary();
    yield {
      head: readPartHead(body.subarray(headAt, headEnd)),
      content: body.subarray(contentAt, contentEnd),
    };
    at = next + delimiter.length;
  }
}

function endOfFirstBoundary(body: Buffer, delimiter: Buffer): number {
  let at = 0;
  while (at < BLANK_BYTES_MAX && startsWith(body, CRLF, at)) at += CRLF.length;
  if (startsWith(body, delimiter, at)) return at + delimiter.length;
  if (body.includes(delimiter))
    throw ambiguousForm('something stands before its first boundary', 'Begin the body with the boundary');
  throw unreadableForm(
    'it does not begin with the boundary that its Content-Type names',
    'Let the HTTP client set the Content-Type of the form',
  );
}

/** Whether the boundary that ends at `at` is the last one: two hyphens follow, then blanks and line breaks only. */
function isEnd(body: Buffer, at: number): boolean {
  if (!startsWith(body, '--', at)) {
    const left = body.toString('latin1', at, at + 2);
    if (left.length < 2 && ('--'.startsWith(left) || CRLF.startsWith(left))) throw cutShort();
    return false;
  }
  const epilogue = body.subarray(at + 2);
  if (epilogue.length <= BLANK_BYTES_MAX && BLANK.test(epilogue.toString('latin1'))) return true;
  throw ambiguousForm('something stands after its last boundary', 'End the body with the last boundary');
}

const BLANK = /^[ \t\r\n]*$/;

const strayBoundary = () =>
  ambiguousForm(
    'its boundary stands where no part begins or ends',
    'End every line with CRLF, and choose a boundary that no part contains',
  );
const endlessHead = () =>
  ambiguousForm(
    `the head of a part has no end, or more than ${HEAD_BYTES_MAX} bytes`,
    'Send an empty line after the headers of a part, and fewer or shorter ones',
  );
const cutShort = () =>
  unreadableForm('it ends before its last boundary', 'Send the whole body, its last boundary included');

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
