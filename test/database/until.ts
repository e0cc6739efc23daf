import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a condition.
 * @returns how long it took, in milliseconds
 * @throws after `msMax`, so a promised limit is tested by what it is
 */
export async function until(condition: () => boolean | Promise<boolean>, msMax: number): Promise<number> {
  const begun = performance.now();
  while (!(await condition())) {
    if (performance.now() - begun > msMax) throw new Error(`not so within ${msMax} ms: ${condition.toString()}`);
    await pause(10);
  }
  return performance.now() - begun;
}
