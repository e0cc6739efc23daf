import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const CHART = 'deploy/helm/inference-gateway/Chart.yaml';
const COPIED = [CHART, 'Dockerfile', 'CHANGELOG.md', 'package.json', 'package-lock.json', 'migrations/landed.json'];
const UPGRADE = '### Upgrade notes\n\nNothing to do.\n';

/** A copy of the checked files, which tests can break. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-'));
  for (const file of COPIED) await cp(file, join(folder, file));
});
afterEach(() => rm(folder, { recursive: true }));

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}
const tool = (name: string, ...args: string[]) => run(process.execPath, resolve('tools', name), ...args);
const read = (file: string) => readFile(join(folder, file), 'utf8');
const write = (file: string, text: string) => writeFile(join(folder, file), text);

async function replace(file: string, old: string, text: string): Promise<void> {
  const before = await read(file);
  expect(before).toContain(old);
  await write(file, before.replace(old, text));
}

async function setPackageVersion(version: string): Promise<void> {
  for (const file of ['package.json', 'package-lock.json']) {
    const json = JSON.parse(await read(file)) as { version: string; packages?: { '': { version: string } } };
    json.version = version;
    if (json.packages !== undefined) json.packages[''].version = version;
    await write(file, JSON.stringify(json));
  }
}

describe('tools/release.js', () => {
  beforeEach(() => setPackageVersion('9.1.0'));

  test('a release moves unreleased changes to the new version and updates the versions of chart and image', async () => {
    const rest = `${UPGRADE}\n### Added\n\n- A.\n\n## [9.0.0] - 2026-11-25\n\n${UPGRADE}\n- B.\n`;
    await write('CHANGELOG.md', `# Changelog\n\n## [Unreleased]\n\n${rest}`);
    expect(tool('release.js')).toMatchObject({ status: 0, stderr: '' });
    const today = new Date().toISOString().slice(0, 10);
    expect(await read('CHANGELOG.md')).toBe(`# Changelog\n\n## [Unreleased]\n\n## [9.1.0] - ${today}\n\n${rest}`);
    expect(await read(CHART)).toMatch(/^version: 9\.1\.0\n(.*\n)*appVersion: 9\.1\.0$/m);
    expect(await read('Dockerfile')).toMatch(/^ARG VERSION=9\.1\.0$/m);
    expect(tool('check-release.js')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test.each([
    ['without unreleased changes', `## [Unreleased]\n\n## [9.0.0]\n\n${UPGRADE}\n- B.\n`, 'lists no unreleased change'],
    ['without a section for unreleased changes', '## [9.0.0]\n\n- B.\n', 'has no section "## [Unreleased]"'],
    ['without upgrade notes', '## [Unreleased]\n\n- A.\n', 'has no "### Upgrade notes"'],
    [
      'that already has the version',
      '## [Unreleased]\n\n- A.\n\n## [9.1.0]\n\n- B.\n',
      'already has a section for 9.1.0',
    ],
  ])('a release with a changelog %s fails without changes', async (_, text, reason) => {
    await write('CHANGELOG.md', text);
    const before = await Promise.all(COPIED.map(read));
    expect(tool('release.js')).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) as unknown });
    expect(await Promise.all(COPIED.map(read))).toEqual(before);
  });
});

describe('tools/check-release.js', () => {
  test('the files of this repository have the same version, and every release has upgrade notes', () => {
    expect(tool('check-release.js')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test.each([
    ['the chart', CHART, 'appVersion: ', 'appVersion: 0', `${CHART} does not have the version`],
    ['the image', 'Dockerfile', 'ARG VERSION=', 'ARG VERSION=0', 'Dockerfile does not have the version'],
    [
      'the changelog',
      'CHANGELOG.md',
      '\n## [1.',
      '\n## [8.0.0]\n\n## [1.',
      'The latest version in CHANGELOG.md is not',
    ],
  ])('another version in %s is reported', async (_, file, old, text, reason) => {
    await replace(file, old, text);
    expect(tool('check-release.js')).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) as unknown });
  });

  test('a released version without upgrade notes is reported', async () => {
    const text = await read('CHANGELOG.md');
    await write('CHANGELOG.md', text.replaceAll('### Upgrade notes', '### Notes'));
    expect(tool('check-release.js').stderr).toMatch(/has no "### Upgrade notes" for \d/);
  });

  describe('with a tag', () => {
    const git = (...args: string[]) =>
      run('git', '-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false', ...args);
    let version: string;
    beforeEach(async () => {
      version = (JSON.parse(await read('package.json')) as { version: string }).version;
      git('init', '--quiet');
      git('add', '.');
      git('commit', '--quiet', '--message', 'A release');
      git('tag', 'v0.0.1');
    });

    test('the tag of this version passes, and the check prints the release notes', () => {
      const { status, stdout } = tool('check-release.js', `v${version}`);
      expect({
        status,
        notes: stdout.startsWith('The first release.') || stdout.startsWith('### Upgrade notes'),
      }).toEqual({
        status: 0,
        notes: true,
      });
    });

    test('the tag of another version is rejected', () => {
      expect(tool('check-release.js', 'v7.0.0').stderr).toContain(`The tag v7.0.0 is not v${version}.`);
    });

    test('a migration that differs from the previous release is rejected, even if its recorded hash was changed too', async () => {
      const landed = JSON.parse(await read('migrations/landed.json')) as Record<string, string>;
      const [first] = Object.keys(landed);
      await write('migrations/landed.json', JSON.stringify({ ...landed, [first!]: '0' }));
      const { status, stderr } = tool('check-release.js', `v${version}`);
      expect({ status, stderr }).toEqual({ status: 1, stderr: `migrations/${first} has changed since v0.0.1.\n` });
    });
  });
});
