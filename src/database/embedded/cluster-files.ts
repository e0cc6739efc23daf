import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { runProgram, type RunAs } from './run-as.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

export const SUPERUSER = 'gateway';

const UNFINISHED = 'postgres.init-';
const UNFINISHED_MS_MAX = 600_000;

/** An initialised database, under GW_DATA_DIR. */
export interface Cluster {
  /** PostgreSQL's own data directory. */
  readonly folder: string;
  readonly password: string;
}

/**
 * Makes the folder if it is not there: 0700, as root 0711, since `nobody` has to pass through it.
 * One that somebody made is left as it is, but for that passage.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const asRoot = process.getuid?.() === 0;
  const mode = asRoot ? 0o711 : 0o700;
  const created = await mkdir(dataDir, { recursive: true, mode });
  const { mode: found, uid } = await stat(dataDir);
  if (created !== undefined || (asRoot && uid === 0 && (found & 0o777) === 0o700)) await chmod(dataDir, mode);
}

/** Makes the database where there is none yet: in a folder of its own, so that half of one never carries the name. */
export async function ensureCluster(dataDir: string, binaries: Binaries, runAs: RunAs): Promise<Cluster> {
  const folder = join(dataDir, 'postgres');
  await removeLeftovers(dataDir);
  if (!(await exists(folder))) await initialise(dataDir, folder, binaries, runAs);
  await giveTo(folder, runAs.owner);
  const passwordFile = join(folder, 'gateway.password');
  const password = await readFile(passwordFile, 'utf8').catch((cause: unknown) => {
    throw new EmbeddedPostgresError(`${passwordFile} is missing or not readable`, { cause });
  });
  return { folder, password: password.trim() };
}

async function initialise(dataDir: string, folder: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  const unfinished = await mkdtemp(join(dataDir, UNFINISHED));
  // initdb wants an empty folder, so the password waits beside it and moves in at the end.
  const passwordFile = `${unfinished}.password`;
  await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  if (runAs.owner !== null) {
    for (const path of [unfinished, passwordFile]) await chown(path, runAs.owner, runAs.owner);
  }
  try {
    await runInitdb(unfinished, passwordFile, binaries, runAs);
    await rename(passwordFile, join(unfinished, 'gateway.password'));
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
    // Another start was faster: its database is as good as ours.
    if (!(await exists(folder))) throw error;
  }
}

async function runInitdb(folder: string, passwordFile: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // C.UTF-8 of PostgreSQL's own: macOS has none.
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ];
  const { code, output } = await runProgram(runAs.run(binaries.initdb, args, true));
  if (code === 0) return;
  const lines = output.trim().split('\n');
  throw new EmbeddedPostgresError(
    `initdb failed: ${lines.findLast((line) => line.includes('error:')) ?? lines.at(-1)}`,
    {
      cause: new Error(output),
    },
  );
}

/** Of starts that were killed half-way; a young one may belong to a start that is under way. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const { mtimeMs } = await stat(join(dataDir, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > UNFINISHED_MS_MAX) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

/** A project that was moved into a closed folder, or out of one, is run as somebody else from then on. */
async function giveTo(folder: string, owner: number | null): Promise<void> {
  if (owner === null || (await stat(folder)).uid === owner) return;
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), owner, owner);
  // Last: whatever stops this half-way, the next start does it again.
  await lchown(folder, owner, owner);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
