import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a condition. The default of `msMax` only stops tests that would never end.
 *
 * @param msMax maximum wait in milliseconds
 * @returns the duration in milliseconds
 * @throws after `msMax`
 */
export async function until(condition: () => boolean | Promise<boolean>, msMax = 30_000): Promise<number> {
  const begun = performance.now();
  while (!(await condition())) {
    if (performance.now() - begun > msMax)
      throw new Error(`the condition was not met within ${msMax} ms: ${condition.toString()}`);
    await pause(10);
  }
  return performance.now() - begun;
}
