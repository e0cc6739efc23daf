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

/** Outside production, missing settings are replaced. An unusable setting ends the process with exit code 78. */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  if (cluster.isWorker) return startWorker(env);
  const parts: Stoppable[] = [];
  stopOnSignal(parts);
  try {
    warnOfUnknownSettings(env);
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

/** The import takes a second, during which the database starts. */
const serveHere = async (parts: Stoppable[]): Promise<Serve> => {
  const { serve } = await import('./serve.js');
  return async (config) => {
    const app = await serve(config);
    parts.push(app);
    return app;
  };
};

/** Adds the workers to `parts` before they listen, so that an early stop signal reaches them too. */
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

async function startWorker(env: NodeJS.ProcessEnv): Promise<void> {
  await work(async () => (await import('./serve.js')).serve(Config.from(env)));
}

async function complete(given: Config, parts: Stoppable[]) {
  const config = given.version === '' ? given.with({ version: packageVersion() }) : given;
  if (!config.production) return startDevelopmentParts(config, parts);
  refuseIncompleteOwner(config);
  return { config, secrets: null };
}

/** The warnings contain no values, because they could be secrets. */
function warnOfUnknownSettings(env: NodeJS.ProcessEnv): void {
  for (const warning of removedSettings(env)) process.stderr.write(`warning: ${warning}. Remove it.\n`);
  for (const name of strayNames(env)) {
    const nearest = nearestSetting(name);
    const suggestion = nearest === null ? '' : ` Did you mean ${nearest}?`;
    process.stderr.write(
      `warning: ${name} is not a setting and has no effect.${suggestion} See docs/settings.md for all settings.\n`,
    );
  }
}

function packageVersion(): string {
  // The path to package.json depends on where this file was compiled to.
  const file = findPackageJSON('.', import.meta.url);
  if (file === undefined) throw new Error('No package.json was found above the program');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** SIGTERM or SIGINT stops all parts, exit code 0. A second signal ends the process immediately (D23). */
function stopOnSignal(parts: Stoppable[]): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stopAll(parts).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The shutdown failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/** In reverse order, so that the app can still write to the database. Includes parts that are added meanwhile. */
async function stopAll(parts: Stoppable[]): Promise<void> {
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) await part.stop();
}

/** Production generates no owner email or password. @throws ConfigError if only one of them is set */
function refuseIncompleteOwner({ ownerEmail, ownerPassword }: Config): void {
  if ((ownerEmail === '') === (ownerPassword === '')) return;
  const names = ['GW_OWNER_EMAIL', 'GW_OWNER_PASSWORD'];
  const [missing, present] = ownerEmail === '' ? names : names.toReversed();
  throw new ConfigError(`${missing} is not set, but ${present} is. Set both to create the first owner, or neither.`);
}
