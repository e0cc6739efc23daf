import { parseJson } from '../../../platform/json/parse-json.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';
import { ObjectIds, type IdFields } from './object-id-search.js';
import { encryptedContentIds, signatureIds } from './opaque-content.rules.js';
import { OTHER_PARAMETERS, ROUTES_WITHOUT_OBJECTS, UNPARSED_ROUTES_WITH_OBJECTS } from './object-routes.data.js';

/**
 * Returns the IDs of stored objects that a request names. The first one with an owner decides which upstream gets the request, so
 * the order is: IDs in the path, top-level fields, encrypted content, other fields, signatures. There are at most 64, without duplicates.
 * Field names decide, so text that looks like an ID does not count.
 * @param endpoint the path template: `/v1/threads/{thread_id}/runs`
 * @param pathIds the values of its parameters, in the order of the template
 * @param json the parsed body, if the request has one
 */
export function objectsNamedBy(endpoint: string, pathIds: readonly string[], json: JsonObject | null): string[] {
  const ids = new ObjectIds();
  if (pathIds.length > 0) addFromPath(ids, endpoint, pathIds);
  if (json !== null && !ROUTES_WITHOUT_OBJECTS.has(endpoint)) addFromBody(ids, endpoint, json);
  return ids.list();
}

/**
 * Parses the body of a route that stage 4 does not parse, if this route names objects in its body. Otherwise, and for invalid
 * JSON, returns null. At most 1 MiB is parsed.
 */
export function jsonOfOpaque(endpoint: string, bytes: Buffer | null): JsonObject | null {
  if (bytes === null || bytes.length > UNPARSED_BYTES_MAX || !UNPARSED_ROUTES_WITH_OBJECTS.has(endpoint)) return null;
  try {
    const json = parseJson(bytes);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

const UNPARSED_BYTES_MAX = 1024 * 1024;

function addFromPath(ids: ObjectIds, endpoint: string, pathIds: readonly string[]): void {
  const areObjects = areObjectsIn(endpoint);
  for (let i = 0; i < pathIds.length; i++) if (areObjects[i] === true) ids.add(pathIds[i]);
}

const known = new Map<string, readonly boolean[]>();

/** For each parameter of the template, whether its value is the ID of a stored object. */
function areObjectsIn(endpoint: string): readonly boolean[] {
  let areObjects = known.get(endpoint);
  if (areObjects === undefined) {
    areObjects = [...endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => !OTHER_PARAMETERS.has(name!));
    known.set(endpoint, areObjects);
  }
  return areObjects;
}

/** The object that the request continues comes first, then its inputs. */
const TOP_LEVEL: readonly string[] = [
  'previous_response_id',
  'conversation',
  'thread_id',
  'assistant_id',
  'container',
  'input_file_id',
  'training_file',
  'validation_file',
  'eval_id',
  'file_id',
];

const ANYWHERE: IdFields = {
  direct: new Set([
    'file_id',
    'file_ids',
    'vector_store_id',
    'vector_store_ids',
    'container_id',
    'skill_id',
    'input_file_id',
    'previous_response_id',
    'assistant_id',
  ]),
  holders: new Set(['container', 'video']),
  types: new Set(['item_reference', 'file_id', 'image_generation_call']),
};

/** Stored reasoning belongs to the account. Without `store`, the items themselves contain it. */
const ANYWHERE_AND_REASONING: IdFields = { ...ANYWHERE, types: new Set([...ANYWHERE.types, 'reasoning']) };

function addFromBody(ids: ObjectIds, endpoint: string, json: JsonObject): void {
  for (const name of TOP_LEVEL) if (json[name] !== undefined) ids.addHeld(json[name]);
  // A custom voice is an object, a built-in voice is a name.
  if (isObject(json.voice)) ids.add(json.voice.id);
  const isResponse = endpoint.startsWith('/v1/responses');
  if (isResponse) {
    ids.addAll(encryptedContentIds(json));
    addBareReferences(ids, json.input);
  }
  ids.search(json, isResponse && json.store !== false ? ANYWHERE_AND_REASONING : ANYWHERE);
  if (endpoint.startsWith('/v1/messages')) ids.addAll(signatureIds(json));
}

/** An item reference can omit its type: `{"id": …}`. */
function addBareReferences(ids: ObjectIds, input: unknown): void {
  if (!Array.isArray(input)) return;
  for (const item of input) {
    if (isObject(item) && item.id !== undefined && item.type === undefined && Object.keys(item).length === 1)
      ids.add(item.id);
  }
}
