import { describe } from '@jest/globals';

/** The runner (tools/jest/ordered-blocks.js) puts the function there. */
const KEEP_ORDER = Symbol.for('jest-keep-order');

/** A `describe` whose tests run as written, also with `--randomize`: each test relies on those before it. */
export function describeInOrder(name: string, tests: () => void): void {
  describe(name, () => {
    keepOrder();
    tests();
  });
}

/** Called within a `describe.each`: the tests of this block run as written, as those of `describeInOrder` do. */
export function keepOrder(): void {
  (globalThis as unknown as Record<symbol, (() => void) | undefined>)[KEEP_ORDER]?.();
}
