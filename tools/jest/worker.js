// The program of a worker process: runs the spec files that its parent names, one after the other.
import { registerHooks, setSourceMapsSupport } from 'node:module';

const GLOBALS = new URL('./globals.js', import.meta.url).href;
const REPORT_MS = 10_000;

// Here and not in a `--import` of its own: processes and threads that specs start would inherit it.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

// Errors name the lines of the sources.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });

// After the hook, since it loads the globals.
const { runSpec } = await import('./run-spec.js');
let config;

// The parent has ended, whatever the reason.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Shows that the event loop is not blocked.
setInterval(() => process.send({}), REPORT_MS).unref();
process.on('message', (message) => {
  if (message.config !== undefined) config = message.config;
  else void run(message.path);
});

async function run(path) {
  try {
    const result = await runSpec(path, config, (event, args) => process.send({ event, args }));
    process.send({ result });
  } catch (error) {
    const { message = String(error), stack = message } = Object(error);
    process.send({ error: { message, stack, type: 'Error' } });
  }
}
