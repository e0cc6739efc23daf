import { join } from 'node:path';

/** Options with which Node runs the TypeScript sources. Forked processes and threads inherit them. */
export const FROM_SOURCE = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  new URL('../../tools/typescript-hook.js', import.meta.url).href,
];

/** Returns the part of the tests' environment that a program inherits. It contains no settings. */
export function programEnv(): Record<string, string | undefined> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE };
}

/** Returns the arguments of Node for a gateway process. It behaves like `node dist/src/main.js`, but runs the sources. */
export const gatewayProgram = (): string[] => program('gateway');
export const cliProgram = (): string[] => program('cli');

function program(name: string): string[] {
  const folder = process.env.GW_TEST_PROGRAMS;
  if (folder === undefined)
    throw new Error('GW_TEST_PROGRAMS is not set: specs run under test/support/global-setup.ts');
  return [...FROM_SOURCE, join(folder, `${name}.js`)];
}
