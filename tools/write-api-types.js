// Writes what the dashboard knows of the API from the description of the built gateway: the types of its client, and the
// routes that logs and statistics name.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import prettier from 'prettier';
import 'reflect-metadata';
import { createApp } from '../dist/src/app.factory.js';
import { Config } from '../dist/src/config/config.js';

const FOLDER = 'dashboard/src/api';
const MADE = '// Made by `npm run docs:api` from /openapi.json.\n';

async function apiDescription() {
  // Never connected to: the description needs the application only.
  const env = {
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
  return `/** Routes as logs and statistics name them. */
export const ENDPOINTS: readonly string[] = ${JSON.stringify(endpoints)};`;
}

const description = await apiDescription();
const files = {
  [`${FOLDER}/schema.d.ts`]: astToString(await openapiTypes(description)),
  [`${FOLDER}/endpoints.data.ts`]: endpointsOf(description),
};
for (const [file, text] of Object.entries(files)) {
  const format = { ...(await prettier.resolveConfig(file)), parser: 'typescript' };
  const made = await prettier.format(MADE + text, format);
  if (!process.argv.includes('--check')) writeFileSync(file, made);
  else if (readFileSync(file, 'utf8') !== made) {
    console.error(`${file} is not what /openapi.json says: run \`npm run docs:api\``);
    process.exit(1);
  }
}
process.exit(0);
