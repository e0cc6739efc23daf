import cluster from 'node:cluster';
import { Config, ConfigError, type Environment } from '../platform/config/config.js';
import { packageVersion } from '../platform/config/package-version.js';
import {
  guessableSecrets,
  nearestSetting,
  removedSettings,
  unknownSettings,
} from '../platform/config/setting-problems.rules.js';
import { EmbeddedPostgresError } from '../platform/database/embedded/embedded-postgres.error.js';
import type { Stoppable } from '../platform/lifecycle.js';
import { ProcessLog } from '../platform/telemetry/process-log.js';
import { work, type Listening, takeReloadedSecrets } from './workers/worker.js';
import { Workers } from './workers/workers.js';
import { secretFilesOf } from '../platform/config/secret-files.js';
import { SETTINGS } from '../platform/config/settings.data.js';
import type { UpstreamsFile } from '../platform/config/upstreams/upstreams-file.js';
import { announceListening } from './listening-message.js';
import { StartupProblems } from './startup-problems.js';
import { requireFreeAddresses } from './addresses.js';
import { openFilesProblem } from './open-file-limit.js';
import { SecretFileWatch } from './secret-file-watch.js';
import { stopAll, stopOnSignal } from './stop-signal.js';
import { startDevelopmentParts } from './development-parts.js';
import { UpstreamsFileWatch } from './upstreams-file-watch.js';
import { receiveUpstreams, sendUpstreamsToWorkers } from './workers/workers-upstreams.js';
import { readRegistryFile } from '../model-policy/registry/registry-file.js';

const BAD_SETTING = 78;

/** Starts the gateway. Outside production it completes missing settings. An unusable setting ends the process with exit code 78. */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  if (cluster.isWorker) return startWorker(env);
  const parts: Stoppable[] = [];
  const problems = new StartupProblems(env);
  stopOnSignal(parts);
  try {
    warnOfUnknownSettings(env, problems);
    const given = readSettings(env);
    for (const weak of guessableSecrets(given)) problems.warning(`${weak} Production does not start with it.`);
    const files = openFilesProblem(given);
    if (files !== null) problems.warning(`${files.problem}. ${files.advice}`);
    await requireFreeAddresses(given);
    const [serve, { config, secrets }] = await Promise.all([
      given.workers === 1 ? importServe() : serveByWorkers,
      complete(given, parts),
    ]);
    watchFiles(env, config, parts);
    announceListening(await serve(config, parts), given, secrets);
  } catch (error) {
    await stopAll(parts);
    if (!(error instanceof ConfigError) && !(error instanceof EmbeddedPostgresError)) throw error;
    problems.fatal(error instanceof ConfigError ? error.problems : [error.message]);
    process.exit(BAD_SETTING);
  }
}

type Serve = (config: Config, parts: Stoppable[]) => Promise<Listening & { metricsUrl: string | null }>;

/** The import takes a second, during which the database starts. */
async function importServe(): Promise<Serve> {
  const { serve } = await import('./serve.js');
  return async (config, parts) => {
    const app = await serve(config);
    parts.push(app);
    return app;
  };
}

/** Adds the workers to `parts` before they listen, so that an early stop signal reaches them too. */
const serveByWorkers: Serve = async (config, parts) => {
  const log = new ProcessLog(config);
  let workers: Workers | null = null;
  let metricsUrl: string | null = null;
  if (config.metricsOn) {
    const { openMetricsOutlets } = await import('./metrics-server.js');
    const { workersMetrics } = await import('./workers/workers-metrics.js');
    const source = workersMetrics(log, () => workers ?? { alive: 0, restarts: 0 });
    const metrics = await openMetricsOutlets(config, log, source);
    parts.push(metrics);
    metricsUrl = metrics.url;
  }
  workers = new Workers(config, log);
  parts.push(workers);
  await workers.whenListening();
  return { url: workers.url, metricsUrl };
};

async function startWorker(env: NodeJS.ProcessEnv): Promise<void> {
  await work(async () => {
    const create = (upstreamsInUse: UpstreamsFile | null) => {
      const config = Config.from(env, upstreamsInUse);
      takeReloadedSecrets(config);
      return config;
    };
    const usesFile = (env[SETTINGS.upstreamsFile.env] ?? '') !== '';
    const config = usesFile ? await receiveUpstreams(create) : create(null);
    return (await import('./serve.js')).serve(config);
  });
}

async function complete(given: Config, parts: Stoppable[]) {
  const config = given.version === '' ? given.with({ version: packageVersion() }) : given;
  if (!config.production) return startDevelopmentParts(config, parts);
  return { config, secrets: null };
}

/** Workers get the changes from this process. */
function watchFiles(env: Environment, config: Config, parts: Stoppable[]): void {
  const { upstreams } = config;
  if (upstreams !== null && config.workers > 1) sendUpstreamsToWorkers(upstreams);
  if (secretFilesOf(env).length === 0 && upstreams === null) return;
  const log = new ProcessLog(config);
  if (secretFilesOf(env).length > 0) parts.push(new SecretFileWatch(env, config, log));
  if (upstreams !== null) parts.push(new UpstreamsFileWatch(upstreams, log));
}

function warnOfUnknownSettings(env: Environment, problems: StartupProblems): void {
  for (const warning of removedSettings(env)) problems.warning(`${warning}. Remove it.`);
  for (const name of unknownSettings(env)) {
    const nearest = nearestSetting(name);
    const suggestion = nearest === null ? '' : ` Did you mean ${nearest}?`;
    problems.warning(`${name} is not a setting and has no effect.${suggestion} See docs/settings.md for all settings.`);
  }
}

/** Reads the settings, and the `GW_MODEL_REGISTRY` file. @throws ConfigError with the problems of both */
function readSettings(env: Environment): Config {
  const problems = [
    () => Config.from(env),
    () => readRegistryFile(env[SETTINGS.modelRegistryPath.env] || null),
  ].flatMap(problemsOf);
  if (problems.length > 0) throw new ConfigError(problems);
  return Config.from(env);
}

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
