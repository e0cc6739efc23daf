/** The tables that rows were meant for. `usage` includes their costs. */
export const RECORD_SOURCES = ['usage', 'request_logs', 'request_refusals'] as const;
export type RecordSource = (typeof RECORD_SOURCES)[number];

/** A row that the database rejects. */
export interface UnstoredRecord {
  readonly source: RecordSource;
  readonly keyId: string;
  readonly reason: string;
  /** JSON, or the beginning of it. */
  readonly record: string;
}
