import cluster from 'node:cluster';
import type { Config } from '../../platform/config/config.js';
import type { UpstreamsFile } from '../../platform/config/upstreams/upstreams-file.js';
import {
  isUpstreamsMessage,
  stateOfMessage,
  upstreamsMessage,
} from '../../platform/config/upstreams/upstreams-message.rules.js';
import type { UpstreamsSource } from '../../platform/config/upstreams/upstreams-source.js';

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
