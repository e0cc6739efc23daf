import type { Database } from '../../src/platform/database/database.service.js';

/** A fake `Database` that is ready, for services whose tables already exist. */
export const READY_DATABASE = { state: 'ready', whenReady: () => Promise.resolve() } as unknown as Database;
