import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { ConfigError, type Config } from '../../platform/config/config.js';
import type { Stoppable } from '../../platform/lifecycle.js';
import { STOP, type BadSetting, type Listening, type SecretsReloaded } from './worker.js';
import { fileVariable } from '../../platform/config/secret-files.js';
import { SECRET_SETTINGS } from '../../platform/config/settings.data.js';

/** Time after the grace period for the last writes, before remaining workers are killed. */
const LAST_WRITES_MS = 15_000;

/**
 * Supervises the worker processes of `GW_WORKERS`, in the primary process, which serves no requests. It starts the workers on
 * one port, replaces those that die, and stops them all together (D23).
 */
export class Workers implements Stoppable, Listening {
  url = '';
  restarts = 0;
  private readonly listening = Promise.withResolvers<Listening>();
  private readonly slots: Promise<void>[];
  private readonly stopping = new AbortController();

  /** Starts the workers. Call `stop` even if they never listen. */
  constructor(
    private config: Config,
    private readonly log: LoggerService,
  ) {
    config.reloads.subscribe((reloaded) => {
      this.config = this.config.with(reloaded);
      this.each((worker) => worker.send({ reloaded } satisfies SecretsReloaded, () => {}));
    });
    this.slots = Array.from({ length: config.workers }, (_, slot) => this.superviseSlot(slot));
  }

  /** Resolves when a worker listens. @throws ConfigError for a setting that fails on use; Error if a worker exits first */
  async whenListening(): Promise<void> {
    this.url = (await this.listening.promise).url;
  }

  get alive(): number {
    return Object.keys(cluster.workers ?? {}).length;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const { drainDelaySeconds, shutdownGraceSeconds } = this.config;
    const killTimer = setTimeout(
      () => this.each((worker) => worker.process.kill('SIGKILL')),
      (drainDelaySeconds + shutdownGraceSeconds) * 1000 + LAST_WRITES_MS,
    );
    this.each((worker) => worker.send(STOP, () => {}));
    await Promise.all(this.slots);
    clearTimeout(killTimer);
  }

  private each(act: (worker: Worker) => void): void {
    for (const worker of Object.values(cluster.workers ?? {})) if (worker !== undefined) act(worker);
  }

  private async superviseSlot(slot: number): Promise<void> {
    let shortLives = 0;
    while (!this.stopping.signal.aborted) {
      const startedAtMs = performance.now();
      const exitReason = await this.runWorker(slot);
      if (this.stopping.signal.aborted) return;
      this.listening.reject(new Error(`A worker exited before it listened: ${exitReason}`));
      const lifeMs = performance.now() - startedAtMs;
      const delayMs = restartDelayMs(lifeMs, shortLives);
      shortLives = shortLivesAfter(lifeMs, shortLives);
      this.log.warn(`A worker exited (${exitReason}). A new one starts in ${delayMs} ms.`, 'Workers');
      await pause(delayMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (!this.stopping.signal.aborted) this.restarts += 1;
    }
  }

  private runWorker(slot: number): Promise<string> {
    const worker = cluster.fork(workerSettings(this.config, slot));
    worker.on('message', (message: unknown) => {
      if (hasString<Listening>(message, 'url')) this.listening.resolve(message);
      if (hasString<BadSetting>(message, 'badSetting')) this.listening.reject(new ConfigError(message.badSetting));
    });
    return new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => resolve(signal ?? String(code)));
      // A broken channel also ends the worker. Only a process that was never created has no `exit` event.
      worker.on('error', () => {
        if (worker.process.pid === undefined) resolve('not started');
      });
    });
  }
}

const hasString = <T>(message: unknown, field: keyof T): message is T =>
  typeof message === 'object' && message !== null && typeof (message as Partial<T>)[field] === 'string';

/**
 * Returns the variables that a worker has in addition to the environment of the primary process. They are the settings that
 * startup completed, and the worker's share of the instance cap. The shares add up to the cap, but each is at least 1.
 */
export function workerSettings(config: Config, slot: number): NodeJS.ProcessEnv {
  const { workers, instanceMonthlyCap } = config;
  const share = Math.floor(instanceMonthlyCap / workers) + (slot < instanceMonthlyCap % workers ? 1 : 0);
  return {
    ...secretsOf(config),
    GW_UPSTREAM_BASE_URL: config.upstreamBaseUrl ?? '',
    GW_OWNER_EMAIL: config.ownerEmail,
    GW_VERSION: config.version,
    GW_INSTANCE_MONTHLY_CAP: String(Math.max(1, share)),
  };
}

/** The primary process reads the files for its workers. An invalid new file would otherwise keep a worker from restarting. */
function secretsOf(config: Config): NodeJS.ProcessEnv {
  return Object.fromEntries(
    SECRET_SETTINGS.flatMap(([name, { env }]) => {
      const value = config[name] as string | readonly string[] | null;
      return [
        [env, typeof value === 'string' ? value : (value ?? []).join(',')],
        [fileVariable(env), ''],
      ];
    }),
  );
}

const SHORT_LIFE_MS = 30_000;
const FIRST_DELAY_MS = 500;
const DELAY_MS_MAX = 15_000;

/** Returns 0 if the worker lived for at least 30 s. Consecutive shorter lives double the delay, from 500 ms to 15 s. */
export function restartDelayMs(lifeMs: number, shortLives: number): number {
  if (lifeMs >= SHORT_LIFE_MS) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** shortLives, DELAY_MS_MAX);
}

export const shortLivesAfter = (lifeMs: number, shortLives: number): number =>
  lifeMs >= SHORT_LIFE_MS ? 0 : shortLives + 1;
