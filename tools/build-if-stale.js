// Builds only where dist lacks a file of the source or holds an older one: for commands that are run again and again.
// All it says goes to stderr, since the command's own stdout may be a document for somebody's parser.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['src', 'migrations'];
const SINGLE_FILES = ['ormconfig.ts'];
/** What the whole output depends on. */
const INPUTS = ['tsconfig.json', 'tsconfig.build.json', 'tools/bundle.js'];
/** What the command starts with: without it the next call builds again. */
const PROGRAM = 'dist/src/cli/main.js';

if (isStale()) {
  process.stderr.write('The sources are newer than dist: building ...\n');
  const status = run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json') || run('tools/bundle.js');
  // The compiler writes its output in spite of errors, and that would look fresh.
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
  return [...found, ...SINGLE_FILES].filter((file) => file.endsWith('.ts'));
}

/** 0: not there. */
function changedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
