// Lets Node run the sources as they are, `node --import ./tools/typescript-hook.js src/main.ts`: its own type stripping knows
// neither decorators nor the `.js` by which one source names another. Processes and threads that it starts inherit the option.
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileTypeScript } from './typescript.js';

const SOURCE = /^file:(?!.*\/node_modules\/)[^?]*\.ts(?:\?|$)/;
/** Nearly always a source too: an error for each that is looked for in vain is a tenth of a start. */
const NAMED_BY_SOURCE = /^\.{1,2}\/.*\.js$/;
/** What is started by an absolute name: a process, a thread. */
const PROGRAM = /^(file:.*\/src\/(?:.*\/)?(?:main|[^/]*-worker))\.js$/;

registerHooks({
  resolve(specifier, context, next) {
    if (!NAMED_BY_SOURCE.test(specifier) || !SOURCE.test(context.parentURL ?? ''))
      return next(specifier.replace(PROGRAM, '$1.ts'), context);
    try {
      return next(specifier.replace(/\.js$/, '.ts'), context);
    } catch {
      return next(specifier, context);
    }
  },
  load(url, context, next) {
    if (!SOURCE.test(url)) return next(url, context);
    return { format: 'module', source: compileTypeScript(fileURLToPath(url)), shortCircuit: true };
  },
});
