import { startSandbox } from './server.js';

/**
 * The sandbox provider: a simulated AI provider for trying the gateway without an account, and for the project's own
 * tests. A separate program on loopback: the gateway does not import it, so that none of it reaches a production start.
 * It refuses to run in production (exit code 78).
 *
 * `node dist/sandbox/src/main.js [port]`: without a port it uses a free one. It sends `{ port }` over IPC to a parent
 * that forked it, and ends when that parent ends or disconnects. Without a parent it prints its address.
 */
const HOST = '127.0.0.1';
const EXIT_BAD_SETTING = 78;

const port = readPort(process.argv[2] ?? '0');

if (process.env.NODE_ENV === 'production') {
  refuse('NODE_ENV is "production": the sandbox provider answers with made-up text and does not start there');
} else if (port === null) {
  refuse(`the port is "${process.argv[2]}": allowed is a whole number from 0 to 65535, 0 for a free one`);
} else {
  void start(port);
}

async function start(wanted: number): Promise<void> {
  const starting = startSandbox({ port: wanted });

  const stop = async (): Promise<void> => {
    await starting.then((sandbox) => sandbox.stop()).catch(() => undefined);
    if (process.connected) process.disconnect?.();
  };

  process.once('disconnect', () => void stop());
  // Signals reach the whole process group: a parent stops this process after its own streams have ended.
  const onSignal = process.send === undefined ? () => void stop() : (): void => undefined;
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);

  try {
    announce((await starting).url);
  } catch (error) {
    process.stderr.write(`sandbox: cannot listen on ${HOST}:${wanted}: ${(error as Error).message}\n`);
    process.exitCode = 1;
    await stop();
  }
}

function announce(url: string): void {
  if (process.send === undefined) {
    process.stdout.write(`The sandbox provider listens on ${url}\n`);
    return;
  }
  // The send fails if the parent has just ended; `disconnect` ends this process then.
  process.send({ port: Number(new URL(url).port) }, () => undefined);
}

function readPort(text: string): number | null {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN;

  return value <= 65_535 ? value : null;
}

function refuse(reason: string): void {
  process.stderr.write(`sandbox: ${reason}\n`);
  process.exitCode = EXIT_BAD_SETTING;
}
