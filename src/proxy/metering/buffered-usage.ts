import type { TokenUsage } from '../../request-context/token-usage.js';
import { NO_USAGE } from '../../request-context/token-usage.js';
import { formatByLook } from './response-format.js';
import type { ReportedError } from './response-report.js';
import { isSpace, isString, skipSpace, startOfString } from '../../json/json-scan.js';
import type { UsageReader } from './usage-reader.js';
import { isComplete, reportAt, usageOf, type UsageReport } from './usage-report.js';
import { UsageTap } from './usage-tap.js';

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

const USAGE = Buffer.from('"usage');
const ERROR = Buffer.from('"error"');
/** Of `null`: no other value begins with it. */
const LETTER_N = 0x6e;

/** Usage and error of one whole response. */
interface BufferedReport {
  readonly usage: TokenUsage;
  readonly error: ReportedError | null;
}

/**
 * Usage and error of a whole response, whatever its content type says. Providers put the report at the end of a JSON object,
 * so it is searched for from there. All of the body is read only if that finds no complete report, or if it may hold an error.
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
  const tap = new UsageTap(reader, format);
  tap.push(body);
  return { usage: tap.end(true), error: tap.error };
}

/** Whether the body has the string `name` other than as the name of a null. */
function hasOtherThanNull(body: Buffer, name: Buffer): boolean {
  for (let at = body.indexOf(name); at !== -1; at = body.indexOf(name, at + name.length)) {
    const colon = skipSpace(body, at + name.length);
    if (body[colon] !== COLON || body[skipSpace(body, colon + 1)] !== LETTER_N) return true;
  }
  return false;
}

/** The report in `usage` of the outermost object; null if it has none. A body without that name costs one native search. */
function lastReport(body: Buffer, reader: UsageReader): UsageReport | null {
  if (body.lastIndexOf('"usage"') === -1) return null;
  const at = lastMemberAt(body, 'usage');
  return at === -1 ? null : reportAt(body, at, reader);
}

/**
 * Index of the value of a member of the outermost object; -1 if it has none. The last of several equal names counts, as with
 * JSON.parse. JSON can be read from its end: a quote inside a string has a backslash before it, and there are no backslashes
 * outside strings. So everything that this cannot read does not parse either.
 */
function lastMemberAt(body: Buffer, name: string): number {
  let at = body.length - 1;
  while (at >= 0 && isSpace(body[at] as number)) at--;
  if (body[at] !== CLOSE_BRACE) return -1;
  let depth = 0;
  for (; at >= 0; at--) {
    const byte = body[at];
    if (byte === QUOTE) {
      const start = startOfString(body, at);
      if (start === -1) return -1;
      if (depth === 1 && isString(body, start, at + 1, name)) {
        const colon = skipSpace(body, at + 1);
        if (body[colon] === COLON) return skipSpace(body, colon + 1);
      }
      at = start;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth++;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth--;
      if (depth === 0) return -1;
    }
  }
  return -1;
}
