import { withoutKeys } from '../telemetry/redact.js';

const MODEL_LENGTH_MAX = 200;
/** Messages name fields; the name of a form's field is the client's own. */
const MESSAGE_LENGTH_MAX = 500;

/** A client's model name, at most 200 characters of it, as it may be kept. */
export const storableModel = (model: string): string => storable(model, MODEL_LENGTH_MAX);

/** What a client was told, at most 500 characters of it, as it may be kept. */
export const storableMessage = (message: string): string => storable(message, MESSAGE_LENGTH_MAX);

/**
 * What usage is summed under: names that went through the model gate, so their number is bounded by the catalog.
 * A longer one never does (D30) and counts as none, which is ''.
 */
export function usageModel(model: string | null): string {
  return model === null || model.length > MODEL_LENGTH_MAX ? '' : storableModel(model);
}

/**
 * Text as PostgreSQL can hold it: it knows neither NUL nor half a surrogate pair, and one such text would keep the whole batch
 * from being written. And no key that was pasted into the wrong field (D24): every viewer of the dashboard reads it.
 */
function storable(text: string, lengthMax: number): string {
  const start = text.length > lengthMax ? text.slice(0, lengthMax) : text;
  return withoutKeys(start).toWellFormed().replaceAll('\0', '\ufffd');
}
