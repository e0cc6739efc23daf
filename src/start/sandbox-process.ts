import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Stoppable } from './stop-on-signal.js';

const START_MS = 10_000;

/** Starts the simulated provider as a process of its own, on a free port; it ends with this one. */
export async function startSandbox(): Promise<Stoppable & { baseUrl: string }> {
  const program = fileURLToPath(new URL('../sandbox/main.js', import.meta.url));
  const child = fork(program, ['0'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [message] = (await once(child, 'message', { signal: AbortSignal.timeout(START_MS) })) as [{ port: number }];
  return {
    baseUrl: `http://127.0.0.1:${message.port}/v1`,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
