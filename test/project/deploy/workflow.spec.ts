import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(path, 'utf8');
const workflow = read('.github/workflows/ci.yml');
const release = read('.github/workflows/release.yml');
const run = (...args: string[]) => spawnSync('.ci/run', args, { encoding: 'utf8' });

describe('.github/workflows/ci.yml', () => {
  test('the workflow has one job for each step of .ci/run', () => {
    const inContainer = /^ +step: \[(.+)\]$/m.exec(workflow)?.[1]?.split(', ') ?? [];
    expect([...inContainer, 'image'].sort()).toEqual(run('--list').stdout.trim().split('\n').sort());
    expect(workflow).toContain('run: .ci/run ${{ matrix.step }}');
    expect(workflow).toContain('run: .ci/run image\n        env:\n          IMAGE_TEST: required');
  });

  test('the workflow can only read the repository', () => {
    expect(workflow.match(/^ *permissions:.*(\n +.+)*/gm)).toEqual(['permissions:\n  contents: read']);
  });
});

describe('.github/workflows/release.yml', () => {
  const scripts = [...release.matchAll(/^ {8}run: \|\n((?: {10}.*\n|\n)+)/gm)].map(([, script]) => script!);

  test('a tag starts all checks, and only then the release is published', () => {
    expect(release).toMatch(/^on:\n {2}push:\n {4}tags: \['v\*'\]$/m);
    expect(release).toMatch(/^ {2}check:\n {4}uses: \.\/\.github\/workflows\/ci\.yml$/m);
    expect(release).toContain('needs: check');
  });

  test('the versions and landed migrations are checked before anything is pushed', () => {
    const all = scripts.join('');
    expect(all.indexOf('node tools/check-release.js "$GITHUB_REF_NAME"')).toBe(all.indexOf('node tools/'));
    expect(all.indexOf('tools/check-release.js')).toBeLessThan(all.indexOf('push'));
  });

  test.each([
    ['both platforms', '--platform linux/amd64,linux/arm64'],
    ['a bill of materials', '--sbom=true'],
    ['provenance', '--provenance=mode=max'],
    ['the digest of its base image', '--build-arg NODE_IMAGE="$base@$base_digest"'],
    ['the commit', '--build-arg COMMIT="$GITHUB_SHA"'],
    ['a signature of all its platforms', 'cosign sign --yes --recursive "$IMAGE@$IMAGE_DIGEST"'],
  ])('the image is published with %s', (_, command) => {
    expect(scripts.join('')).toContain(command);
  });

  test('the chart is pushed to an OCI registry and signed by its digest', () => {
    expect(scripts.join('')).toMatch(/helm push .+\.tgz "oci:\/\/\$CHARTS"/);
    expect(scripts.join('')).toContain('cosign sign --yes "$CHARTS/inference-gateway@$CHART_DIGEST"');
  });

  test('only the publishing job can write, and only what it publishes', () => {
    expect(
      release.match(/^ *permissions:\n(?: +.+\n)+/gm)?.map((block) => block.match(/[a-z-]+: (?:read|write)/g)),
    ).toEqual([['contents: read'], ['contents: write', 'packages: write', 'id-token: write']]);
  });

  test('scripts are valid bash and contain no expressions, which could inject commands', () => {
    expect(scripts.length).toBeGreaterThanOrEqual(6);
    for (const script of scripts) {
      expect(script).not.toContain('${{');
      expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    }
  });
});

test('all workflows pin actions to a commit', () => {
  const used = [workflow, release].flatMap((text) => text.match(/uses: .+/g) ?? []);
  expect(used.length).toBeGreaterThanOrEqual(4);
  const floating = used.filter((line) => !/^uses: (?:\.\/\S+|\S+@[0-9a-f]{40} # v\S+)$/.test(line));
  expect(floating).toEqual([]);
});

test('.ci/run with an unknown step exits with code 2 and runs nothing', () => {
  expect(run('lint', 'spelling')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('spelling') });
});

test('every file names the same Node version', () => {
  const version = read('.nvmrc').trim();
  expect(workflow).toContain(`node:${version}-bookworm`);
  expect(read('Dockerfile')).toContain(`\nARG NODE_IMAGE=node:${version}-bookworm-slim\n`);
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${version}`);
  const { optionalDependencies } = JSON.parse(read('tools/node/package.json')) as { optionalDependencies: object };
  expect(Object.values(optionalDependencies).every((exact: string) => exact.startsWith(`${version}.`))).toBe(true);
});
