import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { Config, ConfigError } from '../config/config.js';
import { nearestSetting, removedSettings, strayNames } from '../config/unknown-settings.rules.js';
import { EmbeddedPostgresError } from '../database/embedded/embedded-postgres.error.js';
import type { Stoppable } from '../lifecycle/lifecycle.js';
import { ProcessLog } from '../telemetry/process-log.js';
import { work, type Listening } from '../workers/worker.js';
import { Workers } from '../workers/workers.js';
import { refuseTakenAddresses } from './addresses.js';
import { announce } from './startup-message.js';
import { startDevelopmentParts } from './development-parts.js';

const BAD_SETTING = 78;

/**
 * From an environment to a gateway that listens. What development leaves unset is put in place: an embedded PostgreSQL,
 * secrets in files, the sandbox provider. Ends the process with 78 and one line for a setting that cannot be used.
 */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  if (cluster.isWorker) return startWorker(env);
  const parts: Stoppable[] = [];
  stopOnSignal(parts);
  try {
    warnOfStrayNames(env);
    const given = Config.from(env);
    await refuseTakenAddresses(given);
    const serving = given.workers === 1 ? serveHere : serveByWorkers;
    const [serve, { config, secrets }] = await Promise.all([serving(parts), complete(given, parts)]);
    announce(await serve(config), given, secrets);
  } catch (error) {
    await stopAll(parts);
    if (!(error instanceof ConfigError) && !(error instanceof EmbeddedPostgresError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(BAD_SETTING);
  }
}

type Serve = (config: Config) => Promise<Listening & { metricsUrl: string | null }>;

/** In this process. It takes a second to load: the database starts meanwhile. */
const serveHere = async (parts: Stoppable[]): Promise<Serve> => {
  const { serve } = await import('./serve.js');
  return async (config) => {
    const app = await serve(config);
    parts.push(app);
    return app;
  };
};

/** Joins the parts itself: a stop that comes before they listen has to reach the workers, too. */
const serveByWorkers =
  async (parts: Stoppable[]): Promise<Serve> =>
  async (config) => {
    const log = new ProcessLog(config);
    let workers: Workers | null = null;
    let metricsUrl: string | null = null;
    if (config.metricsPort !== null) {
      const { showWorkersMetrics } = await import('./metrics-server.js');
      const metrics = await showWorkersMetrics(config, log, () => workers ?? { alive: 0, restarts: 0 });
      parts.push(metrics);
      metricsUrl = metrics.url;
    }
    workers = new Workers(config, log);
    parts.push(workers);
    await workers.whenListening();
    return { url: workers.url, metricsUrl };
  };

/** The environment is the first process's own, completed. */
async function startWorker(env: NodeJS.ProcessEnv): Promise<void> {
  await work(async () => (await import('./serve.js')).serve(Config.from(env)));
}

async function complete(given: Config, parts: Stoppable[]) {
  const config = given.version === '' ? given.with({ version: packageVersion() }) : given;
  if (!config.production) return startDevelopmentParts(config, parts);
  refuseHalfAnOwner(config);
  return { config, secrets: null };
}

/** Never with the value: it can be a secret. */
function warnOfStrayNames(env: NodeJS.ProcessEnv): void {
  for (const warning of removedSettings(env)) process.stderr.write(`warning: ${warning}. Remove it.\n`);
  for (const name of strayNames(env)) {
    const nearest = nearestSetting(name);
    const meant = nearest === null ? '' : `: was ${nearest} meant?`;
    process.stderr.write(
      `warning: ${name} is not a setting and has no effect${meant || '.'} docs/settings.md lists them all.\n`,
    );
  }
}

function packageVersion(): string {
  // The nearest one, wherever this file was compiled to.
  const file = findPackageJSON('.', import.meta.url);
  if (file === undefined) throw new Error('There is no package.json above the program');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/**
 * SIGTERM and SIGINT stop what has been started, exit code 0; a second signal ends the process immediately (D23).
 * @param parts in the order of their start; it can grow meanwhile
 */
function stopOnSignal(parts: Stoppable[]): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stopAll(parts).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The stop failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/** In reverse order, so that the app can write to the database; including parts that are added meanwhile. */
async function stopAll(parts: Stoppable[]): Promise<void> {
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) await part.stop();
}

/** Production generates no password, and a half-configured owner is an error. @throws ConfigError */
function refuseHalfAnOwner({ ownerEmail, ownerPassword }: Config): void {
  if ((ownerEmail === '') === (ownerPassword === '')) return;
  const names = ['GW_OWNER_EMAIL', 'GW_OWNER_PASSWORD'];
  const [missing, there] = ownerEmail === '' ? names : names.toReversed();
  throw new ConfigError(`${missing} is not set: ${there} needs it, both together make the first owner`);
}
