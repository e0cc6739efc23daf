import { tellsSecret } from '../../upstream/account.js';
import { endOfString } from '../../json/json-string.js';
import { isModelName, MODEL_CHARACTERS_MAX } from '../../validation/model-name.rules.js';
import { decodeString, memberAt, skipSpace } from '../../json/json-scan.js';

/** What lies beyond is not looked at: an answer is held back for its model up to here (D4). */
const SCANNED_BYTES_MAX = 1024 * 1024;
/** Each written as two escapes, and the quotes. */
const MODEL_BYTES_MAX = MODEL_CHARACTERS_MAX * 12 + 2;

/** What `scanModel` finds; null also where that tells one of `secrets`: a provider may echo what it was sent. */
export function modelToShow(body: Buffer, secrets: readonly string[]): string | null {
  const model = scanModel(body);
  return model === null || tellsSecret(model, secrets) ? null : model;
}

/**
 * The model that a JSON answer names in its top-level `model`, found from its beginning without parsing what stands around it.
 * null: it names none, or an empty one, or it is no JSON object. '': one of more than 200 characters, which is not shown.
 */
export function scanModel(body: Buffer): string | null {
  const bytes = body.length > SCANNED_BYTES_MAX ? body.subarray(0, SCANNED_BYTES_MAX) : body;
  const at = memberAt(bytes, skipSpace(bytes, 0), 'model');
  if (at === -1 || bytes[at] !== 0x22) return null;
  const end = endOfString(bytes, at);
  if (end === -1) return null;
  if (end - at > MODEL_BYTES_MAX) return '';
  const model = decodeString(bytes, at, end);
  if (model === null || model === '') return null;
  return isModelName(model) ? model : '';
}
