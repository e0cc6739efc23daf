import { NO_USAGE, type TokenUsage } from '../../request-context/token-usage.js';
import { endOfValue, memberAt } from './json-scan.js';

/** What PostgreSQL's integer takes, and more than any answer can have cost. */
export const TOKENS_MAX = 2 ** 31 - 1;

/** Where a report stands and what its figures are called. */
export interface UsageShape {
  /** Name of the top-level member. */
  readonly member: string;
  readonly input: string;
  /** null: such answers have no output. */
  readonly output: string | null;
  /** An array beside the figures with a report of each step of the answer, some of which they leave out. */
  readonly steps?: string;
}

/** What one report says; null: that figure is not in it, or is none. A reported 0 is 0. */
export interface UsageReport {
  readonly input: number | null;
  readonly output: number | null;
}

/**
 * The report in the JSON object that begins at `objectAt`; null where it has none. Bytes that end in the middle of the report
 * give the figures that are whole.
 */
export function reportIn(bytes: Buffer, objectAt: number, shapes: readonly UsageShape[]): UsageReport | null {
  for (const shape of shapes) {
    const at = memberAt(bytes, objectAt, shape.member);
    const report = at === -1 ? null : reportAt(bytes, at, shape);
    if (report !== null) return report;
  }
  return null;
}

/**
 * The figures of the report that begins at `at`; null where it is no object, has neither, or has one that cannot be, so that
 * the other is not to be believed either. Where the steps come to more, that is what the answer has cost.
 */
export function reportAt(bytes: Buffer, at: number, shape: UsageShape): UsageReport | null {
  const input = tokensAt(bytes, memberAt(bytes, at, shape.input));
  const output = shape.output === null ? null : tokensAt(bytes, memberAt(bytes, at, shape.output));
  if (input === null && output === null) return null;
  if ((input ?? 0) > TOKENS_MAX || (output ?? 0) > TOKENS_MAX) return null;
  if (shape.steps === undefined || shape.output === null) return { input, output };
  const steps = stepsAt(bytes, memberAt(bytes, at, shape.steps));
  return steps.length === 0
    ? { input, output }
    : { input: atLeast(input, steps, shape.input), output: atLeast(output, steps, shape.output) };
}

/** `whole` false: the stream was cut, so a figure that is missing may have been on its way. */
export function usageOf(report: UsageReport | null, whole: boolean): TokenUsage {
  if (report === null) return NO_USAGE;
  const complete = report.input !== null && report.output !== null;
  return {
    inputTokens: report.input ?? 0,
    outputTokens: report.output ?? 0,
    provenance: whole || complete ? 'reported' : 'partial',
  };
}

const NUMBER_BYTES_MAX = 32;

/** Maybe above `TOKENS_MAX`. */
function tokensAt(bytes: Buffer, at: number): number | null {
  if (at === -1) return null;
  const end = endOfValue(bytes, at);
  if (end === -1 || end - at > NUMBER_BYTES_MAX) return null;
  const text = bytes.toString('latin1', at, end);
  return /^-?\d/.test(text) ? tokensOf(Number(text)) : null;
}

function tokensOf(number: unknown): number | null {
  if (!Number.isInteger(number) || (number as number) < 0) return null;
  // Not -0, which PostgreSQL takes but tests stumble over.
  return number === 0 ? 0 : (number as number);
}

const STEPS_BYTES_MAX = 65_536;

type Step = Readonly<Record<string, unknown>> | null;

/** The entries of the array that begins at `at`; none where it is none, or is too long to be one. */
function stepsAt(bytes: Buffer, at: number): readonly Step[] {
  const end = at === -1 ? -1 : endOfValue(bytes, at);
  if (end === -1 || end - at > STEPS_BYTES_MAX) return [];
  try {
    const steps = JSON.parse(bytes.toString('utf8', at, end)) as unknown;
    return Array.isArray(steps) ? (steps as Step[]) : [];
  } catch {
    return [];
  }
}

function atLeast(figure: number | null, steps: readonly Step[], name: string): number {
  const figures = steps.map((step) => tokensOf(step?.[name]) ?? 0).filter((tokens) => tokens <= TOKENS_MAX);
  const sum = figures.reduce((total, tokens) => total + tokens, 0);
  return Math.max(figure ?? 0, Math.min(sum, TOKENS_MAX));
}
