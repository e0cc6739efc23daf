import fc from 'fast-check';
import { createApp } from '../../src/start/app.factory.js';
import { Config } from '../../src/platform/config/config.js';
import type { DeclaredRoute } from '../../src/platform/routes/declared-routes.js';
import type { Document, Schema } from './openapi-document.js';
import { inlined, valuesOf } from './schema-bodies.js';
import { enabledRoutes } from './enabled-routes.js';

interface Description {
  readonly document: Document;
  readonly routes: readonly DeclaredRoute[];
}

/** Returns the OpenAPI description and the routes of the application, without a database or an upstream. */
export async function describeApplication(settings: Readonly<Record<string, string>> = {}): Promise<Description> {
  const app = await createApp(
    Config.from({
      ...settings,
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
      GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef',
    }),
  );
  try {
    const response = await app.getHttpAdapter().getInstance().inject('/openapi.json');
    return { document: response.json(), routes: enabledRoutes(app) };
  } finally {
    await app.close();
  }
}

/** Longer JSON bodies cost time without covering more. */
const BODY_LENGTH_MAX = 3_000;

/** Generates bodies that the description allows. The seed determines them. */
export function bodiesOf(document: Document, name: string, seed: number): readonly object[] {
  const bodies = fc.sample(
    valuesOf(inlined(document.components.schemas[name] as Schema, document.components.schemas)),
    { numRuns: 60, seed },
  ) as object[];
  const short = bodies.filter((body) => JSON.stringify(body).length <= BODY_LENGTH_MAX);
  return short.length === 0 ? bodies.slice(0, 1) : short;
}
