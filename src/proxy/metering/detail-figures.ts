import { isObject, type JsonObject } from '../../platform/validation/check.js';
import { STEP_FIELDS, type CountName, type DetailField, type DetailFields } from './usage-detail-fields.data.js';
import { TOKENS_MAX } from './usage-report.js';

export interface ModelTokens {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** The details that one response reports, before they are interpreted. A detail that is not reported is null. */
export class DetailFigures {
  total: number | null = null;
  cachedInput: number | null = null;
  cacheWrite: number | null = null;
  cacheWrite5m: number | null = null;
  cacheWrite1h: number | null = null;
  reasoning: number | null = null;
  thoughts: number | null = null;
  citations: number | null = null;
  audioInput: number | null = null;
  cachedAudioInput: number | null = null;
  audioOutput: number | null = null;
  imageInput: number | null = null;
  imageOutput: number | null = null;
  webSearches: number | null = null;
  xSearches: number | null = null;
  sources: number | null = null;
  fileSearches: number | null = null;
  documentSearches: number | null = null;
  codeExecutions: number | null = null;
  imageToolInput: number | null = null;
  imageToolOutput: number | null = null;
  imageToolCachedInput: number | null = null;
  imageToolImageInput: number | null = null;
  imageToolImageOutput: number | null = null;
  /** Calls of the image generation tool. */
  imageToolCalls: number | null = null;
  images: number | null = null;
  videoSeconds: number | null = null;
  seconds: number | null = null;
  usd: number | null = null;
  ticks: number | null = null;
  upstreamUsd: number | null = null;
  byok: boolean | null = null;
  serviceTier: string | null = null;
  speed: string | null = null;
  region: string | null = null;
  imageSize: string | null = null;
  imageQuality: string | null = null;
  /** Sums of the steps that name their model, if there are several models. */
  models: readonly ModelTokens[] | null = null;
  /** Whether any of them is reported, except `total`. */
  some = false;
  /** A later report of the same response is being read. */
  later = false;
}

/** A limit for the JSON of a word, which can contain escapes. */
export const WORD_BYTES_MAX = 64;

/** Longer values are not stored with a request. */
const WORD = /^[\w.:-]{1,32}$/;

const MODEL_NAME = /^[\w./:@+-]{1,256}$/;

/** Returns null for text that cannot be the ID of a model, which is not stored with a request. */
export const modelNameOf = (value: unknown): string | null =>
  typeof value === 'string' && MODEL_NAME.test(value) ? value : null;

/** Returns tiers, regions and sizes, and null for all values that are not a short word. */
export const wordOf = (value: unknown): string | null => (typeof value === 'string' && WORD.test(value) ? value : null);

/** Adds the figures that an object reports. Unknown fields, and values of another type, are ignored. */
export function readDetails(object: JsonObject, fields: DetailFields, figures: DetailFigures): void {
  for (const name in object) {
    const field = fields.get(name);
    if (field !== undefined) readValue(object[name], field, figures);
  }
}

function readValue(value: unknown, field: DetailField, figures: DetailFigures): void {
  if (typeof value === 'number') readNumber(value, field, figures);
  else if (typeof value === 'string') readText(value, field, figures);
  else if (field.byok === true) figures.byok = value === true;
  else if (Array.isArray(value)) readArray(value, field, figures);
  else if (isObject(value) && field.fields !== undefined) readDetails(value, field.fields, figures);
}

function readNumber(number: number, { count, amount }: DetailField, figures: DetailFigures): void {
  if (count !== undefined) return noteCount(figures, count, number);
  if (amount === undefined || !Number.isFinite(number) || number < 0) return;
  figures[amount] = number;
  figures.some = true;
}

/**
 * If several fields have the same meaning, the highest value is used, because some providers send a second field with 0. A later
 * report replaces the counts of an earlier one, but not by 0, as for tokens.
 */
function noteCount(figures: DetailFigures, name: CountName, count: number): void {
  if (!Number.isInteger(count) || count < 0 || count > TOKENS_MAX) return;
  const known = figures[name];
  // Adding 0 turns -0 into 0.
  if (known === null || (figures.later ? count !== 0 : count > known)) figures[name] = count + 0;
  if (name !== 'total') figures.some = true;
}

function readText(value: string, { text, words }: DetailField, figures: DetailFigures): void {
  const word = text === undefined ? null : wordOf(words?.get(value) ?? value);
  if (text === undefined || word === null) return;
  figures[text] = word;
  figures.some = true;
}

function readArray(entries: readonly unknown[], { byModality, steps }: DetailField, figures: DetailFigures): void {
  const objects = entries.filter(isObject);
  if (steps === true) {
    noteSteps(objects, figures);
    figures.models = modelsIn(objects, entries.length);
    figures.some ||= figures.models !== null;
  }
  if (byModality === undefined) return;
  for (const { modality, tokenCount } of objects) {
    if (typeof modality !== 'string' || !Object.hasOwn(byModality, modality)) continue;
    if (typeof tokenCount === 'number') noteCount(figures, byModality[modality]!, tokenCount);
  }
}

const STEP_COUNTS = ['cachedInput', 'cacheWrite', 'cacheWrite5m', 'cacheWrite1h', 'reasoning'] as const;

/** As for tokens, the sum over the steps is used if it exceeds the total. */
function noteSteps(steps: readonly JsonObject[], figures: DetailFigures): void {
  const sums = new DetailFigures();
  for (const step of steps) {
    const counts = new DetailFigures();
    readDetails(step, STEP_FIELDS, counts);
    for (const name of STEP_COUNTS) {
      if (counts[name] !== null) sums[name] = bounded((sums[name] ?? 0) + counts[name]);
    }
  }
  for (const name of STEP_COUNTS) {
    if (sums[name] !== null && sums[name] > (figures[name] ?? -1)) noteCount(figures, name, sums[name]);
  }
}

/**
 * Sums the steps of Anthropic's `iterations` by model, because an advisor and a fallback use a different model than the message.
 * Null if all steps are those of one model, whose price then applies to the request.
 * @param stepCount the number of steps, including those that are not objects
 */
function modelsIn(steps: readonly JsonObject[], stepCount: number): readonly ModelTokens[] | null {
  const sums = new Map<string, ModelTokens>();
  for (const step of steps) {
    const model = modelNameOf(step['model']);
    if (model === null) continue;
    const known = sums.get(model);
    const tokens = tokensOf(model, step);
    sums.set(model, known === undefined ? tokens : sumOf(known, tokens));
  }
  const isOwn = steps.length === stepCount && steps.every(isStepOfMessage);
  return sums.size > (isOwn ? 1 : 0) ? [...sums.values()] : null;
}

/** An advisor is a model that the message's model has asked. */
const isStepOfMessage = ({ model, type }: JsonObject): boolean =>
  typeof model === 'string' && type !== 'advisor_message';

function tokensOf(model: string, step: JsonObject): ModelTokens {
  const writes = isObject(step['cache_creation']) ? step['cache_creation'] : {};
  const cacheWrite1h = countOf(writes['ephemeral_1h_input_tokens']);
  const all = countOf(step['cache_creation_input_tokens']);
  return {
    model,
    input: countOf(step['input_tokens']),
    output: countOf(step['output_tokens']),
    cachedInput: countOf(step['cache_read_input_tokens']),
    cacheWrite5m: Math.max(countOf(writes['ephemeral_5m_input_tokens']), all - cacheWrite1h),
    cacheWrite1h,
  };
}

const sumOf = (a: ModelTokens, b: ModelTokens): ModelTokens => ({
  model: a.model,
  input: bounded(a.input + b.input),
  output: bounded(a.output + b.output),
  cachedInput: bounded(a.cachedInput + b.cachedInput),
  cacheWrite5m: bounded(a.cacheWrite5m + b.cacheWrite5m),
  cacheWrite1h: bounded(a.cacheWrite1h + b.cacheWrite1h),
});

const bounded = (count: number): number => Math.min(TOKENS_MAX, count);

const countOf = (value: unknown): number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= TOKENS_MAX ? (value as number) : 0;
