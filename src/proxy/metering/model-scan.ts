import { tellsSecret } from '../../upstream/account.js';
import { QUOTE } from '../../json/bytes.js';
import { decodeString, endOfString, memberAt, skipSpace } from '../../json/json-scan.js';
import { isModelName, MODEL_CHARACTERS_MAX } from '../../validation/model-name.rules.js';

/** How much of a response is searched, in bytes (D4). */
const SCANNED_BYTES_MAX = 1024 * 1024;
/** Two escapes per character, and the quotes. */
const MODEL_BYTES_MAX = MODEL_CHARACTERS_MAX * 12 + 2;

/** Returns the result of `scanModel`, or null if it contains one of `secrets`: a provider can echo the request's credentials. */
export function modelToShow(body: Buffer, secrets: readonly string[]): string | null {
  const model = scanModel(body);
  return model === null || tellsSecret(model, secrets) ? null : model;
}

/**
 * Finds the top-level `model` of a JSON response without parsing the rest. Returns null if there is no model, and '' if it has
 * more than 200 characters.
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
