import { FROM_SOURCE } from './from-source.js';

// Threads are Node's own, out of reach of jest's loader: they run the sources as processes of the specs do. Not by an import,
// whose names would be those of now; once in a process of jest, which runs many specs.
const threads = process.getBuiltinModule('node:worker_threads');
const SOURCE = Symbol.for('worker threads run from source');
const { Worker } = threads as typeof threads & { Worker: { [SOURCE]?: true } };

if (Worker[SOURCE] !== true) {
  threads.Worker = class extends Worker {
    static override readonly [SOURCE] = true;

    constructor(entry: string | URL, options?: ConstructorParameters<typeof Worker>[1]) {
      super(entry, { ...options, execArgv: FROM_SOURCE });
    }
  };
}
