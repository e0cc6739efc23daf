import { spawn, type SpawnOptions } from 'node:child_process';
import { userInfo } from 'node:os';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65534;

export interface RunAs {
  /** User ID that must own the database files, outside any user namespace. Null for the current user */
  readonly owner: number | null;
  /** @param endWithParent the kernel sends the program SIGINT when this process dies, if the system supports it */
  run(file: string, args: readonly string[], endWithParent?: boolean): Run;
}

interface Method {
  readonly uid?: number;
  readonly prefix: readonly string[];
  readonly owner: number | null;
}

const CURRENT_USER: Method = { prefix: [], owner: null };
const AS_NOBODY: Method = { uid: UNPRIVILEGED_ID, prefix: [], owner: UNPRIVILEGED_ID };
// Keeps root's access to root's files, such as a project under /root, but PostgreSQL sees another user ID.
const USER_NAMESPACE = {
  prefix: ['unshare', '--user', `--map-user=${UNPRIVILEGED_ID}`, `--map-group=${UNPRIVILEGED_ID}`],
  owner: 0,
} satisfies Method;
const PARENT_DEATH_SIGNAL = ['setpriv', '--pdeathsig', 'INT'];

/** Finds a way to run the program in the folder, by trial runs. @throws EmbeddedPostgresError if none works */
export async function findRunAs(dataDir: string, postgres: string): Promise<RunAs> {
  let lastOutput = '';
  for (const method of candidateMethods()) {
    for (const parentDeathArgs of process.platform === 'linux' ? [PARENT_DEATH_SIGNAL, []] : [[]]) {
      const runAs = runAsBy(method, parentDeathArgs, dataDir);
      const { code, output } = await runProgram(trial(runAs, dataDir, postgres));
      if (code === 0) return runAs;
      lastOutput = output;
    }
  }
  throw new EmbeddedPostgresError(
    `the program does not run on this machine: ${lastOutput.trim() || 'it printed nothing'}`,
  );
}

function candidateMethods(): readonly Method[] {
  if (process.getuid?.() === 0) return [AS_NOBODY, USER_NAMESPACE];
  try {
    userInfo();
    return [CURRENT_USER];
  } catch {
    // In a container, an arbitrary user ID has no name, but initdb requires one.
    return [{ ...USER_NAMESPACE, owner: null }, CURRENT_USER];
  }
}

function trial(runAs: RunAs, dataDir: string, postgres: string): Run {
  if (process.platform === 'win32') return runAs.run(postgres, ['--version'], true);
  return runAs.run('/bin/sh', ['-c', 'cd "$0" && exec "$1" --version', dataDir, postgres], true);
}

function runAsBy(method: Method, parentDeathArgs: readonly string[], dataDir: string): RunAs {
  const { uid } = method;
  const options = {
    // The child enters this folder as root before it becomes `nobody`, so entering it does not prove that `nobody` can.
    cwd: dataDir,
    // The gateway's environment is not passed on, because it contains secrets. LC_ALL=C, because the code parses English
    // messages.
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  };
  return {
    owner: method.owner,
    run(file, args, endWithParent = false) {
      const [first, ...rest] = [...method.prefix, ...(endWithParent ? parentDeathArgs : []), file, ...args] as [
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
  /** null if a signal ended the program or it did not start */
  readonly code: number | null;
  readonly output: string;
}

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
