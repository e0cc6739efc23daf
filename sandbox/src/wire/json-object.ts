import { badJson } from './vendor-error.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws VendorError 400 for a body that is not one JSON object */
export function parseJsonObject(body: Buffer): JsonObject {
  let value: unknown;

  try {
    value = JSON.parse(body.toString());
  } catch {
    throw badJson();
  }
  if (!isJsonObject(value)) throw badJson();
  return value;
}
