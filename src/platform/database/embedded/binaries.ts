import { readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/** The binaries are an optional dependency and might be missing. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${SYSTEMS[process.platform] ?? process.platform}-${process.arch}`;
  let found: Binaries;
  try {
    found = (await import(name)) as Binaries;
    await stat(found.postgres);
  } catch (cause) {
    const advice = 'Set DATABASE_URL, or install the package with npm ci --include=optional';
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
 * npm packages cannot contain symbolic links, so an install script creates those that the libraries need. After an install with
 * `--ignore-scripts` they are missing, and the programs would not start.
 */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as Link[]) {
    // The link exists, or the installation is read-only. If a link is missing, the trial run in `findRunAs` fails.
    await symlink(relative(dirname(target), source), join(folder, target)).catch(() => undefined);
  }
}
