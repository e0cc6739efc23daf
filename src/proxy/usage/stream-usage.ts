import type { TokenUsage } from '../../request-context/token-usage.js';
import { skipSpace } from './json-scan.js';
import { payloadsOf, type PayloadReader, type PayloadSource } from './sse-payloads.js';
import { usageOf, type UsageReport } from './usage-report.js';
import type { StreamUsageReader } from './usage-reader.js';

/** How the payloads of a format are read. */
export interface StreamFormat {
  /** What is known after the JSON object that begins at `objectAt`; `known` where it reports nothing. */
  read(bytes: Buffer, objectAt: number, known: UsageReport | null): UsageReport | null;
  /** A stream that ended whole with one figure only has said all there is; else the other one is missing. */
  readonly oneFigureWillDo: boolean;
}

/** What the names of all reports begin with. Within a JSON string the quote after it would be escaped. */
const MARK = Buffer.from('"usage');
const NULL_REPORTS = [Buffer.from('":null'), Buffer.from('": null')];

/** Usage of one stream, SSE or NDJSON: a payload without a report costs no more than the search for its name. */
export class StreamUsage implements StreamUsageReader, PayloadReader {
  private readonly source: PayloadSource;
  private known: UsageReport | null = null;

  constructor(
    contentType: string,
    private readonly format: StreamFormat,
  ) {
    this.source = payloadsOf(contentType, this);
  }

  push(chunk: Buffer): void {
    this.source.push(chunk);
  }

  end(whole: boolean): TokenUsage {
    this.source.end();
    return usageOf(whole ? this.known : withoutZero(this.known), whole && this.format.oneFigureWillDo);
  }

  /** Chunks with `"usage":null`, which come by the hundred before the one that tells, are as dull as those without. */
  next(chunk: Buffer, at: number): number {
    let mark = chunk.indexOf(MARK, at);
    while (mark !== -1 && isNull(chunk, mark + MARK.length)) mark = chunk.indexOf(MARK, mark + MARK.length);
    return mark === -1 ? chunk.length : mark;
  }

  payload(bytes: Buffer): void {
    if (this.next(bytes, 0) >= bytes.length) return;
    this.known = this.format.read(bytes, skipSpace(bytes, 0), this.known);
  }
}

/** Of a cut stream: one that told of no output yet has told of its beginning. */
const withoutZero = (report: UsageReport | null): UsageReport | null =>
  report?.output === 0 ? { ...report, output: null } : report;

const isNull = (bytes: Buffer, at: number): boolean => NULL_REPORTS.some((report) => stands(bytes, at, report));

function stands(bytes: Buffer, at: number, what: Buffer): boolean {
  for (let i = 0; i < what.length; i++) {
    if (bytes[at + i] !== what[i]) return false;
  }
  return true;
}
