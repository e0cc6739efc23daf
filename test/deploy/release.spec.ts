import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const CHART = 'deploy/helm/inference-gateway/Chart.yaml';
const TOOL = resolve('tools/release.js');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-'));
  await cp(CHART, join(folder, CHART));
  await writeFile(join(folder, 'package.json'), '{ "version": "1.1.0" }');
});
afterEach(() => rm(folder, { recursive: true }));

const release = () => spawnSync(process.execPath, [TOOL], { cwd: folder, encoding: 'utf8' });
const written = (file: string) => readFile(join(folder, file), 'utf8');
const changelog = (text: string) => writeFile(join(folder, 'CHANGELOG.md'), text);

describe('tools/release.js', () => {
  test('a release moves unreleased changes to the new version and updates the chart version', async () => {
    await changelog('# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [1.0.0] - 2026-11-25\n\n- B.\n');
    expect(release()).toMatchObject({ status: 0, stderr: '' });
    const today = new Date().toISOString().slice(0, 10);
    expect(await written('CHANGELOG.md')).toBe(
      `# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - ${today}\n\n### Added\n\n- A.\n\n## [1.0.0] - 2026-11-25\n\n- B.\n`,
    );
    expect(await written(CHART)).toMatch(/^version: 1\.1\.0\n(.*\n)*appVersion: 1\.1\.0$/m);
  });

  test.each([
    ['without unreleased changes', '## [Unreleased]\n\n## [1.0.0]\n\n- B.\n', 'lists no unreleased change'],
    ['without a section for unreleased changes', '## [1.0.0]\n\n- B.\n', 'has no section "## [Unreleased]"'],
    [
      'that already has the version',
      '## [Unreleased]\n\n- A.\n\n## [1.1.0]\n\n- B.\n',
      'already has a section for 1.1.0',
    ],
  ])('a release with a changelog %s fails without changes', async (_, text, reason) => {
    await changelog(text);
    const chart = await written(CHART);
    expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) as unknown });
    expect([await written('CHANGELOG.md'), await written(CHART)]).toEqual([text, chart]);
  });
});

test('package.json and the chart have the same version, and the changelog describes it', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(await readFile(CHART, 'utf8')).toContain(`\nappVersion: ${version}\n`);
  expect(await readFile('CHANGELOG.md', 'utf8')).toContain(`\n## [${version}] - `);
});
