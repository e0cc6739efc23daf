import { spawn, type SpawnOptions } from 'node:child_process';
import { userInfo } from 'node:os';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65534;

export interface RunAs {
  /** User ID that must own the database files, outside any user namespace. Null: the current user. */
  readonly owner: number | null;
  /** @param untilWeEnd the kernel sends the program SIGINT when this process dies, if the system supports it */
  run(file: string, args: readonly string[], untilWeEnd?: boolean): Run;
}

interface Method {
  readonly uid?: number;
  readonly prefix: readonly string[];
  readonly owner: number | null;
}

const OURSELVES: Method = { prefix: [], owner: null };
const AS_NOBODY: Method = { uid: UNPRIVILEGED_ID, prefix: [], owner: UNPRIVILEGED_ID };
// Keeps root's access to root's files, such as a project under /root, but PostgreSQL sees another user ID.
const RENAMED = {
  prefix: ['unshare', '--user', `--map-user=${UNPRIVILEGED_ID}`, `--map-group=${UNPRIVILEGED_ID}`],
  owner: 0,
} satisfies Method;
const DIE_WITH_US = ['setpriv', '--pdeathsig', 'INT'];

/**
 * Finds a way to run the program in the folder, by trial runs.
 * @throws EmbeddedPostgresError if none works
 */
export async function findRunAs(dataDir: string, postgres: string): Promise<RunAs> {
  let refusal = '';
  for (const method of methodsHere()) {
    for (const dieWithUs of process.platform === 'linux' ? [DIE_WITH_US, []] : [[]]) {
      const runAs = runAsBy(method, dieWithUs, dataDir);
      const { code, output } = await runProgram(trial(runAs, dataDir, postgres));
      if (code === 0) return runAs;
      refusal = output;
    }
  }
  throw new EmbeddedPostgresError(
    `the program does not run on this machine: ${refusal.trim() || 'it printed nothing'}`,
  );
}

function methodsHere(): readonly Method[] {
  if (process.getuid?.() === 0) return [AS_NOBODY, RENAMED];
  try {
    userInfo();
    return [OURSELVES];
  } catch {
    // In a container, an arbitrary user ID has no name, but initdb requires one.
    return [{ ...RENAMED, owner: null }, OURSELVES];
  }
}

function trial(runAs: RunAs, dataDir: string, postgres: string): Run {
  if (process.platform === 'win32') return runAs.run(postgres, ['--version'], true);
  return runAs.run('/bin/sh', ['-c', 'cd "$0" && exec "$1" --version', dataDir, postgres], true);
}

function runAsBy(method: Method, dieWithUs: readonly string[], dataDir: string): RunAs {
  const { uid } = method;
  const options = {
    // The child enters this folder as root before it becomes `nobody`, so it proves nothing about the access of `nobody`.
    cwd: dataDir,
    // The gateway's environment contains secrets and is not passed on. LC_ALL=C, because the code parses English messages.
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  };
  return {
    owner: method.owner,
    run(file, args, untilWeEnd = false) {
      const [first, ...rest] = [...method.prefix, ...(untilWeEnd ? dieWithUs : []), file, ...args] as [
        string,
        ...string[],
      ];
      return { file: first, args: rest, options };
    },
  };
}

const OUTPUT_CHARACTERS_MAX = 20_000;

export interface Run {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
}

interface ProgramEnd {
  /** Null if a signal ended the program or it did not start. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end. Never rejects. */
export function runProgram(run: Run): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const child = spawn(run.file, run.args, { ...run.options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: null, output: output + error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}
