import { eventReader, type EventReader, type EventSubscriber } from '../../platform/event-stream/event-reader.js';
import { WordMarks } from '../../platform/event-stream/word-marks.js';
import { FieldWatcher } from '../../platform/json/field-watcher.js';
import type { ResponseFormat } from './response-format.js';
import type { ResponseFactsReader } from './response-facts.js';
import { watchedFields } from './report-fields.data.js';
import { ResponseReport, type MeteredReport } from './response-report.js';
import { nextError, nextUsage } from './stream-marks.js';
import { ToolCallCounter } from './tool-calls.js';
import type { UsageReader } from './usage-formats.data.js';

/**
 * Reads token usage and errors from a response in any format. Never throws. It holds at most 128 KiB of the current value, and a
 * copy of the report in effect. The length of lines and documents does not matter. Bytes without usage or errors cost two native
 * searches.
 */
export class UsageExtractor implements EventSubscriber {
  private readonly report: ResponseReport;
  private readonly fields: FieldWatcher<unknown>;
  private readonly calls: ToolCallCounter | null;
  private readonly events: EventReader;

  /** @param countsCalls whether the response can contain calls of hosted tools */
  constructor(
    reader: UsageReader,
    format: ResponseFormat,
    facts: ResponseFactsReader | null = null,
    countsCalls = false,
  ) {
    this.calls = countsCalls ? new ToolCallCounter() : null;
    this.report = new ResponseReport(reader, facts, this.calls);
    this.fields = new FieldWatcher(watchedFields(reader, facts !== null, countsCalls), this.report);
    this.events = eventReader(format, this, new WordMarks([nextUsage, nextError]));
  }

  /** @param chunk can begin and end anywhere, even inside a character; it is not kept */
  push(chunk: Buffer): void {
    this.events.push(chunk);
  }

  /** Call it once. `whole` is false if the response was interrupted. */
  end(whole: boolean): MeteredReport {
    this.events.end();
    const { report } = this;
    const usage = whole ? report.usage() : report.usageIfInterrupted();
    return { usage, error: report.error, reported: report.reported() };
  }

  data(piece: Buffer): void {
    // Counted first, because the watcher can end the document within the piece.
    this.calls?.push(piece);
    this.fields.push(piece);
  }

  errorEvent(): void {
    this.report.errorEvent();
  }

  eventEnd(): void {
    this.fields.end();
    this.report.document();
  }
}
