import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { ConfigError, type Config } from '../config/config.js';
import type { Stoppable } from '../lifecycle/lifecycle.js';
import { STOP, type BadSetting, type Listening } from './worker.js';

/** Time after the grace period for the last writes. A worker that still runs then is killed. */
const LAST_WRITES_MS = 15_000;

/**
 * Supervises the worker processes of `GW_WORKERS`, in the primary process. It starts them on one port, replaces those that
 * die, and stops them all together (D23). The primary process serves no requests.
 */
export class Workers implements Stoppable, Listening {
  url = '';
  restarts = 0;
  private stopping = false;
  private readonly listening = Promise.withResolvers<Listening>();
  private readonly places: Promise<void>[];
  private readonly stopped = new AbortController();

  /** Starts the workers. Call `stop` even if they never listen. */
  constructor(
    private readonly config: Config,
    private readonly log: LoggerService,
  ) {
    this.places = Array.from({ length: config.workers }, (_, place) => this.keepFilled(place));
  }

  /**
   * Resolves when the first worker listens.
   * @throws ConfigError for a setting that fails only when it is used, such as a port in use; Error if a worker exits first
   */
  async whenListening(): Promise<void> {
    this.url = (await this.listening.promise).url;
  }

  get alive(): number {
    return Object.keys(cluster.workers ?? {}).length;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.stopped.abort();
    const { drainDelaySeconds, shutdownGraceSeconds } = this.config;
    const killTimer = setTimeout(
      () => this.each((worker) => worker.process.kill('SIGKILL')),
      (drainDelaySeconds + shutdownGraceSeconds) * 1000 + LAST_WRITES_MS,
    );
    this.each((worker) => worker.send(STOP, () => {}));
    await Promise.all(this.places);
    clearTimeout(killTimer);
  }

  private each(act: (worker: Worker) => void): void {
    for (const worker of Object.values(cluster.workers ?? {})) if (worker !== undefined) act(worker);
  }

  private async keepFilled(place: number): Promise<void> {
    let shortLives = 0;
    while (!this.stopping) {
      const bornAtMs = performance.now();
      const how = await this.live(place);
      if (this.stopping) return;
      this.listening.reject(new Error(`A worker exited before it listened: ${how}`));
      const lifeMs = performance.now() - bornAtMs;
      const delayMs = restartDelayMs(lifeMs, shortLives);
      shortLives = shortLivesAfter(lifeMs, shortLives);
      this.log.warn(`A worker exited (${how}). A new one starts in ${delayMs} ms.`, 'Workers');
      await pause(delayMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
      if (!this.stopping) this.restarts += 1;
    }
  }

  /** Runs one worker until it exits. @returns its signal or exit code */
  private live(place: number): Promise<string> {
    const worker = cluster.fork(workerSettings(this.config, place));
    worker.on('message', (message: unknown) => {
      if (has<Listening>(message, 'url')) this.listening.resolve(message);
      if (has<BadSetting>(message, 'badSetting')) this.listening.reject(new ConfigError(message.badSetting));
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

const has = <T>(message: unknown, field: keyof T): message is T =>
  typeof message === 'object' && message !== null && typeof (message as Partial<T>)[field] === 'string';

/**
 * Returns the variables that a worker has in addition to the environment of the primary process. They contain the settings
 * that the start completed, and the worker's share of the instance cap. The shares add up to the cap, but each is at least 1.
 * @param place from 0 to one less than `config.workers`
 */
export function workerSettings(config: Config, place: number): NodeJS.ProcessEnv {
  const { workers, instanceMonthlyCap } = config;
  const share = Math.floor(instanceMonthlyCap / workers) + (place < instanceMonthlyCap % workers ? 1 : 0);
  return {
    DATABASE_URL: config.databaseUrl ?? '',
    GW_UPSTREAM_BASE_URL: config.upstreamBaseUrl ?? '',
    GW_UPSTREAM_API_KEY: config.upstreamApiKey ?? '',
    GW_ADMIN_KEY: config.adminKeys.join(','),
    GW_SECRET_KEY: config.secretKeys.join(','),
    GW_OWNER_EMAIL: config.ownerEmail,
    GW_OWNER_PASSWORD: config.ownerPassword,
    GW_VERSION: config.version,
    GW_INSTANCE_MONTHLY_CAP: String(Math.max(1, share)),
  };
}

const SHORT_LIFE_MS = 30_000;
const FIRST_DELAY_MS = 500;
const DELAY_MS_MAX = 15_000;

/**
 * Returns the delay before a dead worker is replaced. It is 0 if the worker lived for at least 30 s. Each further short life in
 * a row doubles the delay, from 500 ms to at most 15 s.
 * @param shortLives short lives in a row before this one
 */
export function restartDelayMs(lifeMs: number, shortLives: number): number {
  if (lifeMs >= SHORT_LIFE_MS) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** shortLives, DELAY_MS_MAX);
}

/** Returns the number of short lives in a row, including this one. */
export const shortLivesAfter = (lifeMs: number, shortLives: number): number =>
  lifeMs >= SHORT_LIFE_MS ? 0 : shortLives + 1;
