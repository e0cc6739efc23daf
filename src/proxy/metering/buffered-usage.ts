import { COLON, LETTER_N } from '../../json/bytes.js';
import { lastFieldAt, skipSpace } from '../../json/json-scan.js';
import { mediaFiguresOf, textFiguresOf } from './buffered-details.js';
import type { DetailFigures } from './detail-figures.js';
import { formatByShape } from './response-format.js';
import { NOTHING_REPORTED, type MeteredReport } from './response-report.js';
import type { UsageReader } from './usage-formats.data.js';
import { isComplete, reportAt, usageOf } from './usage-report.js';
import { UsageExtractor } from './usage-extractor.js';

const USAGE = Buffer.from('"usage');
const ERROR = Buffer.from('"error"');

/**
 * Providers put the usage at the end of a JSON object, so the search starts there. The whole body is read only if necessary.
 * @param countsCalls whether the response can contain calls of hosted tools
 */
export function bufferedReport(body: Buffer, reader: UsageReader, countsCalls = false): MeteredReport {
  if (hasOtherThanNull(body, ERROR)) return readAll(body, reader, countsCalls);
  const at = body.lastIndexOf('"usage"') === -1 ? -1 : lastFieldAt(body, 'usage');
  const report = at === -1 ? null : reportAt(body, at, reader);
  if (report !== null && (isComplete(report) || reader.output.length === 0)) {
    const figures = figuresOf(body, at, reader, countsCalls);
    return { usage: usageOf(report, true), error: null, reported: { report, figures } };
  }
  if (report !== null || body.includes(USAGE)) {
    const all = readAll(body, reader, countsCalls);
    if (at === -1 || reader.maybeMedia !== true) return all;
    return { ...all, reported: { report: all.reported.report, figures: mediaFiguresOf(body, at) } };
  }
  if (reader.maybeMedia !== true) return NOTHING_REPORTED;
  return { ...NOTHING_REPORTED, reported: { report: null, figures: mediaFiguresOf(body, -1) } };
}

function readAll(body: Buffer, reader: UsageReader, countsCalls: boolean): MeteredReport {
  const format = formatByShape(body);
  if (format === null) return NOTHING_REPORTED;
  const extractor = new UsageExtractor(reader, format, null, countsCalls);
  extractor.push(body);
  return extractor.end(true);
}

const figuresOf = (body: Buffer, at: number, reader: UsageReader, countsCalls: boolean): DetailFigures =>
  reader.maybeMedia === true ? mediaFiguresOf(body, at) : textFiguresOf(body, at, reader, countsCalls);

/** False if `name` occurs only as the name of null fields. */
function hasOtherThanNull(body: Buffer, name: Buffer): boolean {
  for (let at = body.indexOf(name); at !== -1; at = body.indexOf(name, at + name.length)) {
    const colon = skipSpace(body, at + name.length);
    if (body[colon] !== COLON || body[skipSpace(body, colon + 1)] !== LETTER_N) return true;
  }
  return false;
}
