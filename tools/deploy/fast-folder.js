import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY_DISK = '/dev/shm';
/** The image needs less than 2 GiB. */
const BYTES_MIN = 4 * 1024 ** 3;

/**
 * Returns a folder for temporary files: in memory if there is enough. Packages have 60,000 files, and on a busy disk their copies and
 * their removal take longer than the rest of the check.
 */
export function fastFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= BYTES_MIN && canExecuteIn(MEMORY_DISK) ? MEMORY_DISK : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Containers mount it without the right to execute programs. */
function canExecuteIn(parent) {
  const folder = mkdtempSync(join(parent, 'executes-'));
  try {
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
