import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');

export function pageOf(name: string) {
  const folder = name.replace(/\.md$/, '');
  const files = globSync([name, `${folder}/*.md`], { cwd: join(PROJECT, 'docs') }).sort((a, b) => a.length - b.length);
  const text = files.map((file) => readFileSync(join(PROJECT, 'docs', file), 'utf8')).join('\n');
  const named = [...text.matchAll(/`((?:src|test|tools|dashboard)\/[^`]*)`/g)].map(([, path]) => path!);
  return {
    text,
    /** The files and folders that the page names, with duplicates. */
    named,
    missing: named.filter((path) => !existsSync(join(PROJECT, path))),
    rows: text
      .split('\n')
      .filter((line, at, lines) => /^\|(?! ---)/.test(line) && !/^\| ---/.test(lines[at + 1] ?? '')),
  };
}
