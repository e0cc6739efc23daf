import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// Loaded on demand, because a process does not need it if all its modules are already compiled.
let swc;

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
