import { COLON } from './bytes.js';
import { endOfString, skipSpace } from './json-scan.js';
import { topLevelFields } from './top-level-fields.js';

/** Replaces the value of each top-level `model`. All other bytes stay unchanged. `JSON.parse` must have accepted `body`. */
export const replaceModel = (body: Buffer, model: string): Buffer =>
  replaceTopLevelValue(body, 'model', JSON.stringify(model));

/** Replaces the value of each top-level field `field` with the JSON `json`, under the conditions of `replaceModel`. */
export function replaceTopLevelValue(body: Buffer, field: string, json: string): Buffer {
  const value = Buffer.from(json);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { name, start, end } of topLevelFields(body)) {
    if (name !== field) continue;
    const colon = skipSpace(body, endOfString(body, start));
    const valueAt = skipSpace(body, colon + (body[colon] === COLON ? 1 : 0));
    pieces.push(body.subarray(from, valueAt), value);
    from = end;
  }
  if (pieces.length === 0) return body;
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}

/** Each parameter, so that a quoted value cannot contain another boundary. */
const TYPE_PARAMETER = /;[ \t]*([^\s;="]+)=(?:"([^"]*)"|([^\s;"]+))/g;
/** `Content-Disposition` of the part, as `multipart-headers.ts` accepts it. */
const NAMES_MODEL = /(?:^|\r\n)content-disposition:[^\r\n]*?; ?name=(?:"model"|model)(?:;|\r\n|$)/i;
const BLANK_LINE = '\r\n\r\n';

/**
 * Replaces the text of the form's `model` part. All other bytes stay unchanged. Stage 4 must have accepted the form, so only one
 * part has this name, and no part contains the boundary.
 * @returns null if no part names `before` as its model
 */
export function replaceFormModel(body: Buffer, contentType: string, before: string, model: string): Buffer | null {
  const delimiter = Buffer.from(`--${boundaryOf(contentType)}`);
  for (let at = body.indexOf(delimiter); at !== -1;) {
    const headAt = at + delimiter.length;
    at = body.indexOf(delimiter, headAt);
    const headEnd = body.indexOf(BLANK_LINE, headAt);
    if (at === -1 || headEnd === -1) return null;
    if (!NAMES_MODEL.test(body.toString('latin1', headAt, headEnd))) continue;
    const [start, end] = [headEnd + BLANK_LINE.length, at - '\r\n'.length];
    if (body.toString('utf8', start, end) !== before) return null;
    return Buffer.concat([body.subarray(0, start), Buffer.from(model), body.subarray(end)]);
  }
  return null;
}

function boundaryOf(contentType: string): string {
  for (const [, name, quoted, plain] of contentType.matchAll(TYPE_PARAMETER))
    if (name!.toLowerCase() === 'boundary') return quoted ?? plain!;
  return '';
}
