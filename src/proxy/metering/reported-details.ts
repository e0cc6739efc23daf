import { QUOTE } from '../../platform/json/bytes.js';
import { TOOL_USAGE_FIELDS, USAGE_FIELDS } from './usage-detail-fields.data.js';
import { DetailFigures, readDetails, WORD_BYTES_MAX, wordOf } from './detail-figures.js';
import type { ToolCallCounter, ToolCalls } from './tool-calls.js';
import type { JsonObject } from '../../platform/validation/check.js';
import { usageObjectAt } from './usage-report.js';

/** A parsed object takes a multiple of its bytes, so longer reports are read immediately instead of being held. */
const HELD_BYTES_MAX = 8 * 1024;

/** Values next to `usage` in the same document. */
export type BesideName = 'tier' | 'size' | 'quality' | 'tools';

interface DocumentDetails {
  /** The figures of a long report are read immediately. */
  readonly report: JsonObject | DetailFigures | null;
  readonly tier: string | null;
  readonly size: string | null;
  readonly quality: string | null;
  readonly toolUsage: JsonObject | null;
  readonly calls: ToolCalls | null;
}

/** Keeps the details of the report in effect. They are read once, at the end, because a stream can have many reports. */
export class ReportedDetails {
  private known: DetailFigures | null = null;
  private latest: DocumentDetails | null = null;

  private report: DocumentDetails['report'] = null;
  private tier: string | null = null;
  private size: string | null = null;
  private quality: string | null = null;
  private toolUsage: JsonObject | null = null;

  /** @param inParts whether reports complement each other. Otherwise only the latest one is used */
  constructor(
    private readonly inParts: boolean,
    private readonly calls: ToolCallCounter | null,
  ) {}

  /** Whether the current document has details that can stand for a missing report of tokens. */
  get noted(): boolean {
    return this.report !== null || this.size !== null || this.quality !== null;
  }

  /**
   * Replaces an earlier report of the same document.
   * @param bytes the length of its JSON
   */
  noteReport(usage: JsonObject, bytes: number): void {
    this.report = bytes <= HELD_BYTES_MAX || this.inParts ? usage : readInto(new DetailFigures(), usage);
  }

  /** Notes a value next to `usage`. Longer values are ignored. */
  noteBeside(name: BesideName, value: Buffer): void {
    if (name === 'tools') {
      if (value.length <= HELD_BYTES_MAX) this.toolUsage = usageObjectAt(value, 0);
    } else if (value[0] === QUOTE && value.length <= WORD_BYTES_MAX) {
      this[name] = value.toString('latin1', 1, value.length - 1);
    }
  }

  /** Ends the document. @param counts whether this document determines the usage of the response, with or without a report */
  document(counts: boolean): void {
    const { report, tier, size, quality, toolUsage } = this;
    const calls = this.calls === null ? null : this.calls.end();
    if (counts) {
      this.latest = { report, tier, size, quality, toolUsage, calls };
      // Reads the report now instead of holding it, because any number of reports can follow.
      if (this.inParts) this.known = this.takeFigures();
    }
    this.report = this.toolUsage = null;
    this.tier = this.size = this.quality = null;
  }

  /** Reads the details of the latest document, which are then no longer held. Returns null if nothing was reported. */
  takeFigures(): DetailFigures | null {
    const { latest, known } = this;
    this.latest = null;
    if (latest === null) return known;
    if (known !== null) known.later = true;
    return figuresOf(latest, known ?? new DetailFigures());
  }
}

function figuresOf(details: DocumentDetails, known: DetailFigures): DetailFigures {
  const { report, tier, size, quality, toolUsage, calls } = details;
  const figures = report === null || report instanceof DetailFigures ? (report ?? known) : readInto(known, report);
  if (tier !== null) figures.serviceTier ??= wordOf(tier);
  if (size !== null) figures.imageSize ??= wordOf(size);
  if (quality !== null) figures.imageQuality ??= wordOf(quality);
  figures.some ||= figures.serviceTier !== null || figures.imageSize !== null || figures.imageQuality !== null;
  if (toolUsage !== null) readDetails(toolUsage, TOOL_USAGE_FIELDS, figures);
  if (calls !== null) noteCalls(calls, figures);
  return figures;
}

function readInto(figures: DetailFigures, usage: JsonObject): DetailFigures {
  readDetails(usage, USAGE_FIELDS, figures);
  return figures;
}

/** Counts that the provider reports take precedence. */
export function noteCalls(calls: ToolCalls, figures: DetailFigures): void {
  const { webSearches, fileSearches, codeExecutions, images } = calls;
  if (images > 0) figures.imageToolCalls = images;
  figures.webSearches ??= webSearches;
  figures.fileSearches ??= fileSearches;
  figures.codeExecutions ??= codeExecutions;
  figures.some = true;
}
