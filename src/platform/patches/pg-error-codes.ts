import type { Client } from 'pg';

interface Internals {
  readonly connection: { on(event: 'errorMessage', listener: (message: { readonly code?: string }) => void): void };
}

/**
 * Calls the listener for each error of the server with this code.
 *
 * - Symptom: pg reports the error of a statement only to its caller, and its pool puts the connection back.
 * - Issue: not reported
 * - Benefit: a session that was opened while the database was read-only rejects one write. Without the patch, it rejects all.
 * - Version test: `pg.spec.ts`
 * @param code an SQLSTATE
 */
export function onErrorCode(client: Client, code: string, listener: () => void): void {
  (client as unknown as Internals).connection.on('errorMessage', (message) => {
    if (message.code === code) listener();
  });
}
