import { COLON, LETTER_N } from '../../json/bytes.js';
import { lastMemberAt, skipSpace } from '../../json/json-scan.js';
import { NO_USAGE, type TokenUsage } from '../../request-context/token-usage.js';
import { formatByLook } from './response-format.js';
import type { ReportedError } from './response-report.js';
import type { UsageReader } from './usage-formats.data.js';
import { isComplete, reportAt, usageOf, type UsageReport } from './usage-report.js';
import { UsageExtractor } from './usage-extractor.js';

const USAGE = Buffer.from('"usage');
const ERROR = Buffer.from('"error"');

interface BufferedReport {
  readonly usage: TokenUsage;
  readonly error: ReportedError | null;
}

/**
 * Reads usage and error from a complete response, whatever its content type. Providers put the usage at the end of a JSON
 * object, so the search starts there. The whole body is read only if that finds no complete report, or if it can contain an
 * error.
 */
export function bufferedReport(body: Buffer, reader: UsageReader): BufferedReport {
  const mayBeError = hasOtherThanNull(body, ERROR);
  if (!mayBeError) {
    const report = lastReport(body, reader);
    if (report !== null && (isComplete(report) || reader.output.length === 0))
      return { usage: usageOf(report, true), error: null };
    if (report === null && !body.includes(USAGE)) return { usage: NO_USAGE, error: null };
  }
  const format = formatByLook(body);
  if (format === null) return { usage: NO_USAGE, error: null };
  const tap = new UsageExtractor(reader, format);
  tap.push(body);
  return { usage: tap.end(true), error: tap.error };
}

/** Whether `name` occurs in the body as anything other than the name of a null field. */
function hasOtherThanNull(body: Buffer, name: Buffer): boolean {
  for (let at = body.indexOf(name); at !== -1; at = body.indexOf(name, at + name.length)) {
    const colon = skipSpace(body, at + name.length);
    if (body[colon] !== COLON || body[skipSpace(body, colon + 1)] !== LETTER_N) return true;
  }
  return false;
}

/** Returns the report in the top-level `usage`, or null. A body without that name costs one native search. */
function lastReport(body: Buffer, reader: UsageReader): UsageReport | null {
  if (body.lastIndexOf('"usage"') === -1) return null;
  const at = lastMemberAt(body, 'usage');
  return at === -1 ? null : reportAt(body, at, reader);
}
