// Runs after `npm ci` and makes Git use the hooks in .githooks. It changes nothing if other hooks exist, in CI, outside a Git
// checkout, or in an install without development packages. To undo: `git config --unset core.hooksPath`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const { CI, NODE_ENV, npm_config_omit: omitted } = process.env;
const isForDevelopment = !CI && NODE_ENV !== 'production' && !/\bdev\b/.test(omitted ?? '');

// `.git` is a file in a worktree.
if (isForDevelopment && existsSync('.git') && existsSync('.githooks') && !hasHooks()) {
  if (git('config', '--local', 'core.hooksPath', '.githooks') !== undefined)
    console.log('Git now checks commits with the hooks in .githooks.');
}

function hasHooks() {
  if (git('config', 'core.hooksPath')) return true;
  const folder = git('rev-parse', '--git-path', 'hooks');
  return folder === undefined || (existsSync(folder) && readdirSync(folder).some((name) => !name.endsWith('.sample')));
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
