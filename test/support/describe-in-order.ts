import { describe } from '@jest/globals';

/** tools/jest/ordered-blocks.js stores the function under this key. */
const KEEP_ORDER = Symbol.for('jest-keep-order');

/** A `describe` whose tests run in source order, even with `--randomize`, because each test depends on the previous ones. */
export function describeInOrder(name: string, tests: () => void): void {
  describe(name, () => {
    keepOrder();
    tests();
  });
}

/** Runs the tests of the enclosing `describe.each` block in source order, as `describeInOrder` does. */
export function keepOrder(): void {
  (globalThis as unknown as Record<symbol, (() => void) | undefined>)[KEEP_ORDER]?.();
}
