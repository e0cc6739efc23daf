import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import type { TestPostgres } from './postgres.js';

const OURS = /^file:.*(?<!node_modules.*)\.ts$/;

/** Where the tear-down, which jest runs in this same process, finds the server. */
export type WithPostgres = typeof globalThis & { testPostgres?: TestPostgres };

/** One PostgreSQL for the whole run. Specs come to it through `scratch-database.ts`. */
export default async function globalSetup(): Promise<void> {
  loadTypeScript();
  const { startTestPostgres } = await import('./postgres.js');
  const postgres = await startTestPostgres(process.env.TEST_DATABASE_URL);
  (globalThis as WithPostgres).testPostgres = postgres;
  process.env.GW_TEST_DATABASE_URL = postgres.url;
  process.env.GW_TEST_RUN = postgres.runId;
}

/**
 * Lets Node itself load the project's sources: jest's loader serves specs only, not what its global set-up imports, and
 * Node's type stripping knows neither parameter properties nor `.js` in the name of a `.ts` file.
 */
export function loadTypeScript(): void {
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!/^\.{1,2}\/.*\.js$/.test(specifier)) throw error;
        return next(specifier.replace(/\.js$/, '.ts'), context);
      }
    },
    load(url, context, next) {
      if (!OURS.test(url)) return next(url, context);
      const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
      });
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
}
