import { tellsSecret } from '../../upstream/account.js';
import { QUOTE } from '../../json/bytes.js';
import { decodeString, endOfString, memberAt, skipSpace } from '../../json/json-scan.js';
import { isModelName, MODEL_CHARACTERS_MAX } from '../../validation/model-name.rules.js';

/** A response is held until its model is known, up to this length (D4). The rest is not searched. */
const SCANNED_BYTES_MAX = 1024 * 1024;
/** Each character written as two escapes, and the quotes. */
const MODEL_BYTES_MAX = MODEL_CHARACTERS_MAX * 12 + 2;

/** As `scanModel`; null if the model contains one of `secrets`, because a provider can echo what it was sent. */
export function modelToShow(body: Buffer, secrets: readonly string[]): string | null {
  const model = scanModel(body);
  return model === null || tellsSecret(model, secrets) ? null : model;
}

/**
 * The top-level `model` of a JSON response, without parsing the rest.
 * @returns null if there is none, if it is empty, or if the body is not a JSON object; '' if it has more than 200 characters
 */
export function scanModel(body: Buffer): string | null {
  const bytes = body.length > SCANNED_BYTES_MAX ? body.subarray(0, SCANNED_BYTES_MAX) : body;
  const at = memberAt(bytes, skipSpace(bytes, 0), 'model');
  if (at === -1 || bytes[at] !== QUOTE) return null;
  const end = endOfString(bytes, at);
  if (end === -1) return null;
  if (end - at > MODEL_BYTES_MAX) return '';
  const model = decodeString(bytes, at, end);
  if (model === null || model === '') return null;
  return isModelName(model) ? model : '';
}
