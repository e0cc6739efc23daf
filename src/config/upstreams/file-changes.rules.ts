import type { UpstreamsFile, UpstreamSpec } from './upstreams-file.js';
import type { UpstreamsState } from './upstreams-source.js';

export interface FileChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Includes upstreams with a new credential. */
  readonly changed: readonly string[];
  readonly routes_changed: boolean;
}

/** Compares two contents of the file by the names of their upstreams. It returns no secret. @param before null: nothing */
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

type SentSpec = Omit<UpstreamSpec, 'baseUrl' | 'aliases'> & {
  readonly baseUrl: string;
  readonly aliases: readonly (readonly [string, string])[];
};

/** A state as JSON, for the channel between processes, which has neither URLs nor maps. */
interface UpstreamsMessage {
  readonly upstreams: Omit<UpstreamsState, 'file' | 'loadedAt'> & {
    readonly loadedAtMs: number;
    readonly file: Omit<UpstreamsFile, 'upstreams'> & { readonly upstreams: readonly SentSpec[] };
  };
}

export const upstreamsMessage = ({ file, failed, failures, loadedAt }: UpstreamsState): UpstreamsMessage => ({
  upstreams: {
    failed,
    failures,
    loadedAtMs: loadedAt.getTime(),
    file: {
      ...file,
      upstreams: file.upstreams.map((spec) => ({ ...spec, baseUrl: spec.baseUrl.href, aliases: [...spec.aliases] })),
    },
  },
});

export const stateOfMessage = ({
  upstreams: { file, failed, failures, loadedAtMs },
}: UpstreamsMessage): UpstreamsState => ({
  failed,
  failures,
  loadedAt: new Date(loadedAtMs),
  file: {
    ...file,
    upstreams: file.upstreams.map((spec) => ({
      ...spec,
      baseUrl: new URL(spec.baseUrl),
      aliases: new Map(spec.aliases),
    })),
  },
});

export const isUpstreamsMessage = (message: unknown): message is UpstreamsMessage =>
  typeof message === 'object' && message !== null && 'upstreams' in message;
