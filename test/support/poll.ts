import { expect } from '@jest/globals';

interface Patience {
  /** The time after which the last failure is thrown; 1,000 ms unless given. */
  readonly timeout?: number;
}

const EACH_MS = 50;

/** Repeats an assertion until it passes. @throws its last failure, after `timeout` ms */
export async function untilPasses(assertion: () => unknown, { timeout = 1000 }: Patience = {}): Promise<void> {
  const until = performance.now() + timeout;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, EACH_MS));
  }
}

type Matchers = Pick<ReturnType<typeof expect>, 'toBe' | 'toEqual' | 'toMatch' | 'toMatchObject' | 'toHaveLength'>;
type Polled = { [Name in keyof Matchers]: (...expected: Parameters<Matchers[Name]>) => Promise<void> };

/** Like `expect(await read())`, repeated until the matcher passes: `await poll(read).toBe(1)`. */
export function poll(read: () => unknown, patience?: Patience): Polled {
  const matcher =
    (name: keyof Matchers) =>
    (...expected: unknown[]) =>
      untilPasses(async () => (expect(await read())[name] as (...args: unknown[]) => void)(...expected), patience);
  return {
    toBe: matcher('toBe'),
    toEqual: matcher('toEqual'),
    toMatch: matcher('toMatch'),
    toMatchObject: matcher('toMatchObject'),
    toHaveLength: matcher('toHaveLength'),
  };
}
