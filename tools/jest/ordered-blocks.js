/** By this symbol `describeInOrder` (test/support/describe-in-order.ts) finds the function that marks the block being defined. */
const KEEP_ORDER = Symbol.for('jest-keep-order');

/** The `describe` blocks of a spec file whose tests keep their order under `--randomize`. */
export class OrderedBlocks {
  #marked = new Set();

  handle({ name }, state) {
    if (name === 'setup') globalThis[KEEP_ORDER] = () => this.#marked.add(state.currentDescribeBlock);
    if (name === 'run_start' && state.randomize) this.#marked.forEach(keepOrder);
  }
}

/** jest-circus shuffles the array that it reads from `children`, in place: here it gets a copy each time. */
function keepOrder(block) {
  const children = [...block.children];
  Object.defineProperty(block, 'children', { get: () => [...children], set: () => undefined });
  for (const child of children) if (child.type === 'describeBlock') keepOrder(child);
}
