// Writes the types of the dashboard's client from the API description of the built gateway.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import prettier from 'prettier';
import 'reflect-metadata';
import { createApp } from '../dist/src/app.factory.js';
import { Config } from '../dist/src/config/config.js';

const FILE = 'dashboard/src/api/schema.d.ts';

async function apiTypes() {
  // Never connected to: the description is made when the application is.
  const env = {
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
    LOG_LEVEL: 'silent',
  };
  const app = await createApp(Config.from({ NODE_ENV: 'test', ...env }));
  const { body } = await app.getHttpAdapter().getInstance().inject('/openapi.json');
  await app.close();
  const types = `// Made by \`npm run docs:api\` from /openapi.json.\n${astToString(await openapiTypes(JSON.parse(body)))}`;
  return prettier.format(types, { ...(await prettier.resolveConfig(FILE)), parser: 'typescript' });
}

const types = await apiTypes();
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== types) {
    console.error(`${FILE} is not what /openapi.json says: run \`npm run docs:api\``);
    process.exit(1);
  }
} else writeFileSync(FILE, types);
process.exit(0);
