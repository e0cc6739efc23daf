import { QUOTE } from '../platform/json/bytes.js';
import { decodeString, endOfString, fieldAt, skipSpace } from '../platform/json/json-scan.js';
import { isModelName, MODEL_CHARACTERS_MAX } from '../platform/validation/model-name.rules.js';
import { containsSecret } from '../upstream/credentials.js';

const SCANNED_BYTES_MAX = 1024 * 1024;
/** The longest JSON encoding of a model name: two escapes per character, and the quotes. */
const MODEL_BYTES_MAX = MODEL_CHARACTERS_MAX * 12 + 2;

/** Like `scanModel`, but also null if the model contains a secret, because a provider can echo the request's credentials. */
export function modelToShow(body: Buffer, secrets: readonly string[]): string | null {
  const model = scanModel(body);
  return model === null || containsSecret(model, secrets) ? null : model;
}

/**
 * Finds the top-level `model` in the first MiB of a JSON response, without parsing the rest.
 * @returns null if the response names no model, or '' if its value cannot be a model name, such as a text above 200 characters
 */
export function scanModel(body: Buffer): string | null {
  const bytes = body.length > SCANNED_BYTES_MAX ? body.subarray(0, SCANNED_BYTES_MAX) : body;
  const at = fieldAt(bytes, skipSpace(bytes, 0), 'model');
  if (at === -1 || bytes[at] !== QUOTE) return null;
  const end = endOfString(bytes, at);
  if (end === -1) return null;
  if (end - at > MODEL_BYTES_MAX) return '';
  const model = decodeString(bytes, at, end);
  if (model === null || model === '') return null;
  return isModelName(model) ? model : '';
}
