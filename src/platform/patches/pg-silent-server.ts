import type { Socket } from 'node:net';
import type { Client } from 'pg';

/** The timeout consists of slices, so that a stall of this process or machine counts as one slice at most. */
const SLICES = 4;

/** pg's types omit both fields. */
interface Internals {
  readonly connection: { readonly stream: Socket };
  readonly readyForQuery: boolean;
}

const internalsOf = (client: Client): Internals => client as unknown as Internals;

/** Whether the connection can take a statement. pg prints a warning if several statements wait on one connection. */
export const isIdle = (client: Client): boolean => internalsOf(client).readyForQuery;

/**
 * Closes the connection if the server sends nothing for `timeoutMs` during a statement.
 *
 * - Symptom: pg's `query_timeout` rejects a statement but keeps its connection, and the next caller waits behind the statement.
 * - Issue: https://github.com/brianc/node-postgres/issues/3399
 * - Benefit: one statement per connection waits for a hanging server. With `query_timeout`, every later statement waits too.
 * - Version test: `pg.spec.ts`
 * @returns the socket of the connection
 */
export function closeIfSilent(client: Client, timeoutMs: number): Socket {
  const socket = internalsOf(client).connection.stream;
  const bytesTransferred = () => socket.bytesRead + socket.bytesWritten;
  const startSlice = () => socket.setTimeout(timeoutMs / SLICES);
  let silentSlices = 0;
  let before = bytesTransferred();
  startSlice();
  socket.on('timeout', () => {
    // Node does not restart the timer of a socket without traffic.
    startSlice();
    const bytes = bytesTransferred();
    if (isIdle(client)) silentSlices = 0;
    else silentSlices = bytes === before ? silentSlices + 1 : 1;
    before = bytes;
    if (silentSlices < SLICES) return;
    // After a stall of this process, timers run before sockets are read, and the response might already be there.
    setImmediate(() => {
      if (bytesTransferred() === before && !isIdle(client))
        socket.destroy(new Error(`The database did not respond within ${timeoutMs} ms`));
    });
  });
  return socket;
}
