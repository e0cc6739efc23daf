import { spawnSync } from 'node:child_process';

/** Returns the program: PGBOUNCER, from the PATH, or from the folder of Debian's package. Null if it is not installed. */
export function findPgBouncer() {
  const programs = [process.env.PGBOUNCER || 'pgbouncer', '/usr/sbin/pgbouncer'];
  return programs.find((program) => spawnSync(program, ['--version']).status === 0) ?? null;
}
