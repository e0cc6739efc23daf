const SHORT_LIFE_MS = 30_000;
const FIRST_DELAY_MS = 500;
const DELAY_MS_MAX = 15_000;

/**
 * How long a dead worker's place stays empty. One that had lived for a while is followed at once; each further short life
 * doubles the wait, so that what cannot live does not eat the machine.
 * @param lifeMs how long it lived
 * @param shortLives how many short lives its place has seen in a row, this one left out
 */
export function restartDelayMs(lifeMs: number, shortLives: number): number {
  if (lifeMs >= SHORT_LIFE_MS) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** shortLives, DELAY_MS_MAX);
}

/** Short lives in a row, this one counted. */
export const shortLivesAfter = (lifeMs: number, shortLives: number): number =>
  lifeMs >= SHORT_LIFE_MS ? 0 : shortLives + 1;
