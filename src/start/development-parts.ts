import { fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Config } from '../platform/config/config.js';
import { startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import type { Stoppable } from '../platform/lifecycle.js';
import { keepDevelopmentSecrets } from './development-secrets.js';

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
  const completed = { adminKeys, secretKeys, ownerEmail, ownerPassword, databaseUrl, upstreamBaseUrl, upstreamApiKey };
  return { config: given.with(completed), secrets };
}

const START_TIMEOUT_MS = 10_000;

/** The child process exits when this process does. @throws if it exits or does not report its port within 10 s */
async function startSandbox(): Promise<Stoppable & { baseUrl: string }> {
  const program = fileURLToPath(new URL('../../sandbox/src/main.js', import.meta.url));
  const child = fork(program, ['0'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const port = await Promise.race([portOf(child), exited.then(throwExited)]).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  const messages = on(child, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  for await (const [message] of messages as AsyncIterable<[{ port?: unknown }]>) {
    // Under `node --watch` each program first sends the list of files that it has loaded.
    if (typeof message.port === 'number') return message.port;
  }
  throw new Error('The sandbox did not report its port');
}

function throwExited([code, signal]: unknown[]): never {
  throw new Error(`The sandbox exited before it listened: ${String(code ?? signal)}`);
}
