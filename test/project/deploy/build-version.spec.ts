import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const ARCHIVED = 'tools/archived-commit.json';
/** 2026-11-30 20:35:42 UTC */
const COMMITTED_AT = '1796070942 +0000';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'version-'));
  await mkdir(join(folder, 'tools'));
  for (const file of ['tools/version.js', ARCHIVED, '.gitattributes']) await cp(resolve(file), join(folder, file));
  await setVersion('0.1.0-dev');
});
afterEach(() => rm(folder, { recursive: true }));

const setVersion = (version: string) =>
  writeFile(join(folder, 'package.json'), JSON.stringify({ version, type: 'module' }));

function git(...args: string[]): string {
  const settings = ['user.name=test', 'user.email=test@localhost', 'commit.gpgsign=false', 'tag.gpgsign=false'];
  const { stdout } = spawnSync('git', [...settings.flatMap((one) => ['-c', one]), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_AUTHOR_DATE: COMMITTED_AT, GIT_COMMITTER_DATE: COMMITTED_AT },
  });
  return stdout.trim();
}

/** Commits everything, and returns the beginning of the hash. */
function commit(): string {
  if (git('rev-parse', '--is-inside-work-tree') !== 'true') git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'A change');
  return git('rev-parse', 'HEAD').slice(0, 10);
}

function version(env: Record<string, string> = {}, root = folder) {
  const tool = join(root, 'tools/version.js');
  const { stdout, stderr } = spawnSync(process.execPath, [tool], {
    encoding: 'utf8',
    env: { ...process.env, BUILD_VERSION: '', ...env },
  });
  return stdout.trim() || stderr;
}

describe('the version of a build', () => {
  test('a build between two releases has the time and the hash of its commit', () => {
    const hash = commit();
    expect(version()).toBe(`0.1.0-dev.20261130203542.g${hash}`);
  });

  test('the version ends in .dirty if the files differ from the commit', async () => {
    const hash = commit();
    await writeFile(join(folder, 'new.ts'), '');
    expect(version()).toBe(`0.1.0-dev.20261130203542.g${hash}.dirty`);
  });

  test('a build of a tag has the version of the release', async () => {
    await setVersion('0.1.0');
    commit();
    git('tag', 'v0.1.0');
    expect(version()).toBe('0.1.0');
  });

  test('a build of changes after a tag does not have the version of the release', async () => {
    await setVersion('0.1.0');
    commit();
    git('tag', 'v0.1.0');
    await writeFile(join(folder, 'fix.ts'), '');
    expect(version()).toMatch(/^0\.1\.0-dev\..*\.dirty$/);
    const hash = commit();
    expect(version()).toBe(`0.1.0-dev.20261130203542.g${hash}`);
  });

  test('the version is unknown without a repository or without the program `git`', () => {
    expect(version()).toBe('0.1.0-dev.0.unknown');
    commit();
    expect(version({ PATH: '' })).toBe('0.1.0-dev.0.unknown');
  });

  test('a build from an archive that Git has created has the version of its commit', async () => {
    const hash = commit();
    const unpacked = await unpackedArchive();
    expect(version({}, unpacked)).toBe(`0.1.0-dev.20261130203542.g${hash}`);
    await setVersion('0.1.0');
    commit();
    git('tag', '--annotate', '--message', 'Release', 'v0.1.0');
    expect(version({}, await unpackedArchive())).toBe('0.1.0');
  });

  test('BUILD_VERSION sets the version if it is valid in npm, charts, image tags and labels', () => {
    expect(version({ BUILD_VERSION: '0.1.0-dev.7.gabc' })).toBe('0.1.0-dev.7.gabc');
    for (const invalid of ['0.1', 'v0.1.0', '0.1.0+gabc', '0.1.0-a_b', `0.1.0-${'a'.repeat(50)}`])
      expect(version({ BUILD_VERSION: invalid })).toContain(`BUILD_VERSION is ${invalid}, which is not a version`);
  });
});

/** The unpacked archive is a folder of the repository, which must not be asked for its commit. */
async function unpackedArchive(): Promise<string> {
  const unpacked = join(folder, 'unpacked');
  await rm(unpacked, { recursive: true, force: true });
  await mkdir(unpacked);
  spawnSync('sh', ['-c', 'git archive HEAD | tar -x -C unpacked'], { cwd: folder });
  expect(await readFile(join(unpacked, ARCHIVED), 'utf8')).not.toContain('$Format');
  return unpacked;
}
