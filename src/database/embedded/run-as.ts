import { spawn, type SpawnOptions } from 'node:child_process';
import { userInfo } from 'node:os';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65534;

/** How PostgreSQL's programs are run on this machine. */
export interface RunAs {
  /** Who has to own the database's files, as the world outside sees it; null: whoever we are. */
  readonly owner: number | null;
  /** @param untilWeEnd the kernel stops the program (SIGINT) when this process dies, where it can */
  run(file: string, args: readonly string[], untilWeEnd?: boolean): Run;
}

interface Method {
  readonly uid?: number;
  readonly prefix: readonly string[];
  readonly owner: number | null;
}

const OURSELVES: Method = { prefix: [], owner: null };
const AS_NOBODY: Method = { uid: UNPRIVILEGED_ID, prefix: [], owner: UNPRIVILEGED_ID };
// Still root's rights on root's own files (a project under /root, 0700), yet another number in PostgreSQL's eyes.
const RENAMED = {
  prefix: ['unshare', '--user', `--map-user=${UNPRIVILEGED_ID}`, `--map-group=${UNPRIVILEGED_ID}`],
  owner: 0,
} satisfies Method;
const DIE_WITH_US = ['setpriv', '--pdeathsig', 'INT'];

/**
 * Finds by trying how the program can be run in the folder.
 * @throws EmbeddedPostgresError if it cannot
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
  throw new EmbeddedPostgresError(`its program does not run here: ${refusal.trim() || 'no reason given'}`);
}

function methodsHere(): readonly Method[] {
  if (process.getuid?.() === 0) return [AS_NOBODY, RENAMED];
  try {
    userInfo();
    return [OURSELVES];
  } catch {
    // A container's arbitrary user, without a name: initdb wants one.
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
    // As root the child enters its folder before it becomes nobody, so this is no proof that nobody can.
    cwd: dataDir,
    // None of ours: the gateway's environment holds its secrets. English messages, since we read some.
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

/** A program as it is to be spawned. */
export interface Run {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
}

interface ProgramEnd {
  /** null: ended by a signal, or never started. */
  readonly code: number | null;
  /** Both streams, the last part of them. */
  readonly output: string;
}

/** Runs a program to its end. Resolves whatever comes of it. */
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
