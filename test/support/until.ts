import { setTimeout as pause } from 'node:timers/promises';

const CHECK_MS_MIN = 10;
const CHECK_MS_MAX = 100;

/**
 * Waits for a condition, and returns the duration in milliseconds. It checks less and less often, because a check can send
 * requests. The default of `msMax` only stops tests that would never end.
 * @param msMax maximum wait in milliseconds
 * @throws after `msMax`
 */
export async function until(condition: () => boolean | Promise<boolean>, msMax = 120_000): Promise<number> {
  const begun = performance.now();
  let waitMs = CHECK_MS_MIN;
  while (!(await condition())) {
    if (performance.now() - begun > msMax)
      throw new Error(`the condition was not met within ${msMax} ms: ${condition.toString()}`);
    await pause(waitMs);
    waitMs = Math.min(waitMs * 1.2, CHECK_MS_MAX);
  }
  return performance.now() - begun;
}
