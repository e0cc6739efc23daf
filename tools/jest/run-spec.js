// Runs one spec file with jest-circus, in a process that might have run others before.
import { BufferedConsole } from '@jest/console';
import circus from 'jest-circus/runner';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setGlobals } from './globals.js';
import { jest, prepareJestObject, withOwnTimers } from './jest-object.js';
import { OrderedBlocks } from './ordered-blocks.js';

const require = createRequire(import.meta.url);
// The real timers, even if a spec file leaves fake timers behind.
const { setTimeout, clearTimeout, setImmediate } = globalThis;
const now = Date.now;
const LOAD_TIMEOUT_MS = 120_000;
const ERROR_EVENTS = ['uncaughtException', 'unhandledRejection', 'rejectionHandled'];
let runs = 0;

export async function runSpec(path, config, sendEvent) {
  const { globalConfig, projectConfig } = config;
  const start = now();
  const processConsole = globalThis.console;
  const specConsole = new BufferedConsole();
  const listeners = ERROR_EVENTS.map((event) => [event, process.rawListeners(event)]);
  prepareJestObject(config);
  globalThis.console = specConsole;
  try {
    const send = (event, [file, test]) => sendEvent(event, [file, withoutDetails(test)]);
    const result = await withOwnTimers(() =>
      circus.default(globalConfig, projectConfig, environment(), RUNTIME, path, send),
    );
    return { ...result, ...details(path, start, result, globalConfig), console: specConsole.getBuffer() };
  } catch (error) {
    throw withSpecStack(error);
  } finally {
    globalThis.console = processConsole;
    for (const [event, before] of listeners) {
      process.removeAllListeners(event);
      for (const listener of before) process.on(event, listener);
    }
    forgetCircus();
  }
}

function details(path, start, result, { logHeapUsage }) {
  const end = now();
  return {
    testFilePath: path,
    leaks: false,
    skipped: result.testResults.every(({ status }) => status === 'pending'),
    perfStats: { ...result.perfStats, start, end, runtime: end - start, slow: end - start > 5000 },
    testResults: result.testResults.map(withoutDetails),
    ...(logHeapUsage && { memoryUsage: process.memoryUsage().heapUsed }),
  };
}

/** Not all details can be sent to another process. */
const withoutDetails = (test) => ({ ...test, failureDetails: [] });

function environment() {
  const blocks = new OrderedBlocks();
  return {
    global: globalThis,
    async handleTestEvent(event, state) {
      blocks.handle(event, state);
      if (event.name === 'test_done') event.test.errors = event.test.errors.map(withSpecStack);
      if (event.name === 'run_finish')
        state.unhandledErrors.splice(0, Infinity, ...state.unhandledErrors.map(withSpecStack));
      // Node reports an unhandled rejection one event-loop turn later.
      if (event.name === 'run_describe_finish' || event.name === 'run_finish') await eventLoopTurn();
    },
  };
}

/**
 * Removes the stack frames of this folder from an error, because jest shows the source of the first frame that is not its own.
 * @param entry an error, or an error and a second one with the stack of the test's definition, which locates timeouts
 */
function withSpecStack(entry) {
  const [error, definition] = [entry].flat();
  const placed = typeof error === 'string' ? definition : error;
  if (typeof placed?.stack !== 'string') return entry;
  const [frames = ''] = /\n +at [^]*$/.exec(placed.stack) ?? [];
  const head = placed === error ? placed.stack.slice(0, placed.stack.length - frames.length) : error;
  // jest skips frames without a name, which would hide those at the top level of a spec file.
  const shown = frames.replaceAll(/\n +at .*\/tools\/jest\/.*/g, '').replaceAll(/at <anonymous> \((.*)\)/g, 'at $1');
  return Object.assign(placed, { message: placed === error ? error.message : error, stack: `${head}${shown}` });
}

const eventLoopTurn = () => new Promise((resolve) => setImmediate(() => setTimeout(resolve, 0)));

const RUNTIME = {
  // A new jest-circus for each spec file, as with jest's own runner.
  requireInternalModule(file) {
    delete require.cache[file];
    return require(file);
  },
  requireModule: (file) => require(file),
  unstable_shouldLoadAsEsm: () => true,
  // The query makes Node load the file again if another spec file has imported it.
  unstable_importModule: (file) => inTime(import(`${pathToFileURL(file).href}?run=${++runs}`)),
  setGlobalsForRuntime: setGlobals,
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
  resetModules: () => jest.resetModules(),
  clearAllMocks: () => jest.clearAllMocks(),
  resetAllMocks: () => jest.resetAllMocks(),
  restoreAllMocks: () => jest.restoreAllMocks(),
};

function inTime(loading) {
  let timer;
  const late = new Promise((_, reject) => {
    const message = `The spec file did not load within ${LOAD_TIMEOUT_MS / 1000} s.`;
    timer = setTimeout(() => reject(new Error(message)), LOAD_TIMEOUT_MS);
  });
  return Promise.race([loading, late]).finally(() => clearTimeout(timer));
}

function forgetCircus() {
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
}
