import { invalidValue } from '../../errors/catalogue.js';
import { FormFile } from '../../validation/form-file.js';
import { refuseOtherReadings } from './model-in-form.rules.js';
import { readPartHead, readTwoWays, type PartHead } from './multipart-part-head.js';

export const PARTS_MAX = 1_000;
/** Bytes of one part's head. */
export const HEAD_BYTES_MAX = 8 * 1024;
/** Bytes of all text fields together: what of a form is held a second time. */
export const TEXT_BYTES_MAX = 1024 * 1024;

const CRLF = '\r\n';
const BLANK_LINE = Buffer.from('\r\n\r\n');

type Field = string | FormFile;
/** A repeated name as an array; `models` always as one, since the gate takes each for a model. */
export type Form = Readonly<Record<string, Field | readonly Field[]>>;

/**
 * The fields of a form, read where they lie in `body`: text as text, a file as its size. Costs one search of the body,
 * and memory for `TEXT_BYTES_MAX` of text and `PARTS_MAX` entries at most, whatever comes.
 * Nothing before the first boundary, nothing but one line's end behind the last, and the boundary nowhere else: parsers
 * disagree on all of these (D29).
 * @throws GatewayError `invalid_value`, param `model`, for a form that two parsers could read differently; `invalid_value`
 *   at the field with which the text becomes too much
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
  if (!startsWith(body, delimiter, 0)) throw readTwoWays('it has to begin with its boundary');
  let at = delimiter.length;
  for (let parts = 0; !isEnd(body, at); parts++) {
    if (parts === PARTS_MAX) throw readTwoWays(`it has more than ${PARTS_MAX} parts`);
    if (!startsWith(body, CRLF, at)) throw readTwoWays('its boundary stands where none can be');
    const headAt = at + CRLF.length;
    const headEnd = body.subarray(headAt, headAt + HEAD_BYTES_MAX + BLANK_LINE.length).indexOf(BLANK_LINE);
    if (headEnd < 0) throw readTwoWays(`a part's head does not end, or is longer than ${HEAD_BYTES_MAX} bytes`);
    const contentAt = headAt + headEnd + BLANK_LINE.length;
    const next = body.indexOf(delimiter, headAt);
    if (next < 0) throw readTwoWays('it ends before its last boundary');
    const contentEnd = next - CRLF.length;
    if (contentEnd < contentAt || !startsWith(body, CRLF, contentEnd)) {
      throw readTwoWays('its boundary stands where none can be');
    }
    yield {
      head: readPartHead(body.subarray(headAt, headAt + headEnd)),
      content: body.subarray(contentAt, contentEnd),
    };
    at = next + delimiter.length;
  }
}

/** Behind the last boundary: two hyphens, a line's end or not, and nothing more. */
function isEnd(body: Buffer, at: number): boolean {
  if (!startsWith(body, '--', at)) return false;
  const left = body.length - at - 2;
  if (left === 0 || (left === CRLF.length && startsWith(body, CRLF, at + 2))) return true;
  throw readTwoWays('something stands behind its last boundary');
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
