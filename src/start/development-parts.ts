import type { Config } from '../config/config.js';
import { startEmbeddedPostgres } from '../database/embedded/embedded-postgres.js';
import type { Stoppable } from '../lifecycle/lifecycle.js';
import { keepDevelopmentSecrets } from './development-secrets.js';
import { startSandbox } from './sandbox-process.js';

/**
 * What a start outside production has in place of what is not set: secrets in files, an embedded PostgreSQL without
 * `DATABASE_URL`, the sandbox provider without `GW_UPSTREAM_BASE_URL`.
 * @param parts gets what was started
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
  if (upstreamBaseUrl === null) {
    const sandbox = await startSandbox();
    parts.push(sandbox);
    upstreamBaseUrl = sandbox.baseUrl;
    // Any will do, but like a real provider it wants one.
    // Not a word: every occurrence of the credential in an error message is redacted.
    upstreamApiKey ??= 'sandbox-account-credential';
  }
  const { adminKeys, secretKeys, ownerEmail, ownerPassword } = secrets;
  const kept = { adminKeys, secretKeys, ownerEmail, ownerPassword };
  return { config: given.with({ databaseUrl, upstreamBaseUrl, upstreamApiKey, ...kept }), secrets };
}
