import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * Returns how many processes can compute at the same time, at least 1. This is the number of CPUs that this process can run on,
 * or the CPU limit of its cgroup if that is lower. A fraction is rounded down, because threads of Node use the rest.
 *
 * Node's own figure also scales the limit by the CPU weight. A pod with a limit of 4 CPUs and a request of 1 would get one
 * process.
 * @param root of the file system
 */
export function availableCpus(root = '/'): number {
  const limit = cpuLimit(root);
  return Math.max(1, Math.floor(Math.min(allowedCpus(root) ?? availableParallelism(), limit ?? Infinity)));
}

/** Returns null if there is no limit. A limit of a parent group applies too. */
function cpuLimit(root: string): number | null {
  const limits = groupsOf(root).flatMap(({ mount, path, read }) =>
    selfAndParents(path).flatMap((group) => read(join(mount, group)) ?? []),
  );
  return limits.length === 0 ? null : Math.min(...limits);
}

interface Group {
  readonly mount: string;
  /**
   * Inside a container, this can be the path on the host, which does not exist in the container. In that case, only the root of
   * the mount is read.
   */
  readonly path: string;
  readonly read: (folder: string) => number | null;
}

/** A line is `0::/path` for version 2, and `4:cpu,cpuacct:/path` for version 1. */
function groupsOf(root: string): Group[] {
  const lines = textOf(join(root, 'proc/self/cgroup'))?.split('\n') ?? [];
  return lines.flatMap((line): Group[] => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (path === undefined) return [];
    const folder = (name: string) => join(root, 'sys/fs/cgroup', name);
    if (controllers === '') return ['', 'unified'].map((name) => ({ mount: folder(name), path, read: limitOfV2 }));
    if (controllers?.split(',').includes('cpu') !== true) return [];
    return [controllers, 'cpu'].map((name) => ({ mount: folder(name), path, read: limitOfV1 }));
  });
}

function selfAndParents(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '..');
  return names.map((_, at) => names.slice(0, at + 1).join('/')).concat('');
}

/** The file contains `max 100000` if there is no limit, and `150000 100000` for 1.5 CPUs. */
function limitOfV2(folder: string): number | null {
  const [quota, period] = textOf(join(folder, 'cpu.max'))?.split(/\s+/) ?? [];
  return quotient(quota, period);
}

/** A quota of -1 means no limit. */
const limitOfV1 = (folder: string): number | null =>
  quotient(textOf(join(folder, 'cpu.cfs_quota_us')), textOf(join(folder, 'cpu.cfs_period_us')));

function quotient(quota: string | undefined, period: string | undefined): number | null {
  const limit = Number(quota) / Number(period);
  return Number.isFinite(limit) && limit > 0 ? limit : null;
}

/** The CPU affinity, for example `0-3,8` */
function allowedCpus(root: string): number | null {
  const [, list] = /^Cpus_allowed_list:\s*([\d,-]+)$/m.exec(textOf(join(root, 'proc/self/status')) ?? '') ?? [];
  if (list === undefined) return null;
  return list.split(',').reduce((sum, range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return sum + last - first + 1;
  }, 0);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
