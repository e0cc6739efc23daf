import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a condition.
 * @param msMax a limit that the test states; by default it only stops tests that would wait for ever
 * @returns how long it took, in milliseconds
 * @throws after `msMax`
 */
export async function until(condition: () => boolean | Promise<boolean>, msMax = 30_000): Promise<number> {
  const begun = performance.now();
  while (!(await condition())) {
    if (performance.now() - begun > msMax) throw new Error(`not so within ${msMax} ms: ${condition.toString()}`);
    await pause(10);
  }
  return performance.now() - begun;
}
