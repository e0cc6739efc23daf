import { spawnSync } from 'node:child_process';

/** Returns the program from PGBOUNCER, the PATH or the folder of Debian's package, or null if it is not installed. */
export function findPgBouncer() {
  const programs = [process.env.PGBOUNCER || 'pgbouncer', '/usr/sbin/pgbouncer'];
  return programs.find((program) => spawnSync(program, ['--version']).status === 0) ?? null;
}
