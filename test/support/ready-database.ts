import type { Database } from '../../src/database/database.service.js';

/** What a service needs of `Database` whose tables a spec has made already. */
export const READY_DATABASE = { state: 'ready', whenReady: () => Promise.resolve() } as unknown as Database;
