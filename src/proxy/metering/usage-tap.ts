import type { TokenUsage } from '../../request-context/token-usage.js';
import type { ResponseFormat } from './response-format.js';
import { ResponseReport, WATCHED, type ReportedError } from './response-report.js';
import { MemberWatcher } from '../../json/member-watcher.js';
import { EventLines, NdjsonLines } from './report-lines.js';
import type { UsageReader } from './usage-reader.js';

/**
 * Reads usage and errors from a copy of a response's bytes, in any format. Never throws. Memory: the values that it reads, 128 KiB
 * at most, whatever the length of lines and documents. Stretches without a mark of interest cost two searches.
 */
export class UsageTap {
  private readonly report: ResponseReport;
  private readonly source: Pick<EventLines, 'push' | 'end'>;

  constructor(
    private readonly reader: UsageReader,
    private readonly format: ResponseFormat,
  ) {
    this.report = new ResponseReport(reader);
    const watch = new MemberWatcher(WATCHED, this.report);
    if (format === 'json') this.source = watch;
    else this.source = format === 'sse' ? new EventLines(watch, this.report) : new NdjsonLines(watch);
  }

  /** `chunk` may be cut anywhere, also inside a character. It is not kept. */
  push(chunk: Buffer): void {
    this.source.push(chunk);
  }

  /** Call once, when the response has ended; `whole` false: it was cut. */
  end(whole: boolean): TokenUsage {
    this.source.end();
    if (!whole) return this.report.usageOfCut();
    return this.report.usage(this.format === 'json' || this.reader.inParts !== true);
  }

  /** The error that the response contains, known after `end`. */
  get error(): ReportedError | null {
    return this.report.error;
  }
}
