import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRoot } from './paths.js';

/** Files of the repository that `docker build .` is given, from its root: what git knows, less what `.dockerignore` keeps out. */
export function buildContext() {
  const rules = readFileSync(inRoot('.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(ruleOf);
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: inRoot('.') });
  return files
    .toString()
    .split('\n')
    .filter((file) => file !== '' && !isLeftOut(file, rules));
}

/** A pattern is for a path and for all below it; `*` stays within one name. */
function ruleOf(line) {
  const keeps = line.startsWith('!');
  const pattern = (keeps ? line.slice(1) : line).replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  return { keeps, pattern: new RegExp(`^${pattern}(/|$)`) };
}

/** The last rule that fits decides. */
const isLeftOut = (file, rules) => rules.findLast(({ pattern }) => pattern.test(file))?.keeps === false;
