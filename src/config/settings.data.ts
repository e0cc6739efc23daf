import {
  cron,
  httpUrl,
  integer,
  namesOutOf,
  onOff,
  oneOf,
  path,
  postgresUrl,
  processes,
  rotatingSecret,
  share,
  text,
  trueOrFalse,
  trustedProxies,
} from './setting-kinds.js';
import type { SettingKind } from './setting-kinds.js';

/** One environment variable. Unset and empty mean the default. */
export interface Setting<T> {
  readonly env: string;
  readonly kind: SettingKind<T>;
  readonly byDefault: T;
  /** Where production has another default. */
  readonly inProduction?: T;
  /** The default under `GW_PROFILE=current`. */
  readonly inCurrent?: T;
  /** Production does not start without it. */
  readonly mandatory?: true;
  /** Never shown, not even when it is wrong. */
  readonly secret?: true;
  /** The table in docs/settings.md is made of these lines. */
  readonly meaning: string;
}

const setting = <T>(
  env: string,
  kind: SettingKind<T>,
  byDefault: NoInfer<T>,
  meaning: string,
  more?: Partial<Setting<NoInfer<T>>>,
) => ({ env, kind, byDefault, meaning, ...more }) as Setting<T>;
const optional = <T>(kind: SettingKind<T>): SettingKind<T | null> => kind;

const HOUR_MS = 3_600_000;

/**
 * Every setting, declared once: `config.ts` reads them, docs/settings.md is made from them.
 * To add one, add a line here and run `npm run docs:settings` and `npm run docs:deploy`.
 */
export const SETTINGS = {
  host: setting(
    'HOST',
    text(/^[0-9A-Za-z.:_-]+$/, 'a host name or an address'),
    '127.0.0.1',
    'Address of the public listener.',
  ),
  port: setting('PORT', integer(0, 65535), 8080, 'Port of the public listener; 0 takes a free one and prints it.'),
  metricsHost: setting(
    'GW_METRICS_HOST',
    text(/^[0-9A-Za-z.:_-]+$/, 'a host name or an address'),
    '127.0.0.1',
    'Address of the listener for metrics.',
  ),
  metricsPort: setting(
    'GW_METRICS_PORT',
    optional(integer(0, 65535)),
    null,
    'Port of the listener for Prometheus, `/metrics`; 0 takes a free one and prints it. Unset: no metrics.',
  ),
  environment: setting(
    'NODE_ENV',
    oneOf('development', 'production', 'test'),
    'development',
    '`production` demands every secret and address from the environment and turns `X-GW-Worker` on.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    optional(postgresUrl()),
    null,
    'PostgreSQL 15 or newer, directly or through a pooler in session mode. Unset: an embedded PostgreSQL under `GW_DATA_DIR`.',
    { secret: true, mandatory: true },
  ),
  migrate: setting('GW_MIGRATE', onOff(), true, '`off`: migrations are run by hand or by a job, not at the start.'),
  dataDir: setting(
    'GW_DATA_DIR',
    path(),
    '.data',
    'Folder of the embedded database and of generated development secrets.',
  ),
  databasePool: setting(
    'GW_DATABASE_POOL',
    integer(1, 1000),
    10,
    'Connections of the general pool at most, of which reads of the Admin API leave four to everything else; admission and notices hold one each beside it.',
  ),
  adminKeys: setting(
    'GW_ADMIN_KEY',
    rotatingSecret(/^admin_gw_[0-9A-Za-z_-]{23,500}$/, '`admin_gw_` and at least 23 letters, digits, `_` or `-`'),
    [],
    'Key of the Admin API. Generated in a development start.',
    { secret: true, mandatory: true },
  ),
  secretKeys: setting(
    'GW_SECRET_KEY',
    rotatingSecret(/^[0-9A-Za-z+/]{43}=$/, '32 bytes in base64'),
    [],
    'Encrypts what must be read back and signs tokens. Generated in a development start.',
    { secret: true, mandatory: true },
  ),
  ownerEmail: setting(
    'GW_OWNER_EMAIL',
    text(/^[^\s@]{1,64}@[^\s@]{1,189}$/, 'an e-mail address'),
    '',
    'E-mail of the first dashboard owner, made where there is no operator yet. Generated in a development start.',
  ),
  ownerPassword: setting(
    'GW_OWNER_PASSWORD',
    text(/^[^\p{Cc}]{12,200}$/u, '12 to 200 characters'),
    '',
    'Password of the first dashboard owner. Generated in a development start.',
    { secret: true },
  ),
  upstreamBaseUrl: setting(
    'GW_UPSTREAM_BASE_URL',
    optional(httpUrl()),
    null,
    'The provider, with `/v1` at its end. Unset: the sandbox provider.',
    { mandatory: true },
  ),
  upstreamApiKey: setting(
    'GW_UPSTREAM_API_KEY',
    optional(text(/^[\x21-\x7e]+$/)),
    null,
    'Sent upstream as `Authorization: Bearer`, and with messages as `x-api-key` too.',
    { secret: true },
  ),
  upstreamMessagesBaseUrl: setting(
    'GW_UPSTREAM_MESSAGES_BASE_URL',
    optional(httpUrl()),
    null,
    'Where the account keeps its messages endpoint elsewhere, with `/v1` at its end. It serves the models that `GW_UPSTREAM_BASE_URL` lists, under the same ids. Unset: `GW_UPSTREAM_BASE_URL`.',
  ),
  upstreamMessagesApiKey: setting(
    'GW_UPSTREAM_MESSAGES_API_KEY',
    optional(text(/^[\x21-\x7e]+$/)),
    null,
    'Sent with messages as `x-api-key` only. Unset: `GW_UPSTREAM_API_KEY`, sent there as Bearer and as `x-api-key`.',
    { secret: true },
  ),
  upstreamConnectTimeoutMs: setting(
    'GW_UPSTREAM_CONNECT_TIMEOUT_MS',
    integer(1, HOUR_MS),
    10_000,
    'Time to connect to the upstream, and to wait for a free connection.',
  ),
  upstreamHeadTimeoutMs: setting(
    'GW_UPSTREAM_HEAD_TIMEOUT_MS',
    integer(1, 24 * HOUR_MS),
    600_000,
    "Time to the upstream's response head.",
  ),
  upstreamIdleTimeoutMs: setting(
    'GW_UPSTREAM_IDLE_TIMEOUT_MS',
    integer(1, 24 * HOUR_MS),
    300_000,
    "Time between two chunks of the upstream's answer, and of an upload to it.",
  ),
  upstreamConnections: setting(
    'GW_UPSTREAM_CONNECTIONS',
    integer(1, 100_000),
    4096,
    'Sockets to the upstream at most; a stream holds one.',
  ),
  keepaliveTimeoutMs: setting(
    'GW_KEEPALIVE_TIMEOUT_MS',
    integer(1, 24 * HOUR_MS),
    75_000,
    "How long a client's idle connection is kept: longer than a load balancer keeps its own.",
  ),
  headTimeoutMs: setting(
    'GW_HEAD_TIMEOUT_MS',
    integer(1, HOUR_MS),
    30_000,
    "Time for a client to send a request's head (408).",
  ),
  bodyIdleTimeoutMs: setting(
    'GW_BODY_IDLE_TIMEOUT_MS',
    integer(1, HOUR_MS),
    60_000,
    "Time between two pieces of a client's body (408).",
  ),
  bodyMemoryBytes: setting(
    'GW_BODY_MEMORY_BYTES',
    integer(4 * 26 * 1_048_576, 1e12),
    536_870_912,
    'Request bodies held in memory at once, and as much again for what they become when parsed; a quarter of it for each key, which is why it is no less than four of the longest.',
  ),
  fileMaxBytes: setting(
    'GW_FILE_MAX_BYTES',
    integer(1, 1e12),
    10_485_760,
    'The whole body of a file upload (`POST /v1/files`), which is streamed and never held.',
  ),
  catalogTtlSeconds: setting(
    'GW_CATALOG_TTL_SECONDS',
    integer(1, 86_400),
    300,
    "How often the upstream's list of models is read.",
  ),
  modelRegistryPath: setting(
    'GW_MODEL_REGISTRY',
    optional(path()),
    null,
    'Path of a JSON file whose entries extend and override the built-in model registry.',
  ),
  probeCron: setting(
    'GW_PROBE_CRON',
    optional(cron()),
    null,
    'When every listed model is probed by one small request, in UTC. It costs what these requests cost. Unset: never.',
  ),
  dailyCron: setting('GW_DAILY_CRON', cron(), '0 3 * * *', 'When the daily job runs, UTC.'),
  webhookAllowPrivate: setting(
    'GW_WEBHOOK_ALLOW_PRIVATE',
    trueOrFalse(),
    false,
    '`true`: webhooks may go to private addresses.',
  ),
  logSampleRate: setting(
    'GW_LOG_SAMPLE_RATE',
    share(),
    0.01,
    'Share of requests kept for request logs and statistics.',
  ),
  accessLogRate: setting('GW_ACCESS_LOG_RATE', share(), 1, 'Share of requests that get a log line; 5xx always do.'),
  workers: setting(
    'GW_WORKERS',
    processes(),
    1,
    'Processes that share the port; `auto` is one a core. Limits that this table gives a process hold for each of them.',
  ),
  instanceMonthlyCap: setting(
    'GW_INSTANCE_MONTHLY_CAP',
    integer(1, 1e12),
    9_500_000,
    'Requests that one instance serves in a month at most (503); its workers share it out evenly.',
  ),
  shutdownGraceSeconds: setting(
    'GW_SHUTDOWN_GRACE_SECONDS',
    integer(0, 86_400),
    10,
    'How long running requests and streams may take to end after a stop signal.',
    { inProduction: 600 },
  ),
  drainDelaySeconds: setting(
    'GW_DRAIN_DELAY_SECONDS',
    integer(0, 3600),
    0,
    "Between 'not ready' and 'no new connections'.",
    { inProduction: 5 },
  ),
  dbOutage: setting(
    'GW_DB_OUTAGE',
    oneOf('serve-known', 'closed'),
    'serve-known',
    'While the database is away: `serve-known` serves the keys that a process knows, by the counts that it last saw; `closed` refuses all (503).',
  ),
  quotaDurability: setting(
    'GW_QUOTA_DURABILITY',
    oneOf('relaxed', 'strict'),
    'relaxed',
    '`strict` waits for the disk at each admission; `relaxed` can forget the last moments if database server and gateway crash together.',
  ),
  profile: setting(
    'GW_PROFILE',
    oneOf('specification', 'current'),
    'specification',
    "`specification` follows the gateway's specification exactly. `current` follows the vendors' current APIs and changes the defaults of the four settings below.",
  ),
  validation: setting(
    'GW_VALIDATION',
    oneOf('strict', 'lenient', 'provider'),
    'strict',
    'Validation of request bodies. With `strict` the gateway enforces its field tables. With `lenient` it also accepts values that are not in a closed list. With `provider` it checks only the fields that it needs itself.',
    { inCurrent: 'provider' },
  ),
  responsesTools: setting(
    'GW_RESPONSES_TOOLS',
    oneOf('function', 'any'),
    'function',
    'Tool types that `/v1/responses` accepts: only functions, or `any` type.',
    { inCurrent: 'any' },
  ),
  upstreamErrors: setting(
    'GW_UPSTREAM_ERRORS',
    oneOf('wrap', 'relay'),
    'wrap',
    "`wrap` returns every upstream error as 502 `upstream_error`. `relay` returns the provider's 400, 404, 408, 409, 413, 422, 429 and 529 with their status and error body.",
    { inCurrent: 'relay' },
  ),
  routes: setting(
    'GW_ROUTES',
    oneOf('specified', 'all'),
    'specified',
    'Routes under `/v1`: only the specified ones, or `all` inference routes of OpenAI and Anthropic.',
    { inCurrent: 'all' },
  ),
  unbilledRoutes: setting(
    'GW_UNBILLED_ROUTES',
    optional(namesOutOf('batches', 'fine_tuning')),
    null,
    'Routes to enable although their tokens are not metered: `batches`, `fine_tuning`, or both, comma-separated. Needs `GW_ROUTES=all`.',
  ),
  trustProxy: setting(
    'GW_TRUST_PROXY',
    trustedProxies(),
    false,
    'Hops or CIDR ranges whose `X-Forwarded-For` is believed.',
  ),
  version: setting(
    'GW_VERSION',
    text(/^[\x21-\x7e]{1,100}$/),
    '',
    'What `X-GW-Worker` and `/health` say; the package version by default.',
  ),
  docs: setting('GW_DOCS', onOff(), true, 'Swagger UI at `/docs`.'),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    optional(httpUrl()),
    null,
    'Where traces go: a collector that takes OTLP over HTTP, below its `/v1/traces`. Unset: none are made.',
  ),
  tracesSampler: setting(
    'OTEL_TRACES_SAMPLER',
    oneOf(
      'parentbased_always_on',
      'parentbased_traceidratio',
      'parentbased_always_off',
      'always_on',
      'traceidratio',
      'always_off',
    ),
    'parentbased_always_on',
    "Which requests are traced; `parentbased_…`: as the caller's `traceparent` says, where there is one.",
  ),
  tracesSamplerArg: setting('OTEL_TRACES_SAMPLER_ARG', share(), 1, 'Share of requests that `traceidratio` traces.'),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'Least severity that is logged.',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
