import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const LOADER = `
  import { registerHooks } from 'node:module';
  import { loadTypeScript } from '${pathToFileURL(join(import.meta.dirname, 'global-setup.ts')).href}';
  loadTypeScript();
  registerHooks({
    resolve: (name, context, next) => next(name.replace(/^(file:.*[/]src[/].*(?:[/]main|-worker))[.]js$/, '$1.ts'), context),
  });`;

/**
 * Arguments with which Node runs the sources as they are: the specs need no build. What it forks, the sandbox, and its
 * threads inherit them.
 */
export const FROM_SOURCE = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  `data:text/javascript,${encodeURI(LOADER)}`,
];
