import { isUtf8 } from 'node:buffer';
import {
  invalidContentType,
  invalidJson,
  invalidType,
  invalidValue,
  jsonTooComplex,
} from '../../../platform/errors/error-factories.js';
import type { GatewayError } from '../../../platform/errors/gateway-error.js';
import { HeldMemory } from '../../../platform/fairness/body-memory.js';
import type { ParseQueue, ParseTurn } from '../../../platform/fairness/parse-queue.js';
import { isReadOnce, surveyOf } from '../../../platform/json/field-names.js';
import { ELEMENTS_MAX, excessIn, parsedBytes, structureOf } from '../../../platform/json/json-structure.js';
import { MODEL_FIELDS } from '../../../platform/json/model-fields.data.js';
import { namesModels } from '../../../platform/json/models-in-body.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { twoReadingsIn, type Counted, type Spellings, type TwoReadings } from '../../../platform/json/two-readings.js';
import type { RequestContext } from '../../../platform/request-context/request-context.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';

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

/**
 * Schedules the parsing of a body, and reserves memory for the result until the response has ended. A body that needs more than its
 * holder's share takes the whole share.
 * @returns undefined if the body can be parsed now. Otherwise a promise, with the turn of a slow body. It rejects with
 *   `service_unavailable` after 10 s
 * @throws GatewayError `invalid_json` for a body that would take seconds to parse and check
 */
export function scheduleParsing(
  ctx: RequestContext,
  body: Buffer,
  queue: ParseQueue,
  holder: string,
): Promise<ParseTurn | void> | undefined {
  const elementsMax = elementsMaxOf(ctx, body);
  const structure = structureOf(body, elementsMax);
  const excess = excessIn(structure, elementsMax);
  if (excess !== null) throw jsonTooComplex(excess);
  ctx.body.structure = structure;
  const bytes = Math.min(parsedBytes(structure), queue.shareMax);
  const turn = bytes === 0 ? undefined : holdParsed(ctx, new HeldMemory(queue, holder), bytes);
  return turn ?? queue.enter(holder, body.length);
}

/** In a list of short requests. It is not read again for an estimate of tokens, which takes half of the time. */
const BYTES_PER_ELEMENT = 20;

function elementsMaxOf({ route }: RequestContext, body: Buffer): number {
  const isList = route?.kind === 'gateway' && route.requestsIn !== undefined;
  return isList ? Math.max(ELEMENTS_MAX, Math.floor(body.length / BYTES_PER_ELEMENT)) : ELEMENTS_MAX;
}

function holdParsed(ctx: RequestContext, held: HeldMemory<ParseTurn>, bytes: number): Promise<ParseTurn> | undefined {
  ctx.body.jsonMemory = held;
  ctx.onEnd(() => held.release());
  return held.take(bytes);
}

/**
 * Parses the body of a /v1 request, and puts it into the context.
 * @throws GatewayError `invalid_json`, `invalid_type`, or `invalid_value` for a body that two parsers could read differently
 */
export function takeJson(ctx: RequestContext, body: Buffer, isCurrentProfile: boolean): void {
  const { structure } = ctx.body;
  ctx.body.bytes = body;
  const json = parseJsonObject(body, structure?.hasEscapedNames);
  ctx.body.json = json;
  const survey = surveyOf(json);
  ctx.body.namesModelsInside = survey.namesModelsInside;
  const counted = { survey, fields: structure?.fields };
  const rejection = rejectionOfTwoReadings(body, json, isCurrentProfile ? 'everywhere' : 'none', counted);
  if (rejection !== null) throw rejection;
  // The specification accepts other spellings, so they are rejected only if a limit or the model gate could be bypassed.
  if (!isCurrentProfile && survey.hasVariants)
    ctx.body.ambiguity = rejectionOfTwoReadings(body, json, 'known-fields', counted);
  ctx.stream = json['stream'] === true;
}

/** Parses an operator's body. An absent body stays null, and counts as `{}` if every field is optional (D16). */
export function takeOperatorJson({ body: taken }: RequestContext, body: Buffer): void {
  taken.json = body.length === 0 ? null : parseJsonObject(body, taken.structure?.hasEscapedNames);
}

/**
 * @param mayHaveEscapedNames see `parseJson`
 * @throws GatewayError `invalid_json`, or `invalid_type` (param null) if the body is not an object
 */
export function parseJsonObject(body: Buffer, mayHaveEscapedNames?: boolean): JsonObject {
  if (!isUtf8(body)) throw invalidJson();
  let value: unknown;
  try {
    value = parseJson(body, mayHaveEscapedNames);
  } catch {
    throw invalidJson();
  }
  if (!isObject(value)) throw invalidType(null, 'a JSON object');
  return value;
}

/**
 * The error for a body whose model or cost two parsers could read differently (D29). Null if all parsers agree. The code is
 * `invalid_value`, and the param is `model` or the top-level field.
 */
export function rejectionOfTwoReadings(
  body: Buffer,
  json: JsonObject,
  spellings: Spellings,
  counted?: Counted,
): GatewayError | null {
  const found = twoReadingsIn(body, json, spellings, counted);
  if (found === null) return null;
  const { name, within, written } = found;
  const param = paramOf(found);
  if (written !== null)
    return invalidValue(param, `written as "${name}", because some parsers read "${shown(written)}" as the same field`);
  const reason = `because parsers disagree on which "${shown(name)}" to use`;
  if (within === null || param === 'model') return invalidValue(param, `specified only once, ${reason}`);
  return invalidValue(param, `free of repeated field names, ${reason}`);
}

/** A field outside of the table is only found if it contains models. */
function paramOf({ name, within }: TwoReadings): string {
  if (namesModels(name)) return 'model';
  if (within !== null) return within;
  return MODEL_FIELDS.includes(name) || !isReadOnce(name) ? 'model' : name;
}

const SHOWN_CHARACTERS_MAX = 64;

const shown = (name: string): string =>
  name.length > SHOWN_CHARACTERS_MAX ? `${name.slice(0, SHOWN_CHARACTERS_MAX)}…` : name;
