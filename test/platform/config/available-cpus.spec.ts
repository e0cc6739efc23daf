import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { availableCpus } from '../../../src/platform/config/available-cpus.js';
import { Config } from '../../../src/platform/config/config.js';

const roots: string[] = [];
afterEach(() => roots.splice(0).forEach((root) => rmSync(root, { recursive: true })));

const STATUS = 'Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n';

/** Returns the figure on a machine with eight CPUs and these files. */
function cpusWith(files: Record<string, string>): number {
  const root = mkdtempSync(join(tmpdir(), 'gateway-cgroup-'));
  roots.push(root);
  for (const [path, text] of Object.entries({ 'proc/self/status': STATUS, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return availableCpus(root);
}

const V2 = { 'proc/self/cgroup': '0::/\n' };
const V1 = { 'proc/self/cgroup': '3:memory:/pod/a\n4:cpu,cpuacct:/pod/a\n0::/\n' };
const V1_FOLDER = 'sys/fs/cgroup/cpu,cpuacct';

describe('GW_WORKERS=auto', () => {
  test('without a limit there is one process per CPU that the process can run on', () => {
    expect(cpusWith({})).toBe(8);
    expect(cpusWith({ ...V2, 'sys/fs/cgroup/cpu.max': 'max 100000\n' })).toBe(8);
    expect(cpusWith({ 'proc/self/status': 'Cpus_allowed_list:\t0-1,5\n' })).toBe(3);
  });

  test.each([
    ['400000 100000', 4],
    ['250000 100000', 2],
    ['50000 100000', 1],
    ['1600000 100000', 8],
  ])('a version 2 limit of %s allows %i processes, regardless of the CPU weight', (limit, processes) => {
    expect(cpusWith({ ...V2, 'sys/fs/cgroup/cpu.max': limit, 'sys/fs/cgroup/cpu.weight': '4\n' })).toBe(processes);
  });

  test('the lowest limit of a group and its parents applies', () => {
    const nested = { 'proc/self/cgroup': '0::/kubepods/pod1/c1\n' };
    const limits = { 'kubepods/cpu.max': '300000 100000', 'kubepods/pod1/c1/cpu.max': '600000 100000' };
    const files = Object.entries(limits).map(([path, text]) => [`sys/fs/cgroup/${path}`, text]);
    expect(cpusWith({ ...nested, ...Object.fromEntries(files) })).toBe(3);
  });

  test('a path of the host, which does not exist in the container, is replaced by the root', () => {
    const host = { 'proc/self/cgroup': '0::/../../kubepods/pod1\n', 'sys/fs/cgroup/cpu.max': '200000 100000' };
    expect(cpusWith(host)).toBe(2);
  });

  test.each([
    ['200000', 2],
    ['-1', 8],
  ])('a version 1 quota of %s allows %i processes', (quota, processes) => {
    for (const folder of [V1_FOLDER, `${V1_FOLDER}/pod/a`, 'sys/fs/cgroup/cpu'])
      expect(
        cpusWith({ ...V1, [`${folder}/cpu.cfs_quota_us`]: quota, [`${folder}/cpu.cfs_period_us`]: '100000' }),
      ).toBe(processes);
  });

  test('GW_WORKERS=auto means one worker per CPU of this machine', () => {
    expect(Config.from({ GW_WORKERS: 'auto' }).workers).toBe(availableCpus());
  });
});
