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

/** Providers put the usage at the end of a JSON object, so the search starts there. The whole body is read only if necessary. */
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
  const extractor = new UsageExtractor(reader, format);
  extractor.push(body);
  return { usage: extractor.end(true), error: extractor.error };
}

/** False if `name` occurs only as the name of null fields. */
function hasOtherThanNull(body: Buffer, name: Buffer): boolean {
  for (let at = body.indexOf(name); at !== -1; at = body.indexOf(name, at + name.length)) {
    const colon = skipSpace(body, at + name.length);
    if (body[colon] !== COLON || body[skipSpace(body, colon + 1)] !== LETTER_N) return true;
  }
  return false;
}

function lastReport(body: Buffer, reader: UsageReader): UsageReport | null {
  if (body.lastIndexOf('"usage"') === -1) return null;
  const at = lastMemberAt(body, 'usage');
  return at === -1 ? null : reportAt(body, at, reader);
}
