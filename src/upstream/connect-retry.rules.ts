/** Pauses before the second and the third attempt to connect. */
const PAUSES_MS = [50, 250] as const;

/**
 * Returns the pause before the next attempt to connect, in milliseconds. Null if there is no further attempt.
 * @param leftMs milliseconds until the connect timeout
 */
export function retryPauseMs(attempts: number, leftMs: number): number | null {
  const pauseMs = PAUSES_MS[attempts - 1];
  return pauseMs === undefined || pauseMs >= leftMs ? null : pauseMs;
}
