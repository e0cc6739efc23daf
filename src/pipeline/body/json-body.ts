import { isUtf8 } from 'node:buffer';
import { invalidContentType, invalidJson, invalidType, invalidValue } from '../../errors/catalogue.js';
import { surveyOf } from '../../json/json-structure.js';
import { namesModels } from '../../json/named-models.js';
import { parseJson } from '../../json/parse-json.js';
import { repeatedModelMember } from '../../json/repeated-model.js';

const MEDIA_TYPE = /^\s*application\/json\s*(;|$)/i;
/**
 * The bytes are UTF-8. With any other charset, a provider could read another `model` (D29). It is searched anywhere, because
 * some parsers read the extended form (`charset*`), or a charset inside another parameter.
 */
const OTHER_CHARSET = /charset(?!\s*(?:=\s*"?utf-?8"?\s*)?(?:;|$))/i;

/** @throws GatewayError `invalid_content_type` unless the type is application/json and its charset, if any, is UTF-8 */
export function requireJsonContentType(contentType: string | undefined): void {
  if (contentType === undefined || !MEDIA_TYPE.test(contentType) || OTHER_CHARSET.test(contentType))
    throw invalidContentType('application/json');
}

/**
 * Parses a JSON body that is an object.
 * @throws GatewayError `invalid_json`; `invalid_type` (param null) for another JSON value
 */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  if (!isUtf8(body)) throw invalidJson();
  let value: unknown;
  try {
    value = parseJson(body);
  } catch {
    throw invalidJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidType(null, 'a JSON object');
  return value as Record<string, unknown>;
}

/**
 * @param members the number of members in `body`, repeats included. By default they are counted
 * @throws GatewayError `invalid_value` if two parsers could read two models (D29). `param` is `model`, or the top-level member
 *   in which another name is repeated.
 */
export function refuseTwoReadings(
  body: Buffer,
  json: Readonly<Record<string, unknown>>,
  { members: parsedMembers } = surveyOf(json),
  members?: number,
): void {
  const repeated = repeatedModelMember(body, json, parsedMembers, members);
  if (repeated === null) return;
  const { name, within } = repeated;
  const what = `a second "${shown(name)}" could be read instead of the first`;
  if (within === null || namesModels(name)) throw invalidValue('model', `given once: ${what}`);
  throw invalidValue(within, `one in which no member stands twice: ${what}`);
}

/** A client's name can have megabytes. */
const shown = (name: string): string =>
  name.length > SHOWN_CHARACTERS_MAX ? `${name.slice(0, SHOWN_CHARACTERS_MAX)}…` : name;
const SHOWN_CHARACTERS_MAX = 64;
