/** The format of a request. The gateway never translates one into the other. */
export const APIS = ['openai', 'anthropic'] as const;

export type Api = (typeof APIS)[number];

/** `emulated`: by chat completions. */
export const COMPLETIONS = ['native', 'emulated'] as const;

export const CREDENTIAL_HEADERS = ['authorization', 'x-api-key', 'api-key'] as const;

export type CredentialHeader = (typeof CREDENTIAL_HEADERS)[number];

export const FROM_CATALOG = 'catalog';

/** Paths of one upstream. If all are null, it has public authorities and no client certificate. */
export interface TlsFiles {
  readonly ca: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
}

/** One account of `GW_UPSTREAMS`. Secrets are resolved. */
export interface UpstreamSpec {
  readonly name: string;
  /** Without query, fragment and credentials. */
  readonly baseUrl: URL;
  readonly apis: readonly Api[];
  /** How `/v1/completions` is served. Null if it depends on the profile, the host and the model. */
  readonly completions: (typeof COMPLETIONS)[number] | null;
  /** `header` is null if it depends on the API of the request. */
  readonly credential: { readonly value: string; readonly header: CredentialHeader | null } | null;
  /** A flat list of lower-case names and values. */
  readonly headers: readonly string[];
  /** Encoded, without `?`: `api-version=2025-04-01-preview`. Empty if nothing is added. */
  readonly query: string;
  /** `off` for a direct connection; null if the egress settings decide. */
  readonly proxy: string | null;
  readonly tls: TlsFiles;
  /** Null means the value of the general setting, as in the next three fields. */
  readonly connectMs: number | null;
  readonly headMs: number | null;
  readonly idleMs: number | null;
  readonly connections: number | null;
  readonly models: typeof FROM_CATALOG | readonly string[];
  /** Maps the name that clients send to the model that is sent to the upstream. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly region: string | null;
  readonly tags: readonly string[];
  /** Whether a request that the provider might have processed can be sent to another upstream. */
  readonly repeatSent: boolean;
  /** The statuses that move a request to another upstream. Some of them do so only if they are about the account or the model. */
  readonly failoverStatuses: readonly number[];
  /** SHA-256 of the entry, its secrets, and the contents of its TLS files. Equal digests mean that nothing has changed. */
  readonly digest: string;
}

/** These responses prove that the provider did not process the request. */
export const FAILOVER_STATUSES: readonly number[] = [401, 402, 403, 404, 429, 503, 529];

export const FAILOVER_DEADLINE_MS = 10_000;

export const STICKY = ['none', 'key', 'conversation'] as const;

/** Errors about the content of a request, for which a route can have a fallback model. */
export const FALLBACK_REASONS = ['context_length', 'content_filter'] as const;

export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/** How a route chooses among its healthy upstreams. */
export const STRATEGIES = ['order', 'weight', 'latency', 'price'] as const;

export interface ModelRoute {
  /** A model ID, or a pattern in which `*` matches any characters. */
  readonly models: string;
  /** Ordered if the weights are null. Otherwise all weights are above 0. */
  readonly upstreams: readonly { readonly name: string; readonly weight: number | null }[];
  readonly sticky: (typeof STICKY)[number];
  readonly strategy: (typeof STRATEGIES)[number];
  /** The model that serves a request after such an error. Empty by default. */
  readonly fallbacks: Readonly<Partial<Record<FallbackReason, string>>>;
}

export interface UpstreamsFile {
  readonly upstreams: readonly UpstreamSpec[];
  readonly routes: readonly ModelRoute[];
  /** How long a request can move to further upstreams. */
  readonly failoverDeadlineMs: number;
  /** SHA-256 of the text and of all files and secrets that it names. Equal digests mean that nothing has changed. */
  readonly digest: string;
  /** Credentials, header values from `env` or `file`, and passwords of proxies. They must not reach a client or a log. */
  readonly secrets: readonly string[];
  readonly files: readonly string[];
}
