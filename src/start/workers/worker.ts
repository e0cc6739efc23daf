import { type Config, ConfigError } from '../../platform/config/config.js';
import type { Reloaded } from '../../platform/config/setting-reloads.js';
import type { Stoppable } from '../../platform/lifecycle.js';

export const STOP = 'stop';

/** Secrets that the primary process read again, because it watches the files for all workers. */
export interface SecretsReloaded {
  readonly reloaded: Reloaded;
}

export interface Listening {
  readonly url: string;
}

/** An unusable setting, such as a port in use. The primary process prints it once for all workers. */
export interface BadSetting {
  readonly badSetting: string;
}

/**
 * Runs a worker process until the primary process stops it. A worker that does not listen yet exits immediately. Workers ignore
 * signals, because Ctrl-C reaches the whole process group and would interrupt their streams.
 * @param serve resolves when the worker listens
 */
export async function work(serve: () => Promise<Stoppable & Listening>): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
  // A normal exit would wait for the thread that writes to stdout. Workers share stdout, and it blocks if nothing reads it.
  process.on('exit', (code) => code === 0 && process.kill(process.pid, 'SIGKILL'));
  let app: (Stoppable & Listening) | null = null;
  const stop = async () => {
    await app?.stop();
    process.exit(0);
  };
  process.on('message', (message) => message === STOP && void stop());
  app = await serve().catch(reportBadSetting);
  process.send?.({ url: app.url } satisfies Listening);
}

export function takeReloadedSecrets({ reloads }: Config): void {
  process.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'reloaded' in message)
      reloads.apply((message as SecretsReloaded).reloaded);
  });
}

function reportBadSetting(error: unknown): Promise<never> {
  if (!(error instanceof ConfigError)) throw error;
  process.send?.({ badSetting: error.message } satisfies BadSetting, () => process.exit(1));
  return new Promise(() => {});
}
