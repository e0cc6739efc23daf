import { ConfigError } from '../config/config.js';
import type { Stoppable } from '../lifecycle/lifecycle.js';

/** What the first process sends for a stop. */
export const STOP = 'stop';

export interface Listening {
  readonly url: string;
}

/** Told to the first process by a worker that cannot use a setting, a taken port above all: it is said once, not by each. */
export interface BadSetting {
  readonly badSetting: string;
}

/**
 * The life of one worker: serves until the first process says stop, which ends one that does not listen yet at once. Signals
 * are the first process's business: Ctrl-C reaches the whole group, and a second one would end a worker in the middle of its
 * streams.
 * @param serve resolves when the worker listens
 */
export async function work(serve: () => Promise<Stoppable & Listening>): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
  // Node's own end would wait for a thread that writes to a stdout that nobody reads: what is shared with others may block.
  process.on('exit', (code) => code === 0 && process.kill(process.pid, 'SIGKILL'));
  let app: (Stoppable & Listening) | null = null;
  const stop = async () => {
    await app?.stop();
    process.exit(0);
  };
  process.on('message', (message) => message === STOP && void stop());
  app = await serve().catch(tellBadSetting);
  process.send?.({ url: app.url } satisfies Listening);
}

function tellBadSetting(error: unknown): Promise<never> {
  if (!(error instanceof ConfigError)) throw error;
  process.send?.({ badSetting: error.message } satisfies BadSetting, () => process.exit(1));
  return new Promise(() => {});
}
