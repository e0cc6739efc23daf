// Lets Node run the sources directly: `node --import ./tools/typescript-hook.js src/main.ts`. Node's type stripping supports
// neither decorators nor imports of `.ts` files as `.js`. Child processes and threads inherit the option.
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileTypeScript } from './typescript.js';

const SOURCE = /^file:(?!.*\/node_modules\/)[^?]*\.ts(?:\?|$)/;
/** Such an import is nearly always a TypeScript source. Trying `.js` first would cost a tenth of the startup time in errors. */
const NAMED_BY_SOURCE = /^\.{1,2}\/.*\.js$/;
/** Processes and threads start these programs by an absolute path. */
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
