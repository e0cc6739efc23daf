import { parseResponse } from '../../../platform/json/json-structure.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';
import { ObjectIds, type IdFields } from './object-id-search.js';
import { DELETING_ROUTES, OBJECT_ROUTES } from './object-routes.data.js';
import { encryptedContentId, encryptedContentOf, signatureId, signatureOf } from './opaque-content.rules.js';

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

/** See `ObjectRoute`. */
export const marksOf = (endpoint: string): readonly string[] | null => OBJECT_ROUTES.get(endpoint)?.marks ?? null;

/** Returns the ID to forget after a success, or null. @param pathIds in the order of the template */
export function deletedObject(method: string, endpoint: string, pathIds: readonly string[]): string | null {
  return method === 'DELETE' && DELETING_ROUTES.has(endpoint) ? (pathIds.at(-1) ?? null) : null;
}

const IN_RESPONSES: IdFields = {
  direct: new Set(['file_id', 'container_id']),
  holders: new Set(),
  types: new Set(['image_generation_call']),
};

/** A response with more items than this is an attack, or its first items are enough. */
const IDS_MAX = 1_000;

/** Returns the IDs of objects that a JSON response names, at most 1,000. Returns none for anything other than a JSON object. */
export function objectsIn(body: Buffer): string[] {
  const json = parsed(body);
  if (json === null) return [];
  const ids = new ObjectIds(IDS_MAX);
  // No request names a message. Its signatures and its container matter.
  if (json.type !== 'message') ids.add(json.id);
  ids.add(json.thread_id);
  for (const name of HOLDERS) ids.addHeld(json[name]);
  for (const name of FILES) ids.addAll(json[name]);
  if (Array.isArray(json.output)) addItems(ids, json.output);
  if (Array.isArray(json.content)) addSignatures(ids, json.content);
  ids.search(json, IN_RESPONSES);
  return ids.list();
}

/** Later requests can refer to each item of a response, or contain it. */
function addItems(ids: ObjectIds, items: readonly unknown[]): void {
  for (const item of items) {
    if (ids.full) return;
    if (isObject(item)) ids.add(item.id);
    const content = encryptedContentOf(item);
    if (content !== null) ids.add(encryptedContentId(content));
  }
}

function addSignatures(ids: ObjectIds, blocks: readonly unknown[]): void {
  for (const block of blocks) {
    if (ids.full) return;
    const signature = signatureOf(block);
    if (signature !== null) ids.add(signatureId(signature));
  }
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
