import { isUtf8 } from 'node:buffer';
import { invalidContentType, invalidJson, invalidType, invalidValue } from '../../errors/error-factories.js';
import { surveyOf } from '../../json/json-structure.js';
import { namesModels } from '../../json/named-models.js';
import { parseJson } from '../../json/parse-json.js';
import { repeatedModelField } from '../../json/repeated-model.js';

const MEDIA_TYPE = /^\s*application\/json\s*(;|$)/i;
/**
 * A charset other than UTF-8, with which a provider could decode another `model` (D29). The pattern is not anchored, because
 * some parsers read the extended form (`charset*`) or a charset inside another parameter.
 */
const OTHER_CHARSET = /charset(?!\s*(?:=\s*"?utf-?8"?\s*)?(?:;|$))/i;

/** @throws GatewayError `invalid_content_type` unless the type is application/json, with charset UTF-8 or none */
export function requireJsonContentType(contentType: string | undefined): void {
  if (contentType === undefined || !MEDIA_TYPE.test(contentType) || OTHER_CHARSET.test(contentType))
    throw invalidContentType('application/json');
}

/** @throws GatewayError `invalid_json`, or `invalid_type` (param null) if the body is not an object */
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
 * Refuses a body in which two parsers could read different models (D29).
 * @param fields the number of fields in `body`, including repeated ones. Counted if omitted
 * @throws GatewayError `invalid_value`, with param `model` or the top-level field that contains a repeated name
 */
export function refuseTwoReadings(
  body: Buffer,
  json: Readonly<Record<string, unknown>>,
  { fields: parsedFields } = surveyOf(json),
  fields?: number,
): void {
  const repeated = repeatedModelField(body, json, parsedFields, fields);
  if (repeated === null) return;
  const { name, within } = repeated;
  const reason = `because parsers disagree on which "${shown(name)}" to use`;
  if (within === null || namesModels(name)) throw invalidValue('model', `specified only once, ${reason}`);
  throw invalidValue(within, `free of repeated field names, ${reason}`);
}

const shown = (name: string): string =>
  name.length > SHOWN_CHARACTERS_MAX ? `${name.slice(0, SHOWN_CHARACTERS_MAX)}…` : name;
const SHOWN_CHARACTERS_MAX = 64;
