// The `runner` of jest.config.js. Each process of its pool loads a module only once, whereas the default runner loads all
// modules again for each spec file. See docs/adr/0020-jest-with-native-modules.md.
import { SpecProcess } from './spec-process.js';

export default class NativeModulesRunner {
  supportsEventEmitters = true;
  #globalConfig;
  #listeners = new Map();

  constructor(globalConfig) {
    if (globalConfig.collectCoverage) throw new Error('This runner does not measure coverage. Use NODE_V8_COVERAGE.');
    this.#globalConfig = globalConfig;
  }

  on(event, listener) {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** A single file also runs in a separate process, because it can crash. */
  async runTests(tests, watcher) {
    const queue = [...tests];
    const processes = Math.min(this.#globalConfig.maxWorkers, queue.length);
    await Promise.all(Array.from({ length: processes }, (_, index) => this.#runQueue(queue, watcher, index + 1)));
  }

  async #runQueue(queue, watcher, workerId) {
    let process;
    try {
      while (queue.length > 0 && !watcher.isInterrupted()) {
        const test = queue.shift();
        process ??= this.#startProcess(test, workerId);
        await this.#emit('test-file-start', [test]);
        await process.run(test.path).then(
          (result) => this.#emit('test-file-success', [test, result]),
          (error) => this.#emit('test-file-failure', [test, error]),
        );
        if (!process.alive) process = undefined;
      }
    } finally {
      process?.stop();
    }
  }

  #startProcess(test, workerId) {
    const config = { globalConfig: this.#globalConfig, projectConfig: test.context.config };
    return new SpecProcess(config, workerId, (event, args) => void this.#emit(event, args));
  }

  async #emit(event, args) {
    for (const listener of this.#listeners.get(event) ?? []) await listener(args);
  }
}
