import { CLOSE_BRACE } from '../../platform/json/bytes.js';
import { NO_USAGE, type TokenUsage } from '../../platform/request-context/token-usage.js';
import { messageIn } from '../upstream-refusal.js';
import { skipSpace } from '../../platform/json/json-scan.js';
import type { WatchReader } from '../../platform/json/field-watcher.js';
import type { ReportField } from './report-fields.data.js';
import type { ResponseFactsReader } from './response-facts.js';
import type { UsageReader } from './usage-formats.data.js';
import type { DetailFigures } from './detail-figures.js';
import { ReportedDetails } from './reported-details.js';
import type { ToolCallCounter } from './tool-calls.js';
import {
  isComplete,
  merged,
  replaces,
  reportIn,
  usageObjectAt,
  usageOf,
  type TokenCountFields,
  type UsageReport,
} from './usage-report.js';

const METADATA: TokenCountFields = { input: ['promptTokenCount'], output: ['candidatesTokenCount'] };
/** If a document has several equally complete reports, the report with the lowest rank is used. */
const RANK = { usage: 0, start: 0, metadata: 1, nested: 2 } as const;
type ReportLeaf = keyof typeof RANK;

export interface ReportedError {
  /** The message is not redacted. */
  readonly message: string | null;
  /** The error itself, possibly truncated. Null if the document is the error. */
  readonly json: string | null;
}

export interface MeteredReport {
  readonly usage: TokenUsage;
  readonly error: ReportedError | null;
  readonly reported: {
    readonly report: UsageReport | null;
    readonly figures: DetailFigures | null;
    /** The report is a running total in a chunk of text, so more output might have followed. */
    readonly running: boolean;
  };
}

export const NOTHING_REPORTED: MeteredReport = {
  usage: NO_USAGE,
  error: null,
  reported: { report: null, figures: null, running: false },
};

/** Collects the usage and the error that the documents of one response report. */
export class ResponseReport implements WatchReader<ReportField> {
  error: ReportedError | null = null;
  private known: UsageReport | null = null;

  private found: UsageReport | null = null;
  private foundRank = 0;
  private isPart = false;
  private isFinished = false;
  private running = false;
  private isError = false;
  private errorJson: string | null = null;
  private messageJson: string | null = null;

  private readonly details: ReportedDetails;

  /** @param calls null if the response cannot contain tool calls */
  constructor(
    private readonly reader: UsageReader,
    private readonly facts: ResponseFactsReader | null,
    calls: ToolCallCounter | null,
  ) {
    this.details = new ReportedDetails(reader.inParts === true, calls);
  }

  /** Call it once, after the last document. */
  reported(): MeteredReport['reported'] {
    return { report: this.known, figures: this.details.takeFigures(), running: this.running };
  }

  usage(): TokenUsage {
    return usageOf(this.known, this.reader.estimates !== 'request and response');
  }

  /** In an interrupted response, an output of 0 is unknown. */
  usageIfInterrupted(): TokenUsage {
    return usageOf(this.known?.output === 0 ? { ...this.known, output: null } : this.known, false);
  }

  value(leaf: ReportField, value: Buffer): void {
    switch (leaf) {
      case 'usage':
      case 'nested':
      case 'start':
      case 'metadata':
        return this.noteUsage(leaf, value);
      case 'tier':
      case 'size':
      case 'quality':
      case 'tools':
        return this.details.noteBeside(leaf, value);
      case 'error':
        if (!isEmpty(value)) this.errorJson ??= value.toString();
        return;
      case 'message':
        this.messageJson = value.toString();
        return;
      case 'type':
        this.isError ||= value.equals(ERROR_TYPE);
        return;
      case 'part':
        this.isPart = true;
        return;
      case 'finish':
        this.isFinished = true;
        return this.facts?.noteJson(leaf, value);
      case 'id':
      case 'model':
        return this.facts?.noteJson(leaf, value);
      default:
        return leaf satisfies never;
    }
  }

  /** The event stream names this event an error. */
  errorEvent(): void {
    this.isError = true;
  }

  document(): void {
    const { found, errorJson, messageJson } = this;
    const inParts = this.reader.inParts === true;
    // The usage of a transcription can be its duration, and an image response can have none.
    const isUnits = this.reader.maybeMedia === true && this.known === null && this.details.noted;
    this.details.document(found === null ? isUnits : replaces(this.known, found, inParts));
    if (found !== null) {
      this.known = merged(this.known, found, inParts);
      this.running = this.isPart && !this.isFinished;
    }
    if (this.error === null && (this.isError || errorJson !== null)) {
      const message = errorJson === null ? null : messageIn(`{"error":${errorJson}}`);
      const outer = messageJson === null ? null : messageIn(`{"message":${messageJson}}`);
      this.error = { message: message ?? outer, json: errorJson };
    }
    this.found = this.errorJson = this.messageJson = null;
    this.isError = this.isPart = this.isFinished = false;
  }

  private noteUsage(leaf: ReportLeaf, value: Buffer): void {
    const usage = usageObjectAt(value, 0);
    const report =
      leaf === 'start'
        ? inputOnly(reportIn(usage, this.reader))
        : reportIn(usage, leaf === 'metadata' ? METADATA : this.reader);
    if (report === null) {
      if (this.reader.maybeMedia === true && this.found === null) this.details.noteReport(usage, value.length);
      return;
    }
    const rank = RANK[leaf];
    if (this.found !== null) {
      const [before, now] = [isComplete(this.found), isComplete(report)];
      if (before !== now ? before : rank > this.foundRank) return;
    }
    this.found = report;
    this.foundRank = rank;
    this.details.noteReport(usage, value.length);
  }
}

const inputOnly = (report: UsageReport | null): UsageReport | null =>
  report === null || report.input === null ? null : { input: report.input, output: null };

export const ERROR_TYPE = Buffer.from('"error"');

/** Whether a string or an object, which can be truncated, is empty. */
export const isEmpty = (value: Buffer): boolean => value.length === 2 || value[skipSpace(value, 1)] === CLOSE_BRACE;
