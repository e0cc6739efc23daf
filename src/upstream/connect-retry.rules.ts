/** The pauses before the second and the third attempt. */
const PAUSES_MS = [50, 250] as const;

/** Null if there is no further attempt. `leftMs` is the time until the connect timeout. */
export function retryPauseMs(attempts: number, leftMs: number): number | null {
  const pauseMs = PAUSES_MS[attempts - 1];
  return pauseMs === undefined || pauseMs >= leftMs ? null : pauseMs;
}
