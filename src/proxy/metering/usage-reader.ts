import type { FigureNames } from './usage-report.js';

/** How the responses of a kind of route report their usage. */
export interface UsageReader extends FigureNames {
  /** The text that is counted if nothing is reported. `nothing`: input and output are not text, or not billed as text. */
  readonly estimates: 'request and answer' | 'request' | 'nothing';
  /** A stream reports its input and its output in separate events, so a single figure is a part of the report. */
  readonly inParts?: true;
  /** Responses may be sound or plain text. Only JSON and event streams are searched for a report. */
  readonly maybeMedia?: true;
}
