/** What the store knows of a key at one instant of its own clock. Windows are numbered as in `windows.ts`. */
export interface StoredCounts {
  readonly version: number;
  /** Milliseconds since 1970, read after the key's row was locked. */
  readonly nowMs: number;
  readonly minute: number;
  readonly minuteUsed: number;
  readonly day: number;
  readonly dayUsed: number;
  readonly month: number;
  readonly monthUsed: number;
  /** Recorded this month. */
  readonly tokens: number;
}
