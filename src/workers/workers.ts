import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { ConfigError, type Config } from '../config/config.js';
import type { Stoppable } from '../lifecycle/stoppable.js';
import { restartDelayMs, shortLivesAfter } from './restart-delay.rules.js';
import { STOP, type BadSetting, type Listening } from './worker.js';
import { workerSettings } from './worker-settings.js';

/** Beyond drain and grace: a worker that has not ended by then never will. */
const LAST_WRITES_MS = 15_000;

/**
 * The first process's side of GW_WORKERS: as many processes on one port as the settings say, one that dies followed by
 * another, all stopped together (D23). It serves no request itself. For the store, outages and pools each worker is a process of
 * its own, so nothing is shared between them but the port.
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
