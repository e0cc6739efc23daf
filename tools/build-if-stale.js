// Builds only if a file in dist is missing or older than its source. Writes only to stderr, because other programs can parse the
// stdout of the command that follows.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['src', 'migrations'];
const SINGLE_FILES = ['ormconfig.ts'];
const INPUTS = ['tsconfig.json', 'tsconfig.build.json', 'tools/bundle.js'];
/** If the command's entry point is missing, the next run builds again. */
const PROGRAM = 'dist/src/cli/main.js';

if (isStale()) {
  process.stderr.write('dist is older than the sources. Building ...\n');
  const status = run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json') || run('tools/bundle.js');
  // Deletes the output, because the compiler writes it despite errors and it would look up to date.
  if (status !== 0) rmSync(PROGRAM, { force: true });
  process.exitCode = status;
}

function run(...args) {
  return spawnSync(process.execPath, args, { stdio: ['ignore', process.stderr.fd, 'inherit'] }).status ?? 1;
}

function isStale() {
  const builtMs = changedMs(PROGRAM);
  if (INPUTS.some((file) => changedMs(file) > builtMs)) return true;
  return sources().some((file) => changedMs(file) > changedMs(join('dist', file.replace(/\.ts$/, '.js'))));
}

function sources() {
  const found = SOURCES.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)));
  return [...found, ...SINGLE_FILES].filter((file) => /\.(?:ts|sql)$/.test(file));
}

function changedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
