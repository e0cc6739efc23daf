import { expect } from '@jest/globals';

interface PollOptions {
  /** The last failure is thrown after this time in milliseconds, which is 60,000 by default. */
  readonly timeout?: number;
}

const EACH_MS = 50;

/**
 * Retries an assertion until it passes.
 * @throws its last failure after `timeout` ms
 */
export async function untilPasses(assertion: () => unknown, { timeout = 60_000 }: PollOptions = {}): Promise<void> {
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

/** Replaces `expect(await read())`, but retries until the matcher passes, as in `await poll(read).toBe(1)`. */
export function poll(read: () => unknown, options?: PollOptions): Polled {
  const matcher =
    (name: keyof Matchers) =>
    (...expected: unknown[]) =>
      untilPasses(async () => (expect(await read())[name] as (...args: unknown[]) => void)(...expected), options);
  return {
    toBe: matcher('toBe'),
    toEqual: matcher('toEqual'),
    toMatch: matcher('toMatch'),
    toMatchObject: matcher('toMatchObject'),
    toHaveLength: matcher('toHaveLength'),
  };
}
