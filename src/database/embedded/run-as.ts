import { userInfo } from 'node:os';
import { runProgram, type Run } from './child-program.js';
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

interface Way {
  readonly uid?: number;
  readonly prefix: readonly string[];
  readonly owner: number | null;
}

const OURSELVES: Way = { prefix: [], owner: null };
const AS_NOBODY: Way = { uid: UNPRIVILEGED_ID, prefix: [], owner: UNPRIVILEGED_ID };
// Still root's rights on root's own files (a project under /root, 0700), yet another number in PostgreSQL's eyes.
const RENAMED = {
  prefix: ['unshare', '--user', `--map-user=${UNPRIVILEGED_ID}`, `--map-group=${UNPRIVILEGED_ID}`],
  owner: 0,
} satisfies Way;
const DIE_WITH_US = ['setpriv', '--pdeathsig', 'INT'];

/**
 * Finds a way by trying: one that can enter the folder and run the program there.
 * @throws EmbeddedPostgresError where none works
 */
export async function findRunAs(dataDir: string, postgres: string): Promise<RunAs> {
  let refusal = '';
  for (const way of waysHere()) {
    for (const dieWithUs of process.platform === 'linux' ? [DIE_WITH_US, []] : [[]]) {
      const runAs = runAsBy(way, dieWithUs, dataDir);
      const { code, output } = await runProgram(trial(runAs, dataDir, postgres));
      if (code === 0) return runAs;
      refusal = output;
    }
  }
  throw new EmbeddedPostgresError(`its program does not run here: ${refusal.trim() || 'no reason given'}`);
}

function waysHere(): readonly Way[] {
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

function runAsBy(way: Way, dieWithUs: readonly string[], dataDir: string): RunAs {
  const { uid } = way;
  const options = {
    // As root the child enters its folder before it becomes nobody, so this is no proof that nobody can.
    cwd: dataDir,
    // None of ours: the gateway's environment holds its secrets. English messages, since we read some.
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  };
  return {
    owner: way.owner,
    run(file, args, untilWeEnd = false) {
      const [first, ...rest] = [...way.prefix, ...(untilWeEnd ? dieWithUs : []), file, ...args] as [
        string,
        ...string[],
      ];
      return { file: first, args: rest, options };
    },
  };
}
