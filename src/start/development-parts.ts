import type { Config } from '../config/config.js';
import { startEmbeddedPostgres } from '../database/embedded/embedded-postgres.js';
import type { Stoppable } from '../lifecycle/lifecycle.js';
import { keepDevelopmentSecrets } from './development-secrets.js';
import { startSandbox } from './sandbox-process.js';

/**
 * Completes the settings outside production. It generates missing secrets, and starts an embedded PostgreSQL without
 * `DATABASE_URL` and the sandbox provider without `GW_UPSTREAM_BASE_URL` and `GW_UPSTREAMS`.
 * @param parts receives the started parts
 * @throws ConfigError, EmbeddedPostgresError
 */
export async function startDevelopmentParts(given: Config, parts: Stoppable[]) {
  const secrets = keepDevelopmentSecrets(given);
  let { databaseUrl, upstreamBaseUrl, upstreamApiKey } = given;
  if (databaseUrl === null) {
    const postgres = await startEmbeddedPostgres(given.dataDir, (line) => process.stderr.write(`${line}\n`));
    parts.push(postgres);
    databaseUrl = postgres.url;
  }
  if (upstreamBaseUrl === null && given.upstreams === null) {
    const sandbox = await startSandbox();
    parts.push(sandbox);
    upstreamBaseUrl = sandbox.baseUrl;
    // The sandbox requires a credential but accepts any. It must not be an ordinary word, because every occurrence of the
    // credential in an error message is redacted.
    upstreamApiKey ??= 'sandbox-account-credential';
  }
  const { adminKeys, secretKeys, ownerEmail, ownerPassword } = secrets;
  const kept = { adminKeys, secretKeys, ownerEmail, ownerPassword };
  return { config: given.with({ databaseUrl, upstreamBaseUrl, upstreamApiKey, ...kept }), secrets };
}
