import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRoot } from './paths.js';

export function buildContext() {
  const rules = readFileSync(inRoot('.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(ruleOf);
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: inRoot('.') });
  return files
    .toString()
    .split('\n')
    .filter((file) => file !== '' && !isIgnored(file, rules));
}

/** A pattern matches a path and everything below it. `*` does not match `/`. */
function ruleOf(line) {
  const keeps = line.startsWith('!');
  const pattern = (keeps ? line.slice(1) : line).replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  return { keeps, pattern: new RegExp(`^${pattern}(/|$)`) };
}

const isIgnored = (file, rules) => rules.findLast(({ pattern }) => pattern.test(file))?.keeps === false;
