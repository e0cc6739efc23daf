import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config.js';
import { startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.js';
import { contact, readRunningFile, urlOf } from '../../platform/database/embedded/server-address.js';
import { EXIT } from '../cli-error.js';
import type { DatabaseAddress } from './stores/timed-client.js';

const DATABASE = 'gateway';

export interface OpenDatabase extends DatabaseAddress {
  /** This command started the embedded database, so nothing else uses it. */
  readonly started: boolean;
  /** Stops the database if this command started it. Never throws. */
  close(): Promise<void>;
}

/**
 * Opens the database that a gateway with these settings uses. Without DATABASE_URL, that is the embedded database, which this
 * command starts unless a gateway is running.
 * @throws EmbeddedPostgresError
 */
export async function openDatabase({ databaseUrl, databaseVariable, dataDir }: Config): Promise<OpenDatabase> {
  if (databaseUrl !== null) return externalDatabase(databaseUrl, databaseVariable);
  try {
    return ownedDatabase(await startEmbeddedPostgres(dataDir, () => undefined));
  } catch (error) {
    // A running gateway probably owns the data folder. Its server accepts this command too.
    const url = await findRunningServer(dataDir).catch(() => null);
    if (url === null) throw error;
    return externalDatabase(url, 'DATABASE_URL');
  }
}

const externalDatabase = (url: string, variable: DatabaseAddress['variable']): OpenDatabase => ({
  url,
  variable,
  started: false,
  close: async () => undefined,
});

function ownedDatabase(server: Awaited<ReturnType<typeof startEmbeddedPostgres>>): OpenDatabase {
  const stop = () => server.stop().catch(() => undefined);
  const onSignal = () => void stop().then(() => process.exit(EXIT.cancelled));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  return {
    url: server.url,
    variable: 'DATABASE_URL',
    started: true,
    close: async () => {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      await stop();
    },
  };
}

async function findRunningServer(dataDir: string): Promise<string | null> {
  const folder = join(await realpath(dataDir), 'postgres');
  const cluster = { folder, password: (await readFile(join(folder, 'gateway.password'), 'utf8')).trim() };
  const file = await readRunningFile(cluster);
  const attempt = file && (await contact(cluster, file.port, DATABASE));
  if (file === null || attempt?.kind !== 'connected') return null;
  await attempt.client.end();
  return urlOf(cluster, file.port, DATABASE);
}
