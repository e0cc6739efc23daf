import { join } from 'node:path';
import { end, firstMessage, forkOn, freePort, SUBJECT_CORE } from '../system/processes.js';

export function startPlain(program) {
  return async ({ providerPort }) => {
    const port = await freePort();
    const child = forkOn(SUBJECT_CORE, join(import.meta.dirname, program), [String(port), String(providerPort)]);
    await firstMessage(child);
    return { port, pid: child.pid, headers: [], stop: () => end(child) };
  };
}
