import { modelNameOf, type ModelTokens } from './detail-figures.js';
import { TOKENS_MAX } from './usage-report.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Sums the steps of Anthropic's `iterations` by model, because an advisor and a fallback use a different model than the message.
 * Null if all steps name one model, whose price then applies to the request.
 */
export function modelsIn(steps: readonly unknown[]): readonly ModelTokens[] | null {
  const sums = new Map<string, ModelTokens>();
  for (const step of steps) {
    if (!isObject(step)) continue;
    const model = modelNameOf(step['model']);
    if (model === null) continue;
    const known = sums.get(model);
    const tokens = tokensOf(model, step);
    sums.set(model, known === undefined ? tokens : sumOf(known, tokens));
  }
  const named = steps.every((step) => isObject(step) && typeof step['model'] === 'string');
  return sums.size > (named ? 1 : 0) ? [...sums.values()] : null;
}

function tokensOf(model: string, step: Json): ModelTokens {
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

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
