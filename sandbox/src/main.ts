import { startSandbox } from './server.js';

/**
 * The sandbox provider: a simulated AI provider for trying the gateway without an account, and for the project's own
 * tests. The gateway does not import this program, so a production start loads none of it. It listens on loopback and
 * does not start in production (exit code 78).
 *
 * Usage: `node dist/sandbox/src/main.js [port]`. Without a port it uses a free one. It sends `{ port }` over IPC to a
 * parent that forked it, and exits when that parent exits or disconnects. Without a parent it prints its address.
 */
const HOST = '127.0.0.1';
const EXIT_BAD_SETTING = 78;

const port = readPort(process.argv[2] ?? '0');

if (process.env.NODE_ENV === 'production') {
  exitWith('The sandbox provider invents its responses, so it does not start with NODE_ENV=production.');
} else if (port === null) {
  exitWith(`The port "${process.argv[2]}" is invalid. Use a whole number from 0 to 65535. 0 selects a free port.`);
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
  // A signal reaches the whole process group. A forked process ignores it and waits until its parent disconnects.
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
  // The send fails if the parent has just exited. The `disconnect` event then stops this process.
  process.send({ port: Number(new URL(url).port) }, () => undefined);
}

function readPort(text: string): number | null {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN;

  return value <= 65_535 ? value : null;
}

function exitWith(reason: string): void {
  process.stderr.write(`sandbox: ${reason}\n`);
  process.exitCode = EXIT_BAD_SETTING;
}
