import { SSL_MODES, SYSTEM_ROOTS } from './database-url.js';
import {
  cron,
  databaseHost,
  httpUrl,
  integer,
  namesOutOf,
  onOff,
  oneOf,
  path,
  plainText,
  postgresUrl,
  processes,
  readableFile,
  rotatingSecret,
  share,
  text,
  trueOrFalse,
  trustedProxies,
  type SettingKind,
  tokenPrices,
} from './setting-kinds.js';
import { hostList, proxyUrl, proxyUrlOrOff } from './egress-proxy.kinds.js';
import { otlpHeaders } from './otlp-headers.kinds.js';
import { certificateFile, privateKeyFile } from './tls-files.rules.js';

export interface Setting<T> {
  readonly env: string;
  /** An alternative name, which is read if `env` is not set. */
  readonly alias?: string;
  readonly kind: SettingKind<T>;
  readonly byDefault: T;
  readonly inProduction?: T;
  readonly inCurrent?: T;
  /** The gateway does not start in production without it. */
  readonly mandatory?: true;
  /** Error messages never show the value. A file can contain it (`secret-files.ts`). */
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

/** Workers start with the content that the primary process has read, so the file itself is checked elsewhere. */
const upstreamsPath = (): SettingKind<string> => ({
  ...path(),
  allowed: 'the path of a YAML or JSON file that the process can read',
});

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
    'URL of the PostgreSQL database, version 15 or newer. A connection pooler must be in session mode. Or set `PGHOST` and `PGDATABASE`. Without both, the gateway starts an embedded PostgreSQL in `GW_DATA_DIR`.',
    { secret: true, mandatory: true },
  ),
  pgHost: setting(
    'PGHOST',
    optional(databaseHost()),
    null,
    'Host of the database, or the folder of its Unix socket. Without `DATABASE_URL`, the gateway connects with the `PG…` variables if `PGHOST` and `PGDATABASE` are set. Their values are not percent-encoded.',
  ),
  pgPort: setting('PGPORT', optional(integer(1, 65_535)), null, 'Port of the database. The default is 5432.'),
  pgDatabase: setting('PGDATABASE', optional(plainText()), null, 'Name of the database.'),
  pgUser: setting('PGUSER', optional(plainText()), null, 'User of the database.'),
  pgPassword: setting('PGPASSWORD', optional(plainText()), null, 'Password of the database user.', { secret: true }),
  pgPassFile: setting(
    'PGPASSFILE',
    optional(readableFile()),
    null,
    'File with lines `host:port:database:user:password`, used without `PGPASSWORD`.',
  ),
  pgSslMode: setting(
    'PGSSLMODE',
    optional(oneOf(...SSL_MODES)),
    null,
    "Encryption of the database connection, with libpq's meanings. Use `verify-full`. It also applies to a `DATABASE_URL` without TLS parameters. The default is `disable`, or `verify-full` if `PGSSLROOTCERT` or `PGSSLCERT` is set.",
  ),
  pgSslRootCert: setting(
    'PGSSLROOTCERT',
    optional(readableFile(SYSTEM_ROOTS)),
    null,
    'PEM file with the certificate authority of the database, or `system` for the public authorities.',
  ),
  pgSslCert: setting(
    'PGSSLCERT',
    optional(readableFile()),
    null,
    'PEM file with a client certificate for the database.',
  ),
  pgSslKey: setting('PGSSLKEY', optional(readableFile()), null, 'PEM file with the private key of `PGSSLCERT`.'),
  migrationWaitSeconds: setting(
    'GW_MIGRATION_WAIT_SECONDS',
    integer(1, 86_400),
    180,
    'How long migrations retry while other sessions hold locks on their tables, or another process migrates. A migration waits at most 200 ms for its locks. Then it is rolled back and retried.',
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
    'Maximum number of database connections in the general pool of a process. Admin API reads leave four of them to other work. Each process uses up to three more connections: for admission, for change notifications, and for the lock of a job.',
  ),
  adminKeys: setting(
    'GW_ADMIN_KEY',
    rotatingSecret(
      /^admin_gw_[0-9A-Za-z_.~+/-]{23,500}={0,2}$/,
      '`admin_gw_` followed by at least 23 letters, digits, or characters of base64',
    ),
    [],
    'Admin API key. Production rejects a key that is [easy to guess](operating.md#which-secrets-are-too-easy-to-guess). Outside production the gateway generates it if it is unset.',
    { secret: true, mandatory: true },
  ),
  secretKeys: setting(
    'GW_SECRET_KEY',
    rotatingSecret(/^[0-9A-Za-z+/]{43}=$/, '32 bytes in base64'),
    [],
    'Key that encrypts webhook secrets and signs CSRF tokens. Production rejects a key that is [easy to guess](operating.md#which-secrets-are-too-easy-to-guess). Outside production the gateway generates it if it is unset.',
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
  sessionHoursMax: setting(
    'GW_SESSION_MAX_HOURS',
    integer(1, 8760),
    720,
    'How long a dashboard session can last from sign-in, even if it is used. A session that is not used for seven days always ends.',
  ),
  upstreamBaseUrl: setting(
    'GW_UPSTREAM_BASE_URL',
    optional(httpUrl()),
    null,
    'Base URL of the provider, including `/v1`. If it and `GW_UPSTREAMS` are unset, the gateway starts the sandbox provider.',
    { mandatory: true },
  ),
  upstreamsFile: setting(
    'GW_UPSTREAMS',
    optional(upstreamsPath()),
    null,
    'YAML or JSON file that describes several provider accounts and the routes to them ([upstreams.md](upstreams.md)). It replaces `GW_UPSTREAM_BASE_URL` and the credentials. A changed file is read again.',
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
  upstreamCaFile: setting(
    'GW_UPSTREAM_CA_FILE',
    optional(certificateFile()),
    null,
    'PEM file with the certificates of the authorities that can sign the certificate of `GW_UPSTREAM_BASE_URL`. It replaces the public authorities. A changed file is read again.',
  ),
  upstreamClientCertFile: setting(
    'GW_UPSTREAM_CLIENT_CERT_FILE',
    optional(certificateFile()),
    null,
    'PEM file with the client certificate, followed by intermediate ones, that the gateway presents to `GW_UPSTREAM_BASE_URL`. A changed file is read again.',
  ),
  upstreamClientKeyFile: setting(
    'GW_UPSTREAM_CLIENT_KEY_FILE',
    optional(privateKeyFile()),
    null,
    'PEM file with the private key of `GW_UPSTREAM_CLIENT_CERT_FILE`.',
  ),
  upstreamMessagesCaFile: setting(
    'GW_UPSTREAM_MESSAGES_CA_FILE',
    optional(certificateFile()),
    null,
    'Like `GW_UPSTREAM_CA_FILE`, for `GW_UPSTREAM_MESSAGES_BASE_URL`.',
  ),
  upstreamMessagesClientCertFile: setting(
    'GW_UPSTREAM_MESSAGES_CLIENT_CERT_FILE',
    optional(certificateFile()),
    null,
    'Like `GW_UPSTREAM_CLIENT_CERT_FILE`, for `GW_UPSTREAM_MESSAGES_BASE_URL`.',
  ),
  upstreamMessagesClientKeyFile: setting(
    'GW_UPSTREAM_MESSAGES_CLIENT_KEY_FILE',
    optional(privateKeyFile()),
    null,
    'PEM file with the private key of `GW_UPSTREAM_MESSAGES_CLIENT_CERT_FILE`.',
  ),
  egressProxy: setting(
    'GW_EGRESS_PROXY',
    optional(proxyUrlOrOff()),
    null,
    'HTTP proxy for all requests that the gateway sends: to the provider, to webhooks, and to the trace collector. It replaces `HTTPS_PROXY` and `HTTP_PROXY`. `off` ignores both of them.',
    { secret: true },
  ),
  httpsProxy: setting(
    'HTTPS_PROXY',
    optional(proxyUrl()),
    null,
    'HTTP proxy for requests to `https://` URLs, unless `GW_EGRESS_PROXY` is set. The gateway also reads `https_proxy`.',
    { secret: true, alias: 'https_proxy' },
  ),
  httpProxy: setting(
    'HTTP_PROXY',
    optional(proxyUrl()),
    null,
    'HTTP proxy for requests to `http://` URLs, unless `GW_EGRESS_PROXY` is set. The gateway also reads `http_proxy`.',
    { secret: true, alias: 'http_proxy' },
  ),
  noProxy: setting(
    'NO_PROXY',
    hostList(),
    [],
    'Hosts that the gateway connects to without a proxy. `example.com` includes its subdomains. Loopback addresses never use a proxy. The gateway also reads `no_proxy`.',
    { alias: 'no_proxy' },
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
    'How long a client can take to send its request headers. A slower client gets 408.',
  ),
  bodyIdleTimeoutMs: setting(
    'GW_BODY_IDLE_TIMEOUT_MS',
    integer(1, HOUR_MS),
    60_000,
    'Longest pause between two chunks of a request body. After a longer pause, the client gets 408.',
  ),
  bodyBytesPerSecondMin: setting(
    'GW_BODY_MIN_BYTES_PER_SECOND',
    integer(0, 1e9),
    1024,
    'Minimum average rate of a request body, so that slow clients cannot occupy places under limits. A client that falls 30 s behind it gets 408. With a `GW_BODY_IDLE_TIMEOUT_MS` below 6 s, the client can fall behind by five idle timeouts, but at least by 5 s. `0` turns it off.',
  ),
  bodyMemoryBytes: setting(
    'GW_BODY_MEMORY_BYTES',
    integer(4 * 26 * 1_048_576, 1e12),
    536_870_912,
    'Memory for request bodies in each process. Parsed bodies have a second budget of the same size. One API key can use a quarter of each budget, so the minimum is four times the largest body.',
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
    'Path of a JSON file that extends and overrides the built-in model registry.',
  ),
  probeCron: setting(
    'GW_PROBE_CRON',
    optional(cron()),
    null,
    'Schedule (UTC) on which the gateway tests each model in the catalog with one small request. The provider bills these requests. If unset, scheduled probes are off.',
  ),
  dailyCron: setting(
    'GW_DAILY_CRON',
    cron(),
    '0 3 * * *',
    'Schedule (UTC) of the daily job, which creates events about keys and deletes old data.',
  ),
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
    'Share of `/v1` requests that the gateway keeps for request logs and statistics.',
  ),
  costHeader: setting(
    'GW_COST_HEADER',
    trueOrFalse(),
    false,
    'With `true`, responses that are not streamed have the header `X-GW-Cost`: what the provider charges for the request, in dollars. Responses then wait until their usage is read.',
  ),
  limitDefaultOutput: setting(
    'GW_LIMIT_DEFAULT_OUTPUT',
    integer(1, 1_000_000),
    4096,
    'Output tokens that a request reserves under limits of tokens and cost while the gateway has not seen what the key and the model produce. It also applies with `reserve: full` if neither the request nor the model has a known maximum.',
  ),
  usageRequests: setting(
    'GW_USAGE_REQUESTS',
    oneOf('limits', 'never'),
    'limits',
    'With `limits`, the gateway asks the provider for the usage of a streamed chat completion if a token or cost limit applies and the client does not ask for it. It removes the additional chunk from the stream. With `never`, such a stream counts at least the amount that it has reserved.',
  ),
  unpricedCost: setting(
    'GW_UNPRICED_COST',
    optional(tokenPrices()),
    null,
    'Price under limits of cost for models that have no price. Such requests get 403 `model_not_priced` if it is unset. The price applies to limits only: recorded costs stay unknown.',
  ),
  accessLogRate: setting(
    'GW_ACCESS_LOG_RATE',
    share(),
    1,
    'Share of requests that the gateway writes to the access log. It always logs requests with a 5xx status.',
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
    'How long the gateway still accepts requests after a stop signal. Its readiness probe fails immediately.',
    { inProduction: 5 },
  ),
  dbOutage: setting(
    'GW_DB_OUTAGE',
    oneOf('serve-known', 'closed'),
    'serve-known',
    'Behavior while the database is unavailable. With `serve-known` each process serves its known API keys, and enforces their limits using the counts that it last read. With `closed` all requests with an API key get 503.',
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
    'Validation of request bodies. With `strict` the gateway checks all fields that its specification defines. With `lenient` it also accepts names that are not on a closed list. With `provider` it checks only the fields that it reads itself.',
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
    'Routes to enable although the gateway cannot record their cost: `batches`, `fine_tuning`, or both. Requires `GW_ROUTES=all`.',
  ),
  trustProxy: setting(
    'GW_TRUST_PROXY',
    trustedProxies(),
    false,
    'Number or addresses of the proxies in front of the gateway. It trusts their `X-Forwarded-*` headers.',
  ),
  version: setting(
    'GW_VERSION',
    text(/^[\x21-\x7e]{1,100}$/, 'up to 100 printable ASCII characters without spaces'),
    '',
    'Version in `X-GW-Worker` and in the `/health` response. The default is the package version.',
  ),
  docs: setting(
    'GW_DOCS',
    onOff(),
    true,
    'With `on` the gateway serves the API description as a page (Swagger UI) at `/docs`.',
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    optional(httpUrl()),
    null,
    'Base URL of a collector that accepts OTLP. Over HTTP the gateway sends traces to its `/v1/traces` and metrics to its `/v1/metrics`; gRPC uses only host and port. If unset, the gateway exports neither.',
  ),
  otlpProtocol: setting(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    oneOf('http/json', 'http/protobuf', 'grpc'),
    'http/json',
    "Protocol of the collector. `grpc` needs the collector's gRPC port, usually 4317; the others need its HTTP port, usually 4318.",
  ),
  otlpHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    optional(otlpHeaders()),
    null,
    'Headers of all requests to the collector, for example `authorization=Bearer%20…`.',
    { secret: true },
  ),
  tracesExporter: setting(
    'OTEL_TRACES_EXPORTER',
    oneOf('otlp', 'none'),
    'otlp',
    'With `otlp` the gateway sends traces to the collector, if there is one. With `none` it creates no traces.',
  ),
  metricsExporter: setting(
    'OTEL_METRICS_EXPORTER',
    oneOf('none', 'otlp'),
    'none',
    'With `otlp` the gateway also sends its metrics to the collector. Requires `OTEL_EXPORTER_OTLP_ENDPOINT`. `GW_METRICS_PORT` is independent of it.',
  ),
  metricExportIntervalMs: setting(
    'OTEL_METRIC_EXPORT_INTERVAL',
    integer(1000, 3_600_000),
    60_000,
    'Milliseconds between two exports of metrics.',
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

type ValueOf<S> = S extends Setting<infer T> ? T : never;
export type Values = { readonly [K in SettingName]: ValueOf<(typeof SETTINGS)[K]> };
