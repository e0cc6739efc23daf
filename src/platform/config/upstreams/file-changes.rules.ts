import type { UpstreamsFile } from './upstreams-file.js';

interface FileChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Includes upstreams with a new credential. */
  readonly changed: readonly string[];
  readonly routes_changed: boolean;
}

/** Compares two contents of the file by the names of their upstreams. It returns no secret. */
export function fileChanges(before: UpstreamsFile | null, after: UpstreamsFile): FileChanges {
  const old = new Map(before?.upstreams.map((spec) => [spec.name, spec.digest]));
  const names = after.upstreams.map(({ name }) => name);
  return {
    added: names.filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !names.includes(name)),
    changed: after.upstreams
      .filter(({ name, digest }) => old.has(name) && old.get(name) !== digest)
      .map(({ name }) => name),
    routes_changed: JSON.stringify(before?.routes ?? []) !== JSON.stringify(after.routes),
  };
}
