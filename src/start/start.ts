import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import 'reflect-metadata';
import { createApp } from '../app.factory.js';
import { Config, ConfigError } from '../config/config.js';
import { EmbeddedPostgresError } from '../database/embedded/embedded-postgres.error.js';
import { startEmbeddedPostgres } from '../database/embedded/embedded-postgres.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { ProcessLog } from '../telemetry/process-log.js';
import { announce } from './announcement.js';
import { keepDevelopmentSecrets } from './development-secrets.js';
import { startSandbox } from './sandbox-process.js';
import { stopOnSignal, type Stoppable } from './stop-on-signal.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const BAD_SETTING = 78;

/**
 * From an environment to a gateway that listens. What development leaves unset is put in place: an embedded PostgreSQL,
 * secrets in files, the sandbox provider. Ends the process with 78 and one line for a setting that cannot be used.
 */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  const parts: Stoppable[] = [];
  try {
    const given = Config.from(env);
    const { config, secretFiles } = await complete(given, parts);
    const app = await createApp(config);
    const lifecycle = app.get(Lifecycle);
    const log = app.get(ProcessLog);
    stopOnSignal({ app, lifecycle, config, log, parts });
    await listen(app, config);
    announce(await app.getUrl(), given, secretFiles);
  } catch (error) {
    await Promise.allSettled(parts.reverse().map((part) => part.stop()));
    if (!(error instanceof ConfigError) && !(error instanceof EmbeddedPostgresError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(BAD_SETTING);
  }
}

async function complete(given: Config, parts: Stoppable[]) {
  const version = given.version === '' ? packageVersion() : given.version;
  if (given.production) return { config: given.with({ version }), secretFiles: null };
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
    upstreamApiKey ??= 'sandbox';
  }
  const { adminKeys, secretKeys, files } = secrets;
  return {
    config: given.with({ version, databaseUrl, upstreamBaseUrl, upstreamApiKey, adminKeys, secretKeys }),
    secretFiles: files,
  };
}

async function listen(app: NestFastifyApplication, { host, port }: Config): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigError(`PORT ${port} is taken on ${host}: stop what uses it, or set another PORT`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`HOST ${host} is not an address of this machine`);
    throw error;
  }
}

function packageVersion(): string {
  // The nearest one, wherever this file was compiled to.
  const file = findPackageJSON('.', import.meta.url);
  if (file === undefined) throw new Error('There is no package.json above the program');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
