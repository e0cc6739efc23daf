import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (file: string) => readFileSync(file, 'utf8');
const page = read('CONTRIBUTING.md') + read('docs/recipes.md');
const terms = new Set(Array.from(page.matchAll(/`([^`\s]+)`/g), ([, term = '']) => term));

const CODE = '{src,test,tools,site,migrations,dashboard/src,sandbox/src}/**/*.{ts,tsx,js,cjs}';
const exclude = (path: string) => /(?:^|\/)node_modules$/.test(path);
const files = globSync([CODE, '*.{md,json}', 'docs/**/*.md'], { exclude });
const filesOf = (name: string) => files.filter((file) => file === name || file.endsWith(`/${name}`));

/** The page advises against these. */
const UNUSED = ['index.ts', 'forwardRef'];

test('every file that CONTRIBUTING.md or docs/recipes.md names exists', () => {
  const named = [...terms].filter((term) => /^\w[\w./-]*\.(?:tsx?|c?js|md)$/.test(term));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !UNUSED.includes(name) && filesOf(name).length === 0)).toEqual([]);
});

test('every identifier that CONTRIBUTING.md or docs/recipes.md names exists', () => {
  const named = [...terms].filter((term) => /^(?:[A-Z]+(?:_[A-Z]+)*|[a-z]+(?:_[a-z]+)+|[A-Za-z]+[A-Z]\w*)$/.test(term));
  const words = new Set(globSync(CODE, { exclude }).flatMap((file) => read(file).match(/\w+/g) ?? []));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !UNUSED.includes(name) && !words.has(name))).toEqual([]);
});

test('every identifier that CONTRIBUTING.md or docs/recipes.md names with its file is in that file', () => {
  const pairs = Array.from(page.matchAll(/`(\w+)` in\s+`([\w./-]+\.tsx?)`/g), ([, name = '', file = '']) => [
    name,
    file,
  ]);
  expect(pairs.length).toBeGreaterThan(5);
  const missing = pairs.filter(([name, file]) => !filesOf(file!).some((path) => read(path).includes(name!)));
  expect(missing).toEqual([]);
});
