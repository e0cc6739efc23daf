import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const TOOL = resolve('tools/landed-migrations.js');
const LANDED = '1790000012000-job-runs.ts';
const LAST = '1790000013000-redis-counts.ts';
const NEW = '1890000000000-more.ts';

/** A copy of two migrations and their record, which tests can change. The tool parses each migration. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landed-'));
  await mkdir(join(folder, 'migrations'));
  for (const name of [LANDED, LAST]) await cp(join('migrations', name), path(name));
  const record = JSON.parse(await readFile('migrations/landed.json', 'utf8')) as Record<string, string>;
  await writeFile(path('landed.json'), JSON.stringify({ [LANDED]: record[LANDED], [LAST]: record[LAST] }));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (...args: string[]) => runIn(folder, ...args);
function runIn(cwd: string, ...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [TOOL, ...args], { cwd, encoding: 'utf8' });
  return { status, stderr };
}
const path = (name: string) => join(folder, 'migrations', name);
const passes = { status: 0, stderr: '' };
const changed = (name: string) => ({
  status: 1,
  stderr: expect.stringContaining(`${name} has landed but was changed`) as unknown,
});

async function replace(name: string, old: string, text: string): Promise<void> {
  const before = await readFile(path(name), 'utf8');
  expect(before).toContain(old);
  await writeFile(path(name), before.replace(old, text));
}

describe('migrations that have landed', () => {
  test('every migration of this repository is recorded and unchanged', () => {
    expect(runIn('.', '--check')).toEqual(passes);
  });

  test.each([
    ['a statement', 'finished_at timestamp(3)', 'finished_at timestamp(6)'],
    ['the class name, which TypeORM stores', 'class JobRuns', 'class JobsRuns'],
    ['the order of statements', "await runner.query('DROP TABLE job_runs');", ''],
  ])('a change of %s is rejected', async (_, old, text) => {
    await replace(LANDED, old, text);
    expect(run('--check')).toEqual(changed(LANDED));
  });

  test('comments, quotes and line breaks outside of statements can change', async () => {
    await replace(LANDED, 'async up(', '/** Adds runs of jobs. */\n  async up(\n');
    await replace(LANDED, "'DROP TABLE job_runs'", '"DROP TABLE job_runs", // The table\n');
    expect(run('--check')).toEqual(passes);
  });

  test('a migration that was removed or renamed is rejected', async () => {
    await rename(path(LANDED), path('1790000012000-runs.ts'));
    expect(run('--check').stderr).toContain(`${LANDED} has landed but is missing`);
  });
});

describe('a new migration', () => {
  test('a new migration must be recorded, and must not change after that', async () => {
    await cp(path(LANDED), path(NEW));
    expect(run('--check').stderr).toContain(`${NEW} is not recorded. Run npm run migration:record.`);
    expect(run()).toEqual(passes);
    expect(run('--check')).toEqual(passes);
    await replace(NEW, 'job text', 'job uuid');
    expect([run('--check'), run(), run('--check')]).toEqual([changed(NEW), changed(NEW), changed(NEW)]);
  });

  test('a number below a landed one is rejected, because some databases would run the migrations out of order', async () => {
    await cp(path(LANDED), path('1790000012001-late.ts'));
    expect(run().stderr).toContain('1790000012001-late.ts must have a higher number than');
  });

  test('an import of code that can change is rejected', async () => {
    await cp(path(LANDED), path(NEW));
    await replace(NEW, 'import', "import { TABLE } from '../src/stats/tables.js';\nimport");
    expect(run().stderr).toContain(`${NEW} imports ../src/stats/tables.js.`);
  });
});
