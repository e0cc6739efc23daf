import { randomBytes } from 'node:crypto';

/**
 * These settings are enough to start in production. The database and the provider do not exist, so the gateway serves only what
 * needs neither.
 */
export const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
  GW_ADMIN_KEY: `admin_gw_${randomBytes(24).toString('hex')}`,
  GW_SECRET_KEY: randomBytes(32).toString('base64'),
  // Loads the packages for tracing.
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
};

export const SERVED = [
  '/health',
  '/health/live',
  '/dashboard/',
  '/docs',
  '/docs/swagger-ui-bundle.js',
  '/openapi.json',
];
