import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

const CHART = 'deploy/helm/inference-gateway/Chart.yaml';
const NOTES = '### Upgrade notes\n\nNothing to do.\n';
const CHANGES = `## [Unreleased]\n\n${NOTES}\n### Added\n\n- A.\n`;
/** Everything that the release reads, and nothing that only a build needs. */
const COPIED = ['package.json', 'package-lock.json', 'Dockerfile', '.gitattributes', '.gitignore', 'CHANGELOG.md'];
const FOLDERS = ['deploy', 'migrations', 'tools'];
const WORKSPACES = ['dashboard/package.json', 'sandbox/package.json'];
const SETTINGS = ['user.name=test', 'user.email=test@localhost', 'commit.gpgsign=false', 'tag.gpgsign=false'];
const TODAY = /\d{4}-\d\d-\d\d/;

let template: string;
let folder: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'release-template-'));
  for (const path of [...COPIED, ...FOLDERS, ...WORKSPACES])
    await cp(resolve(path), join(template, path), {
      recursive: true,
      filter: (from) => !from.includes('node_modules'),
    });
  await cp(resolve('.ci/run'), join(template, '.ci/run'));
  await writeFile(join(template, '.ci/run'), '#!/bin/sh\nexit ${CHECKS_EXIT_WITH:-0}\n');
  await writeFile(join(template, 'CHANGELOG.md'), `# Changelog\n\n${CHANGES}`);
  git(template, 'init', '--quiet', '--initial-branch=main');
  git(template, 'add', '.');
  git(template, 'commit', '--quiet', '--message', 'The project');
});
afterAll(() => rm(template, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-test-'));
  git(folder, 'clone', '--quiet', ...SETTINGS.flatMap((one) => ['--config', one]), template, '.');
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function git(cwd: string, ...args: string[]): string {
  const settings = SETTINGS.flatMap((one) => ['-c', one]);
  const { stdout } = spawnSync('git', [...settings, ...args], { cwd, encoding: 'utf8' });
  return stdout.trim();
}

function run(tool: string, args: string[], env: Record<string, string> = {}) {
  const options = {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CONTAINER_ENGINE: '/none', ...env },
  } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'tools', tool), ...args], options);
  return { status, stdout, stderr };
}
const release = (...args: string[]) => run('release.js', args);
const read = (file: string) => readFile(join(folder, file), 'utf8');
const write = (file: string, text: string) => writeFile(join(folder, file), text);
const shown = (revision: string, file: string) => git(folder, 'show', `${revision}:${file}`);
const sha256 = async (file: string) =>
  createHash('sha256')
    .update(await readFile(join(folder, file)))
    .digest('hex');

/** Everything that a release could change. */
async function state(): Promise<unknown> {
  const files = git(folder, 'status', '--porcelain', '--ignored');
  return {
    files,
    refs: git(folder, 'for-each-ref'),
    head: git(folder, 'rev-parse', 'HEAD'),
    names: await readdir(folder),
  };
}

async function committed(file: string, text: string): Promise<void> {
  await write(file, text);
  git(folder, 'commit', '--quiet', '--all', '--message', 'A change');
}

describe('npm run release', () => {
  test('commits and tags the version, and starts the next one', async () => {
    const { status, stdout, stderr } = release('minor');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Released v0.1.0.');
    expect(git(folder, 'log', '--format=%s', '-3')).toBe('Start 0.1.1-dev\nRelease 0.1.0\nThe project');
    expect(git(folder, 'rev-parse', 'v0.1.0^{commit}')).toBe(git(folder, 'rev-parse', 'main~1'));
    expect(git(folder, 'cat-file', '-t', 'v0.1.0')).toBe('tag');
    expect(git(folder, 'status', '--porcelain')).toBe('');

    expect(shown('v0.1.0', 'CHANGELOG.md').replace(TODAY, 'DATE')).toBe(
      `# Changelog\n\n${CHANGES.replace('\n', '\n\n## [0.1.0] - DATE\n')}`.trim(),
    );
    expect(shown('v0.1.0', CHART)).toMatch(/^version: 0\.1\.0\n(.*\n)*appVersion: 0\.1\.0$/m);
    expect(shown('v0.1.0', 'deploy/manifests/gateway.yaml')).toContain('/inference-gateway:0.1.0\n');
    expect(shown('main', CHART)).toMatch(/^version: 0\.1\.1-dev$/m);
    expect(run('check-release.js', [])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('creates the chart, the source, the bill of materials, the provenance and their checksums', async () => {
    const repository = 'https://git.example.com/gateway';
    const image = 'registry.example.com/inference-gateway';
    const made = release('0.2.0', '--skip-checks', '--image', image, '--repository', repository);
    expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining('The image was not built') as unknown });
    const name = 'inference-gateway-0.2.0';
    const artifacts = [`${name}-source.tar.gz`, `${name}.cdx.json`, `${name}.intoto.json`, `${name}.tgz`, 'notes.md'];
    expect(await readdir(join(folder, 'release/v0.2.0'))).toEqual(['checksums.txt', ...artifacts].sort());
    const sums = await Promise.all(artifacts.map(async (file) => `${await sha256(`release/v0.2.0/${file}`)}  ${file}`));
    expect((await read('release/v0.2.0/checksums.txt')).trim().split('\n').sort()).toEqual(sums.sort());

    const unpack = (file: string, member: string) =>
      spawnSync('tar', ['-xzOf', `release/v0.2.0/${file}`, member], { cwd: folder, encoding: 'utf8' }).stdout;
    const chart = unpack(`${name}.tgz`, 'inference-gateway/Chart.yaml');
    expect(chart).toMatch(/^version: 0\.2\.0$/m);
    expect(chart).toContain(`image: ${image}:0.2.0`);
    expect(unpack(`${name}.tgz`, 'inference-gateway/values.yaml')).toContain(`repository: ${image}`);
    expect(unpack(`${name}-source.tar.gz`, `${name}/tools/archived-commit.json`)).toContain('"tag": "v0.2.0"');
    const sbom = JSON.parse(await read(`release/v0.2.0/${name}.cdx.json`)) as { metadata: { component: object } };
    expect(sbom.metadata.component).toMatchObject({ name: 'inference-gateway', version: '0.2.0' });
    expect(await read('release/v0.2.0/notes.md')).toBe(`${NOTES}\n### Added\n\n- A.\n`);

    const statement = JSON.parse(await read(`release/v0.2.0/${name}.intoto.json`)) as {
      subject: { name: string; digest: { sha256: string } }[];
    };
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { version: '0.2.0', image, repository },
          resolvedDependencies: [
            {
              uri: `git+${repository}@refs/tags/v0.2.0`,
              digest: { gitCommit: git(folder, 'rev-parse', 'v0.2.0^{commit}') },
            },
            { uri: 'package-lock.json', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown } },
          ],
        },
      },
    });
    expect(statement.subject).toContainEqual({
      name: `${name}.tgz`,
      digest: { sha256: await sha256(`release/v0.2.0/${name}.tgz`) },
    });
  });

  test('builds and saves the image if a container engine works', async () => {
    const engine = join(folder, '.git/engine');
    await writeFile(engine, `#!/bin/sh\necho "$@" >> ${engine}.log\nif [ "$1" = save ]; then echo image > "$3"; fi\n`);
    await chmod(engine, 0o755);
    expect(run('release.js', ['patch'], { CONTAINER_ENGINE: engine })).toMatchObject({ status: 0, stderr: '' });
    const commit = git(folder, 'rev-parse', 'v0.1.0^{commit}');
    const calls = await readFile(`${engine}.log`, 'utf8');
    expect(calls).toContain(
      `build --build-arg VERSION=0.1.0 --build-arg COMMIT=${commit} --tag inference-gateway:0.1.0 .`,
    );
    expect(await read('release/v0.1.0/inference-gateway-0.1.0-image.tar')).toBe('image\n');
    expect(await read('release/v0.1.0/inference-gateway-0.1.0.intoto.json')).toContain('docker:node:');
  });

  test('shows all changes and changes nothing with --dry-run', async () => {
    const before = await state();
    const { status, stdout } = release('major', '--dry-run');
    expect(status).toBe(0);
    for (const part of [
      'Release 1.0.0',
      '+version: 1.0.0',
      'Start 1.0.1-dev',
      'inference-gateway-1.0.0.tgz',
      'Nothing',
    ])
      expect(stdout).toContain(part);
    expect(await state()).toEqual(before);
  });

  test('releases the next version after an earlier release', async () => {
    release('minor', '--skip-checks');
    expect(release('minor')).toMatchObject({ status: 1, stderr: expect.stringContaining('no unreleased') as unknown });
    await committed(
      'CHANGELOG.md',
      (await read('CHANGELOG.md')).replace('[Unreleased]\n', `[Unreleased]\n\n${NOTES}\n### Fixed\n\n- B.\n`),
    );
    expect(release('minor', '--skip-checks')).toMatchObject({ status: 0, stderr: '' });
    expect(git(folder, 'tag')).toBe('v0.1.0\nv0.2.0');
  });
});

describe('npm run release with a problem', () => {
  const fails = async (args: string[], reason: string, env = {}) => {
    const before = await state();
    const { status, stderr } = run('release.js', args, env);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(reason) as unknown });
    expect(await state()).toEqual(before);
  };

  test.each([
    [['one'], 'one is not a version. Use patch, minor, major, or a version such as 1.2.3.'],
    [['1.0'], '1.0 is not a version.'],
    [['01.0.0'], '01.0.0 is not a version.'],
    [['1.0.0+g1'], '1.0.0+g1 is not a version.'],
    [['0.0.9'], '0.0.9 is below 0.1.0. Choose a higher version.'],
    [[], 'Usage: npm run release -- VERSION'],
    [['minor', '--force'], "Unknown option '--force'"],
    [['minor', '--repository', 'git@example.com:gateway'], 'is not an https address'],
  ])('fails and changes nothing for the arguments %j', (args, reason) => fails(args, reason));

  test('fails and changes nothing if the working directory has changes', async () => {
    await write('new.txt', '');
    await fails(['minor'], 'The working directory has changes. Commit or remove them:\n?? new.txt');
  });

  test('fails and changes nothing if the tag exists', async () => {
    git(folder, 'tag', 'v0.1.0');
    await fails(['minor'], 'The tag v0.1.0 exists. Choose a higher version.');
  });

  test('fails and changes nothing if the version is below the latest release', async () => {
    git(folder, 'tag', 'v0.3.0');
    await fails(['0.2.0'], '0.2.0 is below 0.3.0. Choose a higher version.');
  });

  test('fails and changes nothing if no branch is checked out', async () => {
    git(folder, 'checkout', '--quiet', '--detach');
    await fails(['minor'], 'No branch is checked out.');
  });

  test.each([
    ['has no unreleased changes', `## [Unreleased]\n\n${NOTES}`, 'lists no unreleased change'],
    ['has changes only in the upgrade notes', `## [Unreleased]\n\n${NOTES}\n- B.\n`, 'lists no unreleased change'],
    ['has no section for unreleased changes', '- B.\n', 'has no section "## [Unreleased]"'],
    ['has no upgrade notes', '## [Unreleased]\n\n- A.\n', 'has no "### Upgrade notes" for the unreleased changes'],
    ['has empty upgrade notes', '## [Unreleased]\n\n### Upgrade notes\n\n### Added\n\n- A.\n', 'has no "### Upgrade'],
    ['already has the version', `${CHANGES}\n## [0.1.0]\n\n${NOTES}`, 'already has a section for 0.1.0'],
  ])('fails and changes nothing if the changelog %s', async (_, text, reason) => {
    await committed('CHANGELOG.md', `# Changelog\n\n${text}`);
    await fails(['minor'], reason);
  });

  test('fails and changes nothing if the files have different versions', async () => {
    await committed(CHART, (await read(CHART)).replace('appVersion: 0', 'appVersion: 1'));
    await fails(['minor'], `${CHART} does not have the version 0.1.0-dev of package.json.`);
  });

  test('fails and changes nothing if a check fails', () =>
    fails(['minor'], '.ci/run fails on the release.', { CHECKS_EXIT_WITH: '3' }));

  test('fails and changes nothing if a migration of the previous release has changed', async () => {
    git(folder, 'tag', 'v0.0.1');
    const landed = JSON.parse(await read('migrations/landed.json')) as Record<string, string>;
    const [first] = Object.keys(landed);
    await committed('migrations/landed.json', JSON.stringify({ ...landed, [first!]: '0' }));
    await fails(['minor'], `migrations/${first} has changed since v0.0.1.`);
  });

  test('fails and changes nothing if the chart cannot be packaged', () =>
    fails(['minor', '--skip-checks'], 'ENOENT', { HELM: '/none/helm' }));
});

describe('tools/check-release.js', () => {
  test('accepts the files of this repository', () => {
    const { status, stderr } = spawnSync(process.execPath, ['tools/check-release.js'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('reports a released version without upgrade notes', async () => {
    await write('CHANGELOG.md', `${CHANGES}\n## [0.0.1]\n\n- B.\n`);
    expect(run('check-release.js', []).stderr).toContain('CHANGELOG.md has no "### Upgrade notes" for [0.0.1].');
  });

  test('reports a changelog whose latest version does not fit the version of package.json', async () => {
    await write('CHANGELOG.md', `${CHANGES}\n## [0.1.0]\n\n${NOTES}`);
    expect(run('check-release.js', []).stderr).toContain('The latest version in CHANGELOG.md is already 0.1.0.');
    git(folder, 'checkout', '--quiet', 'CHANGELOG.md');
    release('minor', '--skip-checks');
    git(folder, 'checkout', '--quiet', 'v0.1.0');
    await write('CHANGELOG.md', CHANGES);
    expect(run('check-release.js', []).stderr).toContain('The latest version in CHANGELOG.md is not 0.1.0.');
  });

  test('reports a chart without one of its two versions', async () => {
    const chart = await readFile(join(folder, CHART), 'utf8');
    await write(CHART, chart.replace(/^appVersion: .+\n/m, ''));
    expect(run('check-release.js', []).stderr).toContain(`${CHART} does not have the version`);
  });

  test('prints the release notes of the tag, and rejects the tag of another version', () => {
    release('minor', '--skip-checks');
    git(folder, 'checkout', '--quiet', 'v0.1.0');
    expect(run('check-release.js', ['v0.1.0'])).toMatchObject({ status: 0, stdout: `${NOTES}\n### Added\n\n- A.\n` });
    expect(run('check-release.js', ['v7.0.0']).stderr).toContain('The tag v7.0.0 is not v0.1.0.');
  });
});
