/** What Node is started with to run suites: their sources are TypeScript, those of the set-up too. */
export const VITEST = ['--import', './tools/typescript-hook.js', 'node_modules/vitest/vitest.mjs', 'run'];
