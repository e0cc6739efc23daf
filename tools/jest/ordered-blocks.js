/** Gives `describeInOrder` (test/support/describe-in-order.ts) the function that marks the current block. */
const KEEP_ORDER = Symbol.for('jest-keep-order');

/** Keeps the order of the marked `describe` blocks of a spec file under `--randomize`. */
export class OrderedBlocks {
  #marked = new Set();

  handle({ name }, state) {
    if (name === 'setup') globalThis[KEEP_ORDER] = () => this.#marked.add(state.currentDescribeBlock);
    if (name === 'run_start' && state.randomize) this.#marked.forEach(keepOrder);
  }
}

/** jest-circus shuffles `children` in place, so each read returns a copy. */
function keepOrder(block) {
  const children = [...block.children];
  Object.defineProperty(block, 'children', { get: () => [...children], set: () => undefined });
  for (const child of children) if (child.type === 'describeBlock') keepOrder(child);
}
