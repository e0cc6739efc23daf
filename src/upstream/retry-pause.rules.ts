/** Before the second and the third try to connect. */
const PAUSES_MS = [50, 250] as const;

/**
 * How long to wait before the next try to connect, milliseconds; null: there is none.
 * @param tries those made
 * @param leftMs until a connection has to be there
 */
export function retryPauseMs(tries: number, leftMs: number): number | null {
  const pauseMs = PAUSES_MS[tries - 1];
  return pauseMs === undefined || pauseMs >= leftMs ? null : pauseMs;
}
