import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// Not before it is wanted: a process that is started from source may find all it needs compiled.
let swc;

/** JavaScript of one of the project's sources, as `tsc` would write it; types are not looked at. */
export function compileTypeScript(file) {
  swc ??= createRequire(import.meta.url)('@swc/core');
  const { code } = swc.transformSync(readFileSync(file, 'utf8'), {
    filename: file,
    sourceMaps: 'inline',
    jsc: {
      target: 'es2023',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
    module: { type: 'es6' },
  });
  return code;
}
