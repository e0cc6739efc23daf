import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(path, 'utf8');
const workflow = read('.github/workflows/ci.yml');
const run = (...args: string[]) => spawnSync('.ci/run', args, { encoding: 'utf8' });

describe('.github/workflows/ci.yml', () => {
  test('the workflow has one job for each step of .ci/run', () => {
    const jobs = /^ +step: \[(.+)\]$/m.exec(workflow)?.[1]?.split(', ');
    expect(jobs).toEqual(run('--list').stdout.trim().split('\n'));
    expect(workflow).toContain('run: .ci/run ${{ matrix.step }}');
  });

  test('the workflow can only read the repository', () => {
    expect(workflow.match(/^ *permissions:.*(\n +.+)*/gm)).toEqual(['permissions:\n  contents: read']);
  });
});

test('.ci/run with an unknown step exits with code 2 and runs nothing', () => {
  expect(run('lint', 'spelling')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('spelling') });
});

test('every file names the same Node version', () => {
  const version = read('.nvmrc').trim();
  expect(workflow).toContain(`node:${version}-bookworm`);
  expect(read('Dockerfile').match(/^FROM node:[\d.]+/gm)).toEqual(Array(3).fill(`FROM node:${version}`));
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${version}`);
  const { optionalDependencies } = JSON.parse(read('tools/node/package.json')) as { optionalDependencies: object };
  expect(Object.values(optionalDependencies).every((exact: string) => exact.startsWith(`${version}.`))).toBe(true);
});
