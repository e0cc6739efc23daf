import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(path, 'utf8');
const workflow = read('.github/workflows/ci.yml');
const run = (...args: string[]) => spawnSync('.ci/run', args, { encoding: 'utf8' });

describe('.github/workflows/ci.yml', () => {
  test('has one job for each step of .ci/run', () => {
    const jobs = /^ +step: \[(.+)\]$/m.exec(workflow)?.[1]?.split(', ');
    expect(jobs).toEqual(run('--list').stdout.trim().split('\n'));
    expect(workflow).toContain('run: .ci/run ${{ matrix.step }}');
  });

  test('can read the repository and nothing else', () => {
    expect(workflow.match(/^ *permissions:.*(\n +.+)*/gm)).toEqual(['permissions:\n  contents: read']);
  });
});

test('.ci/run runs nothing if the name of a step is unknown', () => {
  expect(run('lint', 'spelling')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('spelling') });
});

test('the version of Node is the same in every file that names it', () => {
  const version = read('.nvmrc').trim();
  expect(workflow).toContain(`node:${version}-bookworm`);
  expect(read('Dockerfile').match(/^FROM node:[\d.]+/gm)).toEqual(Array(3).fill(`FROM node:${version}`));
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${version}`);
  const { optionalDependencies } = JSON.parse(read('tools/node/package.json')) as { optionalDependencies: object };
  expect(Object.values(optionalDependencies).every((exact: string) => exact.startsWith(`${version}.`))).toBe(true);
});
