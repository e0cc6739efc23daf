import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const file = (path: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../../..', path)).href);

/** A program that owns an embedded database, for specs that kill it. It takes GW_DATA_DIR and prints its URL or error as JSON. */
export const OWNER_SCRIPT = `
  await import(${file('tools/typescript-hook.js')});
  const { startEmbeddedPostgres } = await import(${file('src/platform/database/embedded/embedded-postgres.ts')});
  try {
    const server = await startEmbeddedPostgres(process.argv[1], () => undefined);
    console.log(JSON.stringify({ url: server.url }));
    process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
    setInterval(() => undefined, 60_000);
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }));
  }`;
