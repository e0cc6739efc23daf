import { VendorError } from '../wire/vendor-error.js';
import type { FormPart } from './form-part.js';

const PARTS_MAX = 1_000;
const HEAD_BYTES_MAX = 16 * 1024;
const CRLF = '\r\n';

/**
 * Returns the parts of a `multipart/form-data` body in order, in linear time.
 * @throws VendorError 400 for an invalid body
 */
export function parseForm(contentType: string | undefined, body: Buffer): FormPart[] {
  const delimiter = Buffer.from(`${CRLF}--${boundaryOf(contentType)}`);
  // A line break is prepended, so that the first delimiter looks like all others.
  const whole = Buffer.concat([Buffer.from(CRLF), body]);
  const parts: FormPart[] = [];
  let at = startOf(whole, delimiter, 0);

  while (whole.toString('latin1', at, at + 2) !== '--') {
    if (whole.toString('latin1', at, at + 2) !== CRLF || parts.length >= PARTS_MAX) throw badForm();

    const end = whole.indexOf(delimiter, at);

    if (end < 0) throw badForm();
    parts.push(partOf(whole.subarray(at + 2, end)));
    at = end + delimiter.length;
  }
  return parts;
}

function boundaryOf(contentType: string | undefined): string {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    (contentType ?? '').slice(0, 500),
  );
  const boundary = match?.[1] ?? match?.[2];

  if (boundary === undefined) throw badForm();
  return boundary;
}

function startOf(whole: Buffer, delimiter: Buffer, from: number): number {
  const start = whole.indexOf(delimiter, from);

  if (start < 0) throw badForm();
  return start + delimiter.length;
}

function partOf(part: Buffer): FormPart {
  // A part without headers begins with the blank line. It has no name and is rejected below.
  const headEnd = part.indexOf(CRLF + CRLF);

  if (headEnd < 0 || headEnd > HEAD_BYTES_MAX) throw badForm();

  const head = new Map(part.toString('utf8', 0, headEnd).split(CRLF).map(headerOf));
  const disposition = head.get('content-disposition') ?? '';
  const name = parameterOf(disposition, 'name');

  if (name === null) throw badForm();
  return {
    name,
    filename: parameterOf(disposition, 'filename'),
    contentType: head.get('content-type') ?? 'text/plain',
    bytes: part.subarray(headEnd + 4),
  };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');

  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

/** Returns a quoted or bare parameter. Browsers and SDKs percent-encode quotes and line breaks in it. */
function parameterOf(disposition: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(disposition);
  const value = match?.[1] ?? match?.[2];

  return value?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n') ?? null;
}

function badForm(): VendorError {
  return new VendorError(400, 'We could not parse your multipart form. Check its boundary and its parts.');
}
