// Writes what the dashboard knows of the API, from the built gateway: the types of its client, the routes that logs and statistics
// name, and what error codes mean.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import prettier from 'prettier';
import 'reflect-metadata';
import { createApp } from '../dist/src/app.factory.js';
import { Config } from '../dist/src/config/config.js';
import { ERROR_CODES } from '../dist/src/errors/error-code.data.js';

const FOLDER = 'dashboard/src/api';
const MADE = '// Made by `npm run docs:api`.\n';

async function apiDescription(settings = {}) {
  // Never connected to: the description needs the application only.
  const env = {
    ...settings,
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
    LOG_LEVEL: 'silent',
  };
  const app = await createApp(Config.from({ NODE_ENV: 'test', ...env }));
  const { body } = await app.getHttpAdapter().getInstance().inject('/openapi.json');
  await app.close();
  return JSON.parse(body);
}

function endpointsOf({ paths }) {
  const endpoints = Object.keys(paths).filter((path) => path.startsWith('/v1/'));
  return `/** Routes as logs and statistics name them, those of every setting included. */
export const ENDPOINTS: readonly string[] = ${JSON.stringify(endpoints)};`;
}

function errorWords() {
  const words = Object.entries(ERROR_CODES).map(([code, { what, help }]) => [code, { what, help }]);
  return `/** What a code means for whoever runs the gateway, and what helps. */
export interface ErrorWords {
  readonly what: string;
  readonly help: string;
}

/** Every code that an answer may carry. */
export const ERROR_WORDS: Readonly<Record<string, ErrorWords>> = ${JSON.stringify(Object.fromEntries(words))};`;
}

const description = await apiDescription();
const allRoutes = await apiDescription({ GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' });
const files = {
  [`${FOLDER}/schema.d.ts`]: astToString(await openapiTypes(description)),
  [`${FOLDER}/endpoints.data.ts`]: endpointsOf(allRoutes),
  [`${FOLDER}/error-words.data.ts`]: errorWords(),
};
for (const [file, text] of Object.entries(files)) {
  const format = { ...(await prettier.resolveConfig(file)), parser: 'typescript' };
  const made = await prettier.format(MADE + text, format);
  if (!process.argv.includes('--check')) writeFileSync(file, made);
  else if (readFileSync(file, 'utf8') !== made) {
    console.error(`${file} is not what the gateway says: run \`npm run docs:api\``);
    process.exit(1);
  }
}
process.exit(0);
