import { STEP_FIELDS, type DetailField, type DetailFields } from './detail-fields.data.js';
import { DetailFigures, modelNameOf, wordOf, type CountName, type ModelTokens } from './detail-figures.js';
import { isObject, type JsonObject } from '../../platform/validation/check.js';
import { TOKENS_MAX } from './usage-report.js';

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

function readText(value: string, { text }: DetailField, figures: DetailFigures): void {
  const word = text === undefined ? null : wordOf(value);
  if (text === undefined || word === null) return;
  figures[text] = word;
  figures.some = true;
}

function readArray(entries: readonly unknown[], { byModality, steps }: DetailField, figures: DetailFigures): void {
  const objects = entries.filter(isObject);
  if (steps === true) {
    noteSteps(objects, figures);
    figures.models = modelsIn(objects, entries.length);
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
 * Null if all steps name one model, whose price then applies to the request.
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
  const named = steps.length === stepCount && steps.every(({ model }) => typeof model === 'string');
  return sums.size > (named ? 1 : 0) ? [...sums.values()] : null;
}

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
