import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';

type ImportRules = { ALLOWED: Record<string, string[]>; OUTERMOST: string[] };
const TOOL = resolve('tools/write-import-table.js');

let folder = '';
afterEach(async () => {
  if (folder !== '') await rm(folder, { recursive: true });
  folder = '';
});

const check = (cwd: string) => spawnSync(process.execPath, [TOOL, '--check'], { cwd, encoding: 'utf8' });

test('the import table of docs/architecture.md matches the import rules (npm run docs:imports)', () => {
  expect(check('.')).toMatchObject({ status: 0, stderr: '' });
});

test('a manually changed row of the import table is detected', async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-table-'));
  for (const file of ['docs/architecture.md', '.prettierrc.json']) await cp(file, join(folder, file));
  const page = join(folder, 'docs/architecture.md');
  await writeFile(page, (await readFile(page, 'utf8')).replace('| `costs`', '| `cost`'));
  expect(check(folder)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('npm run docs:imports') as unknown,
  });
});

test('every room of src has an import rule, and every import rule has a room', async () => {
  const { ALLOWED, OUTERMOST } = createRequire(import.meta.url)('../../../tools/import-rules.data.cjs') as ImportRules;
  const entries = await readdir('src', { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const rooms = Object.keys(ALLOWED).filter((name) => !name.includes('/'));
  expect([...rooms, ...OUTERMOST].sort()).toEqual(folders.sort());
});
