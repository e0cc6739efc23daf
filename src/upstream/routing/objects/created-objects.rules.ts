import { parseResponse } from '../../../platform/json/json-structure.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';
import { ObjectIds, type IdFields } from './object-ids.js';
import { DELETING_ROUTES, OBJECT_ROUTES } from './object-routes.data.js';

/**
 * Whether a successful response to this request names stored objects that later requests can name.
 * @param endpoint the path template
 * @param json the parsed request body, if there is one
 */
export function createsObject(method: string, endpoint: string, json: JsonObject | null): boolean {
  const route = OBJECT_ROUTES.get(endpoint);
  if (route === undefined || !(route.methods as readonly string[]).includes(method)) return false;
  return route.when === undefined || route.when(json);
}

/** Whether the objects of this route are forgotten after 90 days without use. */
export const expiresOf = (endpoint: string): boolean => OBJECT_ROUTES.get(endpoint)?.expires ?? true;

/** Returns the ID to forget after a success, or null. @param pathIds in the order of the template */
export function deletedObject(method: string, endpoint: string, pathIds: readonly string[]): string | null {
  return method === 'DELETE' && DELETING_ROUTES.has(endpoint) ? (pathIds.at(-1) ?? null) : null;
}

const IN_RESPONSES: IdFields = {
  direct: new Set(['file_id', 'container_id']),
  holders: new Set(),
  types: new Set(['image_generation_call']),
};

/** Returns the IDs of objects that a JSON response names, at most 64. Returns none for anything other than a JSON object. */
export function objectsIn(body: Buffer): string[] {
  const json = parsed(body);
  if (json === null) return [];
  const ids = new ObjectIds();
  ids.add(json.id);
  ids.add(json.thread_id);
  for (const name of HOLDERS) ids.addHeld(json[name]);
  for (const name of FILES) ids.addAll(json[name]);
  // Requests that refer to items of a response name its first item too.
  if (Array.isArray(json.output)) ids.addHeld(json.output[0]);
  ids.search(json, IN_RESPONSES);
  return ids.list();
}

/** The search visits 50,000 values at most. */
const PARSED_BYTES_MAX = 8 * 1024 * 1024;

/** `file` is the result of an upload, `session` that of a fork. */
const HOLDERS: readonly string[] = ['conversation', 'container', 'file', 'session'];
const FILES: readonly string[] = ['output_file_id', 'error_file_id', 'result_files'];

function parsed(body: Buffer): JsonObject | null {
  try {
    const json = parseResponse(body, PARSED_BYTES_MAX);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}
