import type { UpstreamSpec, UpstreamsFile } from './upstreams-file.js';
import type { UpstreamsState } from './upstreams-source.js';

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
