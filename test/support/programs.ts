import { join } from 'node:path';

/** With these Node runs the sources as they are; what it forks, the sandbox, and its threads inherit them. */
const FROM_SOURCE = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  new URL('../../tools/typescript-hook.js', import.meta.url).href,
];

/** What such a process has of the specs' own environment: nothing that is a setting. */
export function programEnv(): Record<string, string | undefined> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE };
}

/** Node's arguments for the gateway as a process of its own: `node dist/src/main.js`, but of the sources as they are now. */
export const gatewayProgram = (): string[] => program('gateway');
/** The same for the command line. */
export const cliProgram = (): string[] => program('cli');

function program(name: string): string[] {
  const folder = process.env.GW_TEST_PROGRAMS;
  if (folder === undefined)
    throw new Error('GW_TEST_PROGRAMS is not set: specs run under test/support/global-setup.ts');
  return [...FROM_SOURCE, join(folder, `${name}.js`)];
}
