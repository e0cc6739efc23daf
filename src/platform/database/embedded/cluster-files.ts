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

const UNFINISHED_PREFIX = 'postgres.init-';
const UNFINISHED_AGE_MS_MAX = 600_000;

export interface Cluster {
  readonly folder: string;
  readonly password: string;
}

/**
 * Creates the data folder. For root, its mode is 0711 instead of 0700, because `nobody` must be able to traverse it. Other
 * existing modes are kept.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const asRoot = process.getuid?.() === 0;
  const mode = asRoot ? 0o711 : 0o700;
  const created = await mkdir(dataDir, { recursive: true, mode });
  const { mode: found, uid } = await stat(dataDir);
  if (created !== undefined || (asRoot && uid === 0 && (found & 0o777) === 0o700)) await chmod(dataDir, mode);
}

/** Creates the cluster under a temporary name, so that an incomplete cluster never gets the final name. */
export async function ensureCluster(dataDir: string, binaries: Binaries, runAs: RunAs): Promise<Cluster> {
  const folder = join(dataDir, 'postgres');
  await removeLeftovers(dataDir);
  if (!(await exists(folder))) await initialize(dataDir, folder, binaries, runAs);
  await changeOwner(folder, runAs.owner);
  const passwordFile = join(folder, 'gateway.password');
  const password = await readFile(passwordFile, 'utf8').catch((cause: unknown) => {
    throw new EmbeddedPostgresError(`${passwordFile} is missing or not readable`, { cause });
  });
  return { folder, password: password.trim() };
}

async function initialize(dataDir: string, folder: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  const unfinished = await mkdtemp(join(dataDir, UNFINISHED_PREFIX));
  // initdb requires an empty folder, so the password file is moved into it at the end.
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
    // PostgreSQL's built-in C.UTF-8, because macOS does not provide that locale.
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

/** A recent folder might belong to a server that is starting. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(UNFINISHED_PREFIX)) continue;
    const { mtimeMs } = await stat(join(dataDir, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > UNFINISHED_AGE_MS_MAX) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

/** The owner changes if the project moves into or out of a folder that only root can enter. */
async function changeOwner(folder: string, owner: number | null): Promise<void> {
  if (owner === null || (await stat(folder)).uid === owner) return;
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), owner, owner);
  // The folder itself changes last, so that the next start repeats an interrupted change.
  await lchown(folder, owner, owner);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
