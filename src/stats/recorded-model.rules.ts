import { withoutKeys } from '../telemetry/redact.js';

const MODEL_LENGTH_MAX = 200;

/**
 * A client's model name as PostgreSQL can hold it: it knows neither NUL nor half a surrogate pair, and one such name would keep
 * the whole batch from being written. At most 200 characters, and no key that was pasted into the wrong field (D24): every
 * viewer of the dashboard reads it.
 */
export function storableModel(model: string): string {
  const text = model.length > MODEL_LENGTH_MAX ? model.slice(0, MODEL_LENGTH_MAX) : model;
  return withoutKeys(text).toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * What usage is summed under: names that went through the model gate, so their number is bounded by the catalog.
 * A longer one never does (D30) and counts as none, which is ''.
 */
export function usageModel(model: string | null): string {
  return model === null || model.length > MODEL_LENGTH_MAX ? '' : storableModel(model);
}
