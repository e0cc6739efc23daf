import { readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** Absolute paths of PostgreSQL's own programs. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** Finds the binaries of this platform: an optional dependency, so an installation may lack them. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${SYSTEMS[process.platform] ?? process.platform}-${process.arch}`;
  let found: Binaries;
  try {
    found = (await import(name)) as Binaries;
    await stat(found.postgres);
  } catch (cause) {
    const advice = 'Set DATABASE_URL, or install it: npm ci --include=optional';
    throw new EmbeddedPostgresError(`the package ${name} is not installed`, { cause, advice });
  }
  await restoreLinks(dirname(dirname(dirname(found.postgres))));
  return { postgres: found.postgres, initdb: found.initdb };
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * A package cannot hold symbolic links, so its install script makes those that the libraries go by. Installed with
 * `--ignore-scripts` they are missing, and no program of the package would start.
 */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as Link[]) {
    // Already there, or a read-only installation: what is missing then shows when the programs are tried.
    await symlink(relative(dirname(target), source), join(folder, target)).catch(() => undefined);
  }
}
