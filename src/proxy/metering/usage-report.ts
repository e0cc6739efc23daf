import { COLON, COMMA, OPEN_BRACE, QUOTE } from '../../platform/json/bytes.js';
import { endOfString, endOfValue, skipSpace } from '../../platform/json/json-scan.js';
import { jsonIn } from '../../platform/json/parse-json.js';
import { NO_USAGE, type TokenUsage } from '../../platform/request-context/token-usage.js';
import { isObject, type JsonObject } from '../../platform/validation/check.js';

/** The largest PostgreSQL integer. No response can use this many tokens. */
export const TOKENS_MAX = 2 ** 31 - 1;

/** Field names in order of preference. */
export interface TokenCountFields {
  readonly input: readonly string[];
  readonly output: readonly string[];
  /** An array of reports, one per step of the response. The provider's totals omit some steps. */
  readonly steps?: string;
}

/** A count is null if it is missing or invalid. A reported 0 stays 0. */
export interface UsageReport {
  readonly input: number | null;
  readonly output: number | null;
}

/**
 * Reads the counts of a report. If the sums over the steps are higher, it uses those.
 * @returns null if there is no count, or a count exceeds `TOKENS_MAX`
 */
export function reportIn(usage: JsonObject, names: TokenCountFields): UsageReport | null {
  const input = figureIn(usage, names.input);
  const output = figureIn(usage, names.output) ?? restOf(usage, input, names);
  if (input === null && output === null) return null;
  if ((input ?? 0) > TOKENS_MAX || (output ?? 0) > TOKENS_MAX) return null;
  const steps = names.steps === undefined ? undefined : usage[names.steps];
  return !Array.isArray(steps) || steps.length === 0
    ? { input, output }
    : { input: atLeast(input, steps, names.input), output: atLeast(output, steps, names.output) };
}

/** Whether a report has both counts, and neither is 0. */
export const isComplete = ({ input, output }: UsageReport): boolean => (input ?? 0) > 0 && (output ?? 0) > 0;

/**
 * Combines two reports of one response. A count of 0 does not replace a known count. Unless `inParts`, a single count does not
 * change a complete report.
 */
export function merged(known: UsageReport | null, next: UsageReport, inParts: boolean): UsageReport {
  if (known === null) return next;
  const single = next.input === null || next.output === null;
  if (single && !inParts && isComplete(known)) return known;
  return { input: newer(known.input, next.input), output: newer(known.output, next.output) };
}

/** Whether `next` can replace counts of `known`, so that its details are those of the response. */
export function replaces(known: UsageReport | null, next: UsageReport, inParts: boolean): boolean {
  if (known === null || inParts) return true;
  if ((next.input === null || next.output === null) && isComplete(known)) return false;
  return (next.input ?? 0) > 0 || (next.output ?? 0) > 0;
}

const newer = (known: number | null, next: number | null): number | null =>
  next === null || (next === 0 && known !== null) ? known : next;

/** @param single whether one count is the whole usage, as for embeddings. Otherwise the other one is missing */
export function usageOf(report: UsageReport | null, single: boolean): TokenUsage {
  if (report === null) return NO_USAGE;
  const complete = report.input !== null && report.output !== null;
  return {
    inputTokens: report.input ?? 0,
    outputTokens: report.output ?? 0,
    provenance: single || complete ? 'reported' : 'partial',
  };
}

/** Returns the tokens of an OpenAI total that are not input, if the report has no output. A total without them shows nothing. */
function restOf(usage: JsonObject, input: number | null, { output }: TokenCountFields): number | null {
  const total = tokensOf(usage['total_tokens']);
  return output.length > 0 && input !== null && total !== null && total > input ? total - input : null;
}

/** Prefers a count that is not 0, because some providers send a second set of fields with 0. */
function figureIn(usage: JsonObject, names: readonly string[]): number | null {
  let figure: number | null = null;
  for (const name of names) {
    const tokens = tokensOf(usage[name]);
    if (tokens !== null && tokens > 0) return tokens;
    figure ??= tokens;
  }
  return figure;
}

function tokensOf(number: unknown): number | null {
  if (!Number.isInteger(number) || (number as number) < 0) return null;
  // PostgreSQL accepts -0, but tests distinguish it from 0.
  return number === 0 ? 0 : (number as number);
}

function atLeast(figure: number | null, steps: readonly unknown[], [name = '']: readonly string[]): number {
  let sum = 0;
  for (const step of steps) {
    const tokens = isObject(step) ? (tokensOf(step[name]) ?? 0) : 0;
    if (tokens <= TOKENS_MAX) sum += tokens;
  }
  return Math.max(figure ?? 0, Math.min(sum, TOKENS_MAX));
}

/** The rest of a longer object is ignored. Reports have a few hundred bytes. */
const BYTES_MAX = 128 * 1024;

const NO_FIELDS: JsonObject = {};

/**
 * Parses the object at `at`. If the object is truncated, too long or not JSON, only its complete fields are parsed. Never throws.
 * @param end the index after the object, -1 if it does not end
 */
export function usageObjectAt(bytes: Buffer, at: number, end = endOfValue(bytes, at)): JsonObject {
  if (bytes[at] !== OPEN_BRACE) return NO_FIELDS;
  const whole = end !== -1 && end - at <= BYTES_MAX ? jsonIn(bytes.toString('utf8', at, end)) : undefined;
  return isObject(whole) ? whole : completeFields(bytes.subarray(at, at + BYTES_MAX));
}

function completeFields(object: Buffer): JsonObject {
  const fields: [name: string, value: unknown][] = [];
  let at = skipSpace(object, 1);
  while (object[at] === QUOTE) {
    const nameEnd = endOfString(object, at);
    const colon = nameEnd === -1 ? -1 : skipSpace(object, nameEnd);
    if (colon === -1 || object[colon] !== COLON) break;
    const start = skipSpace(object, colon + 1);
    const end = endOfValue(object, start);
    if (end === -1) break;
    const name = jsonIn(object.toString('utf8', at, nameEnd));
    const value = jsonIn(object.toString('utf8', start, end));
    if (typeof name === 'string' && value !== undefined) fields.push([name, value]);
    at = skipSpace(object, end);
    if (object[at] !== COMMA) break;
    at = skipSpace(object, at + 1);
  }
  // Also defines a field named `__proto__`.
  return Object.fromEntries(fields);
}
