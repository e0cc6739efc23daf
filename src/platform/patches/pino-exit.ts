import { writeSync } from 'node:fs';
import type { destination } from 'pino';

interface Internals {
  _bufs: string[];
  _len: number;
}

/**
 * Makes the exit of the process write what fits into the pipe and drop the rest. pino calls `flushSync` at each exit.
 *
 * - Symptom: `flushSync` retries every error forever, so it never ends if the reader of stdout has stopped or exited.
 * - Issue: https://github.com/pinojs/sonic-boom/issues/51
 * - Benefit: a second signal ends such a process. Without the patch, it must be killed.
 * - Version test: `unread-stdout.spec.ts` in the slow suite
 * @param shared drops everything, because each process of a shared pipe makes it blocking for all when it exits
 */
export function neverWaitAtExit(stream: ReturnType<typeof destination>, fd: number, shared: boolean): void {
  const internals = stream as unknown as Internals;
  stream.flushSync = () => {
    const texts = internals._bufs.splice(0);
    internals._len = 0;
    if (shared) return;
    try {
      for (const text of texts) {
        for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(fd, rest));
      }
    } catch {
      // The pipe is full or closed.
    }
  };
}
