import type { Stoppable } from '../lifecycle/stoppable.js';

/**
 * SIGTERM and SIGINT stop what has been started by then, exit 0; a second one ends the process at once (D23).
 * @param parts in the order of their start; it may grow, and a stop empties it
 */
export function stopOnSignal(parts: Stoppable[]): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stopAll(parts).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The stop failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/** The last one first: the app writes down what it holds while the database is still there. Also those that join meanwhile. */
export async function stopAll(parts: Stoppable[]): Promise<void> {
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) await part.stop();
}
