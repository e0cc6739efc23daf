import { parseJson } from '../../../platform/json/parse-json.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';
import { ObjectIds, type IdFields } from './object-ids.js';

/**
 * Returns the IDs of stored objects that a request names, strongest first: IDs in the path, top-level fields, other fields. There
 * are at most 64, without duplicates. Field names decide, so text that looks like an ID does not count.
 * @param endpoint the path template: `/v1/threads/{thread_id}/runs`
 * @param pathIds the values of its parameters, in the order of the template
 * @param json the parsed body, if the request has one
 */
export function objectsNamedBy(endpoint: string, pathIds: readonly string[], json: JsonObject | null): string[] {
  const ids = new ObjectIds();
  const { length } = pathIds;
  if (length > 0) {
    const counts = pathParametersOf(endpoint);
    for (let i = 0; i < length; i++) if (counts[i] === true) ids.add(pathIds[i]);
  }
  if (json !== null && !WITHOUT_OBJECTS.has(endpoint)) addFromBody(ids, endpoint, json);
  return ids.list();
}

/**
 * Parses the body of a route that stage 4 does not parse, if this route names objects in its body. Otherwise, and for invalid
 * JSON, returns null. At most 1 MiB is parsed.
 */
export function jsonOfOpaque(endpoint: string, bytes: Buffer | null): JsonObject | null {
  if (bytes === null || bytes.length > OPAQUE_BYTES_MAX || !OPAQUE_WITH_OBJECTS.has(endpoint)) return null;
  try {
    const json = parseJson(bytes);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

const OPAQUE_BYTES_MAX = 1024 * 1024;
const OPAQUE_WITH_OBJECTS: ReadonlySet<string> = new Set(['/v1/threads', '/v1/vector_stores', '/v1/containers']);

/** Inference on the given input only. The body can be large, and is not searched. */
const WITHOUT_OBJECTS: ReadonlySet<string> = new Set([
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
  '/v1/decisions',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
]);

/** Parameters that name no stored object, or only a part of the object before it. */
const OTHER_PARAMETERS: ReadonlySet<string> = new Set([
  'model',
  'version',
  'call_id',
  'item_id',
  'output_item_id',
  'step_id',
]);

const pathParameters = new Map<string, readonly boolean[]>();

/** For each parameter of the template, whether its value is the ID of a stored object. */
function pathParametersOf(endpoint: string): readonly boolean[] {
  let counts = pathParameters.get(endpoint);
  if (counts === undefined) {
    counts = [...endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => !OTHER_PARAMETERS.has(name!));
    pathParameters.set(endpoint, counts);
  }
  return counts;
}

/** Strongest first: the object that the request continues, then its inputs. */
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
  if (isResponse) addBareReferences(ids, json.input);
  ids.search(json, isResponse && json.store !== false ? ANYWHERE_AND_REASONING : ANYWHERE);
}

/** An item reference can omit its type: `{"id": …}`. */
function addBareReferences(ids: ObjectIds, input: unknown): void {
  if (!Array.isArray(input)) return;
  for (const item of input) {
    if (isObject(item) && item.id !== undefined && item.type === undefined && Object.keys(item).length === 1)
      ids.add(item.id);
  }
}
