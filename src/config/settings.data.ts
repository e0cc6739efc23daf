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

export interface Setting<T> {
  readonly env: string;
  readonly kind: SettingKind<T>;
  readonly byDefault: T;
  readonly inProduction?: T;
  readonly inCurrent?: T;
  /** The gateway does not start in production without it. */
  readonly mandatory?: true;
  /** Error messages never show the value. */
  readonly secret?: true;
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

/** To add a setting, add an entry here and run `npm run docs:settings` and `npm run docs:deploy`. */
export const SETTINGS = {
  host: setting(
    'HOST',
    text(/^[0-9A-Za-z.:_-]+$/, 'a host name or an IP address'),
    '127.0.0.1',
    'Address that the gateway listens on.',
  ),
  port: setting(
    'PORT',
    integer(0, 65535),
    8080,
    'Port that the gateway listens on. With `0` the gateway picks a free port and prints it.',
  ),
  metricsHost: setting(
    'GW_METRICS_HOST',
    text(/^[0-9A-Za-z.:_-]+$/, 'a host name or an IP address'),
    '127.0.0.1',
    'Address of the metrics listener.',
  ),
  metricsPort: setting(
    'GW_METRICS_PORT',
    optional(integer(0, 65535)),
    null,
    'Port of the metrics listener, which serves `/metrics` to Prometheus. With `0` the gateway picks a free port and prints it. If unset, the gateway serves no metrics.',
  ),
  environment: setting(
    'NODE_ENV',
    oneOf('development', 'production', 'test'),
    'development',
    'With `production` the gateway requires the settings that are marked as required, and adds the `X-GW-Worker` response header. Otherwise it generates missing secrets, and starts an embedded database and the sandbox provider if their settings are missing.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    optional(postgresUrl()),
    null,
    'URL of a PostgreSQL 15 or newer database, directly or through a pooler in session mode. If unset, the gateway starts an embedded PostgreSQL in `GW_DATA_DIR`.',
    { secret: true, mandatory: true },
  ),
  migrate: setting(
    'GW_MIGRATE',
    onOff(),
    true,
    'With `on` the gateway runs pending migrations at startup. With `off` you run them yourself or in a separate job.',
  ),
  dataDir: setting(
    'GW_DATA_DIR',
    path(),
    '.data',
    'Folder for the embedded database and for generated development secrets.',
  ),
  databasePool: setting(
    'GW_DATABASE_POOL',
    integer(1, 1000),
    10,
    'Maximum size of the general connection pool. Admin API reads leave four of its connections to the rest of the gateway. Each process also holds one connection for admission and one for change notifications.',
  ),
  adminKeys: setting(
    'GW_ADMIN_KEY',
    rotatingSecret(
      /^admin_gw_[0-9A-Za-z_-]{23,500}$/,
      '`admin_gw_` followed by at least 23 letters, digits, `_` or `-`',
    ),
    [],
    'Admin API key. Outside production the gateway generates it if it is unset.',
    { secret: true, mandatory: true },
  ),
  secretKeys: setting(
    'GW_SECRET_KEY',
    rotatingSecret(/^[0-9A-Za-z+/]{43}=$/, '32 bytes in base64'),
    [],
    'Key that encrypts webhook secrets and signs CSRF tokens. Outside production the gateway generates it if it is unset.',
    { secret: true, mandatory: true },
  ),
  ownerEmail: setting(
    'GW_OWNER_EMAIL',
    text(/^[^\s@]{1,64}@[^\s@]{1,189}$/, 'an email address'),
    '',
    'Email of the first dashboard owner. The gateway creates this owner if the database has no operators. Outside production the default is `owner@localhost`.',
  ),
  ownerPassword: setting(
    'GW_OWNER_PASSWORD',
    text(/^[^\p{Cc}]{12,200}$/u, '12 to 200 characters without control characters'),
    '',
    'Password of the first dashboard owner. Outside production the gateway generates it if it is unset.',
    { secret: true },
  ),
  upstreamBaseUrl: setting(
    'GW_UPSTREAM_BASE_URL',
    optional(httpUrl()),
    null,
    'Base URL of the provider, including `/v1`. If unset, the gateway starts the sandbox provider.',
    { mandatory: true },
  ),
  upstreamApiKey: setting(
    'GW_UPSTREAM_API_KEY',
    optional(text(/^[\x21-\x7e]+$/, 'printable ASCII characters without spaces')),
    null,
    'Credential of the provider account. The gateway sends it as `Authorization: Bearer`, and to the messages endpoint also as `x-api-key`.',
    { secret: true },
  ),
  upstreamMessagesBaseUrl: setting(
    'GW_UPSTREAM_MESSAGES_BASE_URL',
    optional(httpUrl()),
    null,
    'Base URL of the messages endpoint, including `/v1`, if it differs from `GW_UPSTREAM_BASE_URL`. With `GW_PROFILE=specification` it must serve the models that `GW_UPSTREAM_BASE_URL` lists, under the same IDs. With `GW_PROFILE=current` the model catalog also contains the models that this endpoint lists.',
  ),
  upstreamMessagesApiKey: setting(
    'GW_UPSTREAM_MESSAGES_API_KEY',
    optional(text(/^[\x21-\x7e]+$/, 'printable ASCII characters without spaces')),
    null,
    'Credential for the messages endpoint, sent as `x-api-key` only. If unset, the gateway sends `GW_UPSTREAM_API_KEY` there.',
    { secret: true },
  ),
  upstreamConnectTimeoutMs: setting(
    'GW_UPSTREAM_CONNECT_TIMEOUT_MS',
    integer(1, HOUR_MS),
    10_000,
    'Timeout for connecting to the upstream. It also limits the wait for a free connection.',
  ),
  upstreamHeadTimeoutMs: setting(
    'GW_UPSTREAM_HEAD_TIMEOUT_MS',
    integer(1, 24 * HOUR_MS),
    600_000,
    'Timeout for the response headers of the upstream. For a file upload it starts at the end of the upload.',
  ),
  upstreamIdleTimeoutMs: setting(
    'GW_UPSTREAM_IDLE_TIMEOUT_MS',
    integer(1, 24 * HOUR_MS),
    300_000,
    'Longest pause between two chunks of an upstream response. It also limits how long the upstream can stop reading a file upload.',
  ),
  upstreamConnections: setting(
    'GW_UPSTREAM_CONNECTIONS',
    integer(1, 100_000),
    4096,
    'Maximum number of connections to each upstream server. A stream occupies one connection until it ends.',
  ),
  keepaliveTimeoutMs: setting(
    'GW_KEEPALIVE_TIMEOUT_MS',
    integer(1, 24 * HOUR_MS),
    75_000,
    'How long an idle client connection stays open. Set it higher than the idle timeout of the load balancer.',
  ),
  headTimeoutMs: setting(
    'GW_HEAD_TIMEOUT_MS',
    integer(1, HOUR_MS),
    30_000,
    'Time that a client has to send its request headers. A slower client gets 408.',
  ),
  bodyIdleTimeoutMs: setting(
    'GW_BODY_IDLE_TIMEOUT_MS',
    integer(1, HOUR_MS),
    60_000,
    'Longest pause between two chunks of a request body. A slower client gets 408.',
  ),
  bodyMemoryBytes: setting(
    'GW_BODY_MEMORY_BYTES',
    integer(4 * 26 * 1_048_576, 1e12),
    536_870_912,
    'Memory for request bodies. Parsed bodies have a second budget of the same size. One API key can use a quarter of each budget, so the minimum is four times the largest body.',
  ),
  fileMaxBytes: setting(
    'GW_FILE_MAX_BYTES',
    integer(1, 1e12),
    10_485_760,
    'Maximum size of a file upload, for example to `POST /v1/files`. The gateway streams uploads and does not hold them in memory.',
  ),
  catalogTtlSeconds: setting(
    'GW_CATALOG_TTL_SECONDS',
    integer(1, 86_400),
    300,
    'How often the gateway refreshes the model catalog from the upstream.',
  ),
  modelRegistryPath: setting(
    'GW_MODEL_REGISTRY',
    optional(path()),
    null,
    'JSON file whose entries extend and override the built-in model registry.',
  ),
  probeCron: setting(
    'GW_PROBE_CRON',
    optional(cron()),
    null,
    'Schedule (UTC) on which the gateway probes every model in the catalog with one small request. The provider bills these requests. If unset, scheduled probes are off.',
  ),
  dailyCron: setting('GW_DAILY_CRON', cron(), '0 3 * * *', 'Schedule (UTC) of the daily job.'),
  webhookAllowPrivate: setting(
    'GW_WEBHOOK_ALLOW_PRIVATE',
    trueOrFalse(),
    false,
    'With `true`, webhooks can be sent to private addresses.',
  ),
  logSampleRate: setting(
    'GW_LOG_SAMPLE_RATE',
    share(),
    0.01,
    'Share of `/v1` requests that are kept for request logs and statistics.',
  ),
  accessLogRate: setting(
    'GW_ACCESS_LOG_RATE',
    share(),
    1,
    'Share of requests that are written to the access log. Requests with a 5xx status are always logged.',
  ),
  workers: setting(
    'GW_WORKERS',
    processes(),
    1,
    'Number of processes that serve requests on the port. `auto` starts one per core. Limits on connections, memory and the database pool apply to each process.',
  ),
  instanceMonthlyCap: setting(
    'GW_INSTANCE_MONTHLY_CAP',
    integer(1, 1e12),
    9_500_000,
    'Maximum number of requests that one instance admits per UTC month. Further requests get 503. The workers of an instance share this limit evenly, and a restart resets it.',
  ),
  shutdownGraceSeconds: setting(
    'GW_SHUTDOWN_GRACE_SECONDS',
    integer(0, 86_400),
    10,
    'How long running requests and streams can continue after the drain delay.',
    { inProduction: 600 },
  ),
  drainDelaySeconds: setting(
    'GW_DRAIN_DELAY_SECONDS',
    integer(0, 3600),
    0,
    'After a stop signal the readiness probe fails immediately. The gateway still accepts requests for this time.',
    { inProduction: 5 },
  ),
  dbOutage: setting(
    'GW_DB_OUTAGE',
    oneOf('serve-known', 'closed'),
    'serve-known',
    'Behavior while the database is unavailable. With `serve-known` each process serves the API keys in its cache and enforces their limits from the last known counts. With `closed` all requests with an API key get 503.',
  ),
  quotaDurability: setting(
    'GW_QUOTA_DURABILITY',
    oneOf('relaxed', 'strict'),
    'relaxed',
    'With `strict` each admission waits for the disk. With `relaxed` the latest counts can be lost if the database server and the gateway crash together.',
  ),
  profile: setting(
    'GW_PROFILE',
    oneOf('specification', 'current'),
    'specification',
    "`specification` follows the gateway's specification exactly. `current` follows the current APIs of OpenAI and Anthropic. It changes the defaults of `GW_VALIDATION`, `GW_RESPONSES_TOOLS`, `GW_UPSTREAM_ERRORS` and `GW_ROUTES`.",
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
    'Tool types that `/v1/responses` accepts: only `function`, or `any` type.',
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
    "Routes under `/v1`. `specified` serves the routes of the gateway's specification. `all` serves every inference route of OpenAI and Anthropic.",
    { inCurrent: 'all' },
  ),
  unbilledRoutes: setting(
    'GW_UNBILLED_ROUTES',
    optional(namesOutOf('batches', 'fine_tuning')),
    null,
    'Routes to enable although the gateway does not meter their tokens: `batches`, `fine_tuning`, or both. Requires `GW_ROUTES=all`.',
  ),
  trustProxy: setting(
    'GW_TRUST_PROXY',
    trustedProxies(),
    false,
    'Proxies whose `X-Forwarded-*` headers the gateway trusts.',
  ),
  version: setting(
    'GW_VERSION',
    text(/^[\x21-\x7e]{1,100}$/, 'up to 100 printable ASCII characters without spaces'),
    '',
    'Version in `X-GW-Worker` and in the `/health` response. The default is the package version.',
  ),
  docs: setting('GW_DOCS', onOff(), true, 'Serves Swagger UI at `/docs`.'),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    optional(httpUrl()),
    null,
    'Base URL of a collector that accepts OTLP over HTTP. The gateway sends traces to its `/v1/traces`. If unset, tracing is off.',
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
    "Sampler for traces. The `parentbased_…` samplers follow the sampled flag of the client's `traceparent` header if there is one.",
  ),
  tracesSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    share(),
    1,
    'Share of requests that the `traceidratio` samplers trace.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'Lowest severity that the gateway logs.',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
