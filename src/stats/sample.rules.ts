const RANDOM_DIGITS = 8;
const RANDOM_RANGE = 16 ** RANDOM_DIGITS;

/** Whether a request is kept, by the last random bits of its id: every process and every retry of a write decides alike (D15). */
export function isSampled(requestId: string, rate: number): boolean {
  if (rate <= 0) return false;
  return Number.parseInt(requestId.slice(-RANDOM_DIGITS), 16) < rate * RANDOM_RANGE;
}
