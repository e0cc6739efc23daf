import type { Stoppable } from '../platform/lifecycle.js';

/** SIGTERM or SIGINT stops all parts, exit code 0. A second signal ends the process immediately (D23). */
export function stopOnSignal(parts: Stoppable[]): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stopAll(parts).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The shutdown failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/**
 * Stops the parts in reverse order, so that the application can still write to the database. Includes parts that are added during
 * the shutdown.
 */
export async function stopAll(parts: Stoppable[]): Promise<void> {
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) await part.stop();
}
