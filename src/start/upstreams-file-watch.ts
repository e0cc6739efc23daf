import { stat } from 'node:fs/promises';
import type { LoggerService } from '@nestjs/common';
import cluster from 'node:cluster';
import { fileStamp } from '../platform/config/upstreams/file-access.js';
import { fileChanges } from '../platform/config/upstreams/file-changes.rules.js';
import {
  isUpstreamsMessage,
  stateOfMessage,
  upstreamsMessage,
} from '../platform/config/upstreams/upstreams-message.rules.js';
import type { UpstreamsResult } from '../platform/config/upstreams/parse-upstreams.rules.js';
import type { UpstreamsFile } from '../platform/config/upstreams/upstreams-file.js';
import type { UpstreamsSource } from '../platform/config/upstreams/upstreams-source.js';
import type { Stoppable } from '../platform/lifecycle.js';
import type { Config } from '../platform/config/config.js';

/** The same interval as for files with secrets (`secret-file-watch.ts`). */
const POLL_INTERVAL_MS = 2000;

/**
 * Reads the file of `GW_UPSTREAMS` again when it or a file that it names changes. Invalid content is logged once, and the gateway
 * keeps the current upstreams. New content is used once two consecutive polls have found it, so that a half-written file is never
 * used.
 */
export class UpstreamsFileWatch implements Stoppable {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;
  private files: readonly string[];
  /** Identifies the state of all files without reading them. */
  private stamp = '';
  /** Digest of the last content that was applied or reported. */
  private settled: string;
  private pending: string | null = null;

  constructor(
    private readonly source: UpstreamsSource,
    private readonly log: LoggerService,
    intervalMs = POLL_INTERVAL_MS,
  ) {
    ({ digest: this.settled, files: this.files } = source.file);
    this.timer = setInterval(() => {
      this.running ??= this.poll()
        .catch((error: unknown) => {
          this.log.error(`Cannot use ${source.path}: ${String(error)}`, undefined, 'Upstreams');
        })
        .finally(() => (this.running = null));
    }, intervalMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async poll(): Promise<void> {
    const stamp = (await Promise.all([this.source.path, ...this.files].map(stampOf))).join('\n');
    if (stamp === this.stamp && this.pending === null) return;
    this.stamp = stamp;
    const result = this.source.read();
    const { digest, files } = 'file' in result ? result.file : result;
    this.files = files;
    if (digest === this.settled) this.pending = null;
    else if (digest === this.pending) this.settle(digest, result);
    else this.pending = digest;
  }

  private settle(digest: string, result: UpstreamsResult): void {
    this.pending = null;
    this.settled = digest;
    const { reloads, path } = this.source;
    if ('file' in result) {
      const changes = changesOf(reloads.file, result.file);
      reloads.apply(result.file);
      this.log.log(`The new content of ${path} is in use: ${changes}`, 'Upstreams');
      return;
    }
    for (const problem of result.problems)
      this.log.error(`${problem} The gateway keeps the current upstreams.`, undefined, 'Upstreams');
    reloads.fail();
  }
}

/** Returns the error code of a missing file. */
const stampOf = (path: string): Promise<string> =>
  stat(path).then(fileStamp, (error: NodeJS.ErrnoException) => error.code ?? 'unknown');

function changesOf(before: UpstreamsFile, after: UpstreamsFile): string {
  const { added, removed, changed, routes_changed: routesChanged } = fileChanges(before, after);
  const lists = Object.entries({ added, removed, changed }).filter(([, names]) => names.length > 0);
  const texts = lists.map(([change, names]) => `${change} ${names.join(', ')}`);
  if (routesChanged) texts.push('changed routes');
  if (texts.length === 0 && orderOf(before) !== orderOf(after)) texts.push('changed order');
  return texts.length === 0 ? 'no upstream has changed' : texts.join('; ');
}

const orderOf = ({ upstreams }: UpstreamsFile): string => upstreams.map(({ name }) => name).join();

/** Sent by a worker once it listens, because earlier messages would be lost. */
const WANTED = 'upstreams-wanted';

/**
 * In the primary process: sends the upstreams in use to each worker that asks for them, and changes to all workers. All workers
 * therefore use the same upstreams, and a worker can restart while the file is invalid. Call it before the first worker starts.
 */
export function sendUpstreamsToWorkers({ reloads }: UpstreamsSource): void {
  cluster.on('message', (worker, message) => {
    if (message === WANTED) worker.send(upstreamsMessage(reloads.state), () => {});
  });
  reloads.subscribeToState((state) => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(upstreamsMessage(state), () => {});
  });
}

/**
 * In a worker: waits for the upstreams of the primary process, and follows their changes.
 * @param create runs synchronously when the message arrives, so that the settings miss no later message
 */
export function receiveUpstreams(create: (inUse: UpstreamsFile) => Config): Promise<Config> {
  return new Promise((resolve, reject) => {
    let config: Config | null = null;
    process.on('message', (message) => {
      if (!isUpstreamsMessage(message)) return;
      const state = stateOfMessage(message);
      try {
        config ??= create(state.file);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      config.upstreams?.reloads.follow(state);
      resolve(config);
    });
    process.send?.(WANTED);
  });
}
