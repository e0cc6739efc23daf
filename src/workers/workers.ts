import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { ConfigError, type Config } from '../config/config.js';
import type { Stoppable } from '../lifecycle/lifecycle.js';
import { STOP, type BadSetting, type Listening } from './worker.js';

/** Beyond drain and grace: a worker that has not ended by then never will. */
const LAST_WRITES_MS = 15_000;

/**
 * The first process's side of GW_WORKERS: starts that many processes on one port, replaces those that die, and stops all
 * together (D23). It serves no request itself. Workers share nothing except the port.
 */
export class Workers implements Stoppable, Listening {
  url = '';
  /** Workers that died and were followed by another. */
  restarts = 0;
  private stopping = false;
  private readonly listening = Promise.withResolvers<Listening>();
  private readonly places: Promise<void>[];
  private readonly stopped = new AbortController();

  /** Starts them; to be stopped from now on, whether or not they come to listen. */
  constructor(
    private readonly config: Config,
    private readonly log: LoggerService,
  ) {
    this.places = Array.from({ length: config.workers }, (_, place) => this.keepFilled(place));
  }

  /**
   * Resolves when the first worker listens.
   * @throws ConfigError for a setting that only shows when it is used, a taken port; Error where one ends before that
   */
  async whenListening(): Promise<void> {
    this.url = (await this.listening.promise).url;
  }

  /** Workers that run. */
  get alive(): number {
    return Object.keys(cluster.workers ?? {}).length;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.stopped.abort();
    const { drainDelaySeconds, shutdownGraceSeconds } = this.config;
    const patience = setTimeout(
      () => this.each((worker) => worker.process.kill('SIGKILL')),
      (drainDelaySeconds + shutdownGraceSeconds) * 1000 + LAST_WRITES_MS,
    );
    this.each((worker) => worker.send(STOP, () => {}));
    await Promise.all(this.places);
    clearTimeout(patience);
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
      this.listening.reject(new Error(`A worker has ended before it listened: ${how}`));
      const lifeMs = performance.now() - bornAtMs;
      const delayMs = restartDelayMs(lifeMs, shortLives);
      shortLives = shortLivesAfter(lifeMs, shortLives);
      this.log.warn(`A worker has ended (${how}): another one in ${delayMs} ms`, 'Workers');
      await pause(delayMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
      if (!this.stopping) this.restarts += 1;
    }
  }

  /** One worker from its start to its end. @returns its signal or exit code */
  private live(place: number): Promise<string> {
    const worker = cluster.fork(workerSettings(this.config, place));
    worker.on('message', (message: unknown) => {
      if (has<Listening>(message, 'url')) this.listening.resolve(message);
      if (has<BadSetting>(message, 'badSetting')) this.listening.reject(new ConfigError(message.badSetting));
    });
    return new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => resolve(signal ?? String(code)));
      // A channel that breaks is told by the worker's end; a process that was never made has none.
      worker.on('error', () => {
        if (worker.process.pid === undefined) resolve('not started');
      });
    });
  }
}

const has = <T>(message: unknown, member: keyof T): message is T =>
  typeof message === 'object' && message !== null && typeof (message as Partial<T>)[member] === 'string';

/**
 * The environment of one worker, beside this process's own: what the start has put in place or generated, and the worker's
 * share of the instance cap. The shares add up to the cap; each is at least one request.
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
 * Delay before a worker is replaced. After 30 s of life it is 0; each further short life in a row doubles it.
 * @param shortLives short lives in a row before this one
 */
export function restartDelayMs(lifeMs: number, shortLives: number): number {
  if (lifeMs >= SHORT_LIFE_MS) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** shortLives, DELAY_MS_MAX);
}

/** Short lives in a row, including this one. */
export const shortLivesAfter = (lifeMs: number, shortLives: number): number =>
  lifeMs >= SHORT_LIFE_MS ? 0 : shortLives + 1;
