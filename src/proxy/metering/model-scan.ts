import { containsSecret } from '../../upstream/credential-headers.js';
import { QUOTE } from '../../platform/json/bytes.js';
import { decodeString, endOfString, fieldAt, skipSpace } from '../../platform/json/json-scan.js';
import { isModelName, MODEL_CHARACTERS_MAX } from '../../platform/validation/model-name.rules.js';

const SCANNED_BYTES_MAX = 1024 * 1024;
/** The longest JSON encoding of a model name: two escapes per character, and the quotes. */
const MODEL_BYTES_MAX = MODEL_CHARACTERS_MAX * 12 + 2;

/** Like `scanModel`, but null if it contains a secret: a provider can echo the request's credentials. */
export function modelToShow(body: Buffer, secrets: readonly string[]): string | null {
  const model = scanModel(body);
  return model === null || containsSecret(model, secrets) ? null : model;
}

/** Finds the top-level `model` without parsing the rest, in the first MiB (D4). Returns '' if it has more than 200 characters. */
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
