import type { WithPostgres } from './global-setup.js';

export default async function globalTeardown(): Promise<void> {
  await (globalThis as WithPostgres).testPostgres?.stop();
}
