import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = 'src/cli/main.ts';
const BUILT = 'dist/src/cli/main.js';

let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'gateway-build-'));
  for (const folder of ['src/cli', 'migrations', 'tools']) await mkdir(join(project, folder), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  const options = { module: 'nodenext', target: 'es2022', types: [], rootDir: '.', outDir: 'dist', skipLibCheck: true };
  await write('package.json', '{"type": "module"}');
  await write('tsconfig.json', '{}');
  await write('tools/bundle.js', "process.stderr.write('put together');");
  await write('tsconfig.build.json', JSON.stringify({ compilerOptions: options, include: ['src', 'ormconfig.ts'] }));
  await write('ormconfig.ts', 'export {};');
  await write(PROGRAM, 'export const version: number = 1;');
});
afterEach(() => rm(project, { recursive: true, force: true }));

/** Writes a file with a modification time in the past, so that a build is newer. */
async function write(path: string, text: string, hoursAgo = 1): Promise<void> {
  const file = join(project, path);
  const time = Date.now() / 1000 - hoursAgo * 3600;
  await writeFile(file, text);
  await utimes(file, time, time);
}
const run = () =>
  spawnSync(process.execPath, [join(ROOT, 'tools/build-if-stale.js')], { cwd: project, encoding: 'utf8' });
const built = () => readFile(join(project, BUILT), 'utf8');

test('the command line is built only if it is missing or older than its source', async () => {
  expect(run()).toMatchObject({ status: 0, stdout: '', stderr: expect.stringMatching(/Building[^]*put together/) });
  expect(await built()).toContain('version = 1');
  expect(run()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  await write(PROGRAM, 'export const version: number = 2;', -1);
  expect(run()).toMatchObject({ status: 0, stdout: '' });
  expect(await built()).toContain('version = 2');
});

test('a failed build reports its errors on stderr, and the next run builds again', async () => {
  await write(PROGRAM, 'export const version: number = "one";');
  for (let time = 0; time < 2; time++) {
    const { status, stdout, stderr } = run();
    expect([status === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain('TS2322');
  }
});
