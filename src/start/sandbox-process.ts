import { fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Stoppable } from '../lifecycle/lifecycle.js';

const START_TIMEOUT_MS = 10_000;

/** The child process exits when this process does. @throws if it exits or does not report its port within 10 s */
export async function startSandbox(): Promise<Stoppable & { baseUrl: string }> {
  const program = fileURLToPath(new URL('../../sandbox/src/main.js', import.meta.url));
  const child = fork(program, ['0'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const port = await Promise.race([portOf(child), exited.then(throwExited)]).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  const messages = on(child, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  for await (const [message] of messages as AsyncIterable<[{ port?: unknown }]>) {
    // Under `node --watch` each program first sends the list of files that it has loaded.
    if (typeof message.port === 'number') return message.port;
  }
  throw new Error('The sandbox did not report its port');
}

function throwExited([code, signal]: unknown[]): never {
  throw new Error(`The sandbox exited before it listened: ${String(code ?? signal)}`);
}
