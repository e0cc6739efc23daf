import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { startEmbeddedPostgres } from '../../database/embedded/embedded-postgres.js';
import { contact, readRunningFile, urlOf } from '../../database/embedded/server-address.js';
import { EXIT } from '../cli-error.js';

const DATABASE = 'gateway';

/** Where a command works. */
export interface OpenDatabase {
  readonly url: string;
  /** The embedded one, started for this command: nobody else uses it. */
  readonly started: boolean;
  /** Stops what was started; leaves alone what runs for others. Never throws. */
  close(): Promise<void>;
}

/**
 * The database that a gateway with these settings uses: DATABASE_URL's, else the embedded one, of a running gateway or
 * started for as long as the command takes.
 * @throws EmbeddedPostgresError
 */
export async function openDatabase({ databaseUrl, dataDir }: Config): Promise<OpenDatabase> {
  if (databaseUrl !== null) return running(databaseUrl);
  try {
    return endedWithUs(await startEmbeddedPostgres(dataDir, () => undefined));
  } catch (error) {
    // A gateway owns it, most likely: its server serves us too.
    const url = await findRunning(dataDir).catch(() => null);
    if (url === null) throw error;
    return running(url);
  }
}

const running = (url: string): OpenDatabase => ({ url, started: false, close: async () => undefined });

function endedWithUs(server: Awaited<ReturnType<typeof startEmbeddedPostgres>>): OpenDatabase {
  const stop = () => server.stop().catch(() => undefined);
  const onSignal = () => void stop().then(() => process.exit(EXIT.cancelled));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  return {
    url: server.url,
    started: true,
    close: async () => {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      await stop();
    },
  };
}

/** @returns null where no server of this folder answers to its password */
async function findRunning(dataDir: string): Promise<string | null> {
  const folder = join(await realpath(dataDir), 'postgres');
  const cluster = { folder, password: (await readFile(join(folder, 'gateway.password'), 'utf8')).trim() };
  const file = await readRunningFile(cluster);
  const answer = file && (await contact(cluster, file.port, DATABASE));
  if (file === null || answer?.kind !== 'connected') return null;
  await answer.client.end();
  return urlOf(cluster, file.port, DATABASE);
}
