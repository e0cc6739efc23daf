import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config/config.js';
import { stopListening } from '../lifecycle/graceful-stop.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import type { ProcessLog } from '../telemetry/process-log.js';

/** Something of this process that has to be stopped after the app: the embedded database, the sandbox. */
export interface Stoppable {
  stop(): Promise<void>;
}

interface Running {
  readonly app: NestFastifyApplication;
  readonly lifecycle: Lifecycle;
  readonly config: Config;
  readonly log: ProcessLog;
  readonly parts: readonly Stoppable[];
}

/** SIGTERM and SIGINT stop the process gracefully (D23), exit 0; a second one ends it at once. */
export function stopOnSignal(running: Running): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stop(running).then(
      () => process.exit(0),
      (error: unknown) => {
        running.log.error(`The stop failed: ${String(error)}`, 'Stop');
        running.log.flush();
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/**
 * The same while the start is still under way: ends with 0 when what it has started so far has stopped.
 * @returns to be called when the start is over
 */
export function giveUpOnSignal(parts: readonly Stoppable[]): () => void {
  const onSignal = () => void stopAll(parts).finally(() => process.exit(0));
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
}

/** The last one first; one that cannot be stopped does not keep the others running. */
export async function stopAll(parts: readonly Stoppable[]): Promise<void> {
  await Promise.allSettled(parts.toReversed().map((part) => part.stop()));
}

async function stop({ app, lifecycle, config, log, parts }: Running): Promise<void> {
  const whole = await stopListening(app.getHttpServer(), lifecycle, config);
  if (!whole) log.warn('The grace period is over: what still ran was cut', 'Stop');
  // The shutdown hooks write what is buffered; the pool and the database go last.
  await app.close();
  for (const part of parts.toReversed()) await part.stop();
  log.flush();
}
