// After `npm ci` in a developer's clone: Git uses the hooks of .githooks. Where somebody has hooks, in CI, outside a Git
// checkout, and in an install without development packages nothing changes. Undo: `git config --unset core.hooksPath`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const { CI, NODE_ENV, npm_config_omit: omitted } = process.env;
const isForDevelopment = !CI && NODE_ENV !== 'production' && !/\bdev\b/.test(omitted ?? '');

// `.git` is a file in a worktree.
if (isForDevelopment && existsSync('.git') && existsSync('.githooks') && !hasHooks()) {
  if (git('config', '--local', 'core.hooksPath', '.githooks') !== undefined)
    console.log('Git checks commits with the hooks in .githooks from now on.');
}

function hasHooks() {
  if (git('config', 'core.hooksPath')) return true;
  const folder = git('rev-parse', '--git-path', 'hooks');
  return folder === undefined || (existsSync(folder) && readdirSync(folder).some((name) => !name.endsWith('.sample')));
}

/** @returns what the command printed; undefined if it failed or Git is not installed */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
