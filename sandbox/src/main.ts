import type { AddressInfo } from 'node:net';

import { createSandbox } from './server.js';

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
  start(port);
}

function start(wanted: number): void {
  const server = createSandbox();

  const stop = (): void => {
    server.close();
    server.closeAllConnections();
    if (process.connected) process.disconnect?.();
  };

  process.once('disconnect', stop);
  // Signals reach the whole process group: with a parent it is the parent that stops this one, after its own streams.
  const onSignal = process.send === undefined ? stop : (): void => undefined;
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);

  server.once('error', (error) => {
    process.stderr.write(`sandbox: cannot listen on ${HOST}:${wanted}: ${error.message}\n`);
    process.exitCode = 1;
    stop();
  });
  server.listen(wanted, HOST, () => announce((server.address() as AddressInfo).port));
}

function announce(listening: number): void {
  if (process.send === undefined) {
    process.stdout.write(`The sandbox provider listens on http://${HOST}:${listening}/v1\n`);
    return;
  }
  // A parent that has just gone fails the send; `disconnect` ends the process then.
  process.send({ port: listening }, () => undefined);
}

function readPort(text: string): number | null {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN;

  return value <= 65_535 ? value : null;
}

function refuse(reason: string): void {
  process.stderr.write(`sandbox: ${reason}\n`);
  process.exitCode = EXIT_BAD_SETTING;
}
