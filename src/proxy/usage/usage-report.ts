import { NO_USAGE, type TokenUsage } from '../../request-context/token-usage.js';
import { endOfValue, memberAt } from './json-scan.js';

/** What PostgreSQL's integer takes; a figure above it counts as this. */
export const TOKENS_MAX = 2 ** 31 - 1;

/** Where a report stands and what its figures are called. */
export interface UsageShape {
  /** Name of the top-level member. */
  readonly member: string;
  readonly input: string;
  /** null: such answers have no output. */
  readonly output: string | null;
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

/** The figures of the report that begins at `at`; null where it is no object or has neither. */
export function reportAt(bytes: Buffer, at: number, shape: UsageShape): UsageReport | null {
  const input = tokensAt(bytes, memberAt(bytes, at, shape.input));
  const output = shape.output === null ? null : tokensAt(bytes, memberAt(bytes, at, shape.output));
  return input === null && output === null ? null : { input, output };
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

function tokensAt(bytes: Buffer, at: number): number | null {
  if (at === -1) return null;
  const end = endOfValue(bytes, at);
  if (end === -1 || end - at > NUMBER_BYTES_MAX) return null;
  const text = bytes.toString('latin1', at, end);
  if (!/^-?\d/.test(text)) return null;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) return null;
  // Not -0, which PostgreSQL takes but tests stumble over.
  return number === 0 ? 0 : Math.min(number, TOKENS_MAX);
}
