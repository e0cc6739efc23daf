import { EXIT } from './cli-error.js';

type StopSignal = 'SIGINT' | 'SIGTERM';

const EXIT_CODES = { SIGINT: EXIT.cancelled, SIGTERM: EXIT.terminated } as const;

export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
  readonly name: StopSignal | null;
  readonly exitCode: (typeof EXIT_CODES)[StopSignal];
}

/**
 * Handles stop signals until it is disposed. A second signal ends the process immediately. Call it before slow imports: in a
 * container, the process has the ID 1, and the kernel ignores signals without a handler.
 */
export function interruptOnSignal(): Interrupt {
  const controller = new AbortController();
  let name: StopSignal | null = null;
  const onSignal = (received: NodeJS.Signals) => {
    if (name !== null) process.exit(EXIT_CODES[name]);
    name = received as StopSignal;
    controller.abort(new Error(`${name} was received`));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    get name() {
      return name;
    },
    get exitCode() {
      return EXIT_CODES[name ?? 'SIGINT'];
    },
    [Symbol.dispose]: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
}
