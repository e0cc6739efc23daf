import type { Config } from '../../../platform/config/config.js';
import type { GatewayRouteSpec } from '../../../platform/routes/route-spec.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';
import { integer } from '../../../platform/validation/scalar-kinds.js';
import type { ModelFigures } from './model-sizes.js';

/** The output of one choice if the sizes of the model are unknown. Without a limit, a request could hold a whole shared budget. */
const OUTPUT_MAX = 1_000_000;
/** The highest default of an inference server (vLLM). */
const CHOICES_MAX = 16_384;
/** The maximum of OpenAI. */
const CHECKED_CHOICES_MAX = 128;
const IMAGES_MAX = 10;

/** The fields that an endpoint reads. A provider ignores other fields, so they must not reduce a reservation. */
const MAXIMA: ReadonlyMap<string, readonly string[]> = new Map([
  ['/v1/chat/completions', ['max_completion_tokens', 'max_tokens']],
  ['/v1/completions', ['max_tokens']],
  ['/v1/messages', ['max_tokens']],
]);
const OTHER_MAXIMA = ['max_output_tokens'] as const;

/** A higher value counts as `max`, because validation comes after admission. Null for other values. */
export function countIn(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= min ? Math.min(value, max) : null;
}

/**
 * The maximum output tokens of one choice: the highest maximum in the request, or what the model allows. A thinking budget above it
 * counts as additional output.
 * @returns null if neither is known
 */
export function outputMax(endpoint: string, json: JsonObject, { output, context, known }: ModelFigures): number | null {
  const ofModel = output ?? (known ? context : null);
  const most = ofModel ?? OUTPUT_MAX;
  const stated = (MAXIMA.get(endpoint) ?? OTHER_MAXIMA)
    .map((name) => countIn(json[name], 0, most))
    .filter((tokens) => tokens !== null);
  const max = stated.length > 0 ? Math.max(...stated) : ofModel;
  const { thinking } = json;
  const budget = isObject(thinking) ? countIn(thinking['budget_tokens'], 1, most) : null;
  return max !== null && budget !== null && budget > max ? max + budget : max;
}

/** How often the provider generates output. Completions do so for each prompt. */
export function choicesOf(endpoint: string, { n, best_of, prompt }: JsonObject): number {
  if (endpoint === '/v1/chat/completions') return choicesIn(n);
  if (endpoint !== '/v1/completions') return 1;
  const each = Math.max(choicesIn(n), choicesIn(best_of));
  // An array of numbers is one prompt.
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
  return each * Math.max(1, prompts);
}

/** Some providers accept `"n": "5"`. */
const choicesIn = (value: unknown): number =>
  countIn(typeof value === 'string' ? Number(value) : value, 1, CHOICES_MAX) ?? 1;

/**
 * Checks the number of results before admission, so that a number that no provider accepts cannot reserve a shared budget.
 * @param validation with `provider`, the provider checks everything that the gateway does not need
 * @throws GatewayError `invalid_type` or `invalid_value` for `n` or `best_of`
 */
export function requireCountableResults(
  { endpoint }: Pick<GatewayRouteSpec, 'endpoint'>,
  json: JsonObject | null,
  validation: Config['validation'],
): void {
  if (json === null) return;
  const choicesMax = validation === 'provider' ? CHOICES_MAX : CHECKED_CHOICES_MAX;
  if (endpoint === '/v1/chat/completions' || endpoint === '/v1/completions') requireCount(json, 'n', choicesMax);
  if (endpoint === '/v1/completions') requireCount(json, 'best_of', choicesMax);
  if (endpoint.startsWith('/v1/images/')) requireCount(json, 'n', IMAGES_MAX);
}

function requireCount(json: JsonObject, name: string, max: number): void {
  const given = json[name] ?? null;
  if (given === null) return;
  // The fields of a form are text, and some providers accept `"n": "5"`.
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  const violation = integer({ min: 1, max }).check(value, name, { lenient: false });
  if (violation !== null) throw violation;
}

/** Bytes of a predicted output. Tokens of it that the model rejects are billed as output. */
export function predictionBytes({ prediction }: JsonObject): number {
  if (!isObject(prediction)) return 0;
  const { content } = prediction;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.reduce<number>((sum, part) => sum + byteLength(isObject(part) ? part['text'] : part), 0);
}

const byteLength = (text: unknown): number => (typeof text === 'string' ? Buffer.byteLength(text) : 0);
