import { Console } from 'node:console';
import { Writable } from 'node:stream';

/**
 * Sees to it that a command alone speaks on this process's streams. TypeORM tells a failed migration on stdout, whatever it
 * is set to, and the driver warns on stderr: whoever parses the one document there must not meet them.
 */
export function prepareProcess(): void {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  globalThis.console = new Console(nowhere);
  process.removeAllListeners('warning');
  // A reader that has gone (`| head`): the write that fails tells, and whoever wrote decides.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
