// A process that owns an embedded database, for specs that kill it. Says what came of it in one JSON line.
import { loadTypeScript } from '../support/global-setup.ts';

loadTypeScript();
const { startEmbeddedPostgres } = await import('../../src/database/embedded/embedded-postgres.ts');

try {
  const server = await startEmbeddedPostgres(process.argv[2], (line) => console.error(line));
  console.log(JSON.stringify({ url: server.url }));
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  setInterval(() => undefined, 60_000);
} catch (error) {
  console.log(JSON.stringify({ error: error.message }));
}
