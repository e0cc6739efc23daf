import { registerHooks, setSourceMapsSupport } from 'node:module';

const GLOBALS = new URL('./globals.js', import.meta.url).href;
const REPORT_INTERVAL_MS = 10_000;

// Not in a `--import` option, which processes and threads started by specs would inherit.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });

// After the hook is registered, because it imports the globals.
const { runSpec } = await import('./run-spec.js');
let config;

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Shows the parent that the event loop is not blocked.
setInterval(() => process.send({}), REPORT_INTERVAL_MS).unref();
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
