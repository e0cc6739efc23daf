import { SSL_MODES, SYSTEM_ROOTS } from './database-url.js';
import {
  commandWords,
  cron,
  databaseHost,
  httpUrl,
  integer,
  laterFile,
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
import { COMPLETIONS } from './upstreams/upstreams-file.js';

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

const setting = <T>(stated: Setting<NoInfer<T>> & { readonly kind: SettingKind<T> }): Setting<T> => stated;
const optional = <T>(kind: SettingKind<T>): SettingKind<T | null> => kind;

/** Workers start with the content that the primary process has read, so the file itself is checked elsewhere. */
const upstreamsPath = (): SettingKind<string> => ({
  ...path(),
  allowed: 'the path of a YAML or JSON file that the process can read',
});

const HOUR_MS = 3_600_000;

/** To add a setting, add an entry here and run `npm run docs:settings` and `npm run docs:deploy`. */
export const SETTINGS = {
  host: setting({
    env: 'HOST',
    kind: text(/^[0-9A-Za-z.:_-]+$/, 'a host name or an IP address'),
    byDefault: '127.0.0.1',
    meaning: 'Address that the gateway listens on.',
  }),
  port: setting({
    env: 'PORT',
    kind: integer(0, 65535),
    byDefault: 8080,
    meaning: 'Port that the gateway listens on. With `0` the gateway picks a free port and prints it.',
  }),
  metricsHost: setting({
    env: 'GW_METRICS_HOST',
    kind: text(/^[0-9A-Za-z.:_-]+$/, 'a host name or an IP address'),
    byDefault: '127.0.0.1',
    meaning: 'Address of the metrics listener.',
  }),
  metricsPort: setting({
    env: 'GW_METRICS_PORT',
    kind: optional(integer(0, 65535)),
    byDefault: null,
    meaning:
      'Port of the metrics listener, which serves `/metrics` to Prometheus. With `0` the gateway picks a free port and prints it. If unset, the gateway serves no metrics.',
  }),
  environment: setting({
    env: 'NODE_ENV',
    kind: oneOf('development', 'production', 'test'),
    byDefault: 'development',
    meaning:
      'With `production` the gateway requires the settings that are marked as required, and adds the `X-GW-Worker` response header. Otherwise it generates missing secrets, and starts an embedded database and the sandbox provider if their settings are missing.',
  }),
  databaseUrl: setting({
    env: 'DATABASE_URL',
    kind: optional(postgresUrl()),
    byDefault: null,
    meaning:
      'URL of the PostgreSQL database, version 15 or newer. A connection pooler must be in session mode. Or set `PGHOST` and `PGDATABASE`. Without both, the gateway starts an embedded PostgreSQL in `GW_DATA_DIR`.',
    secret: true,
    mandatory: true,
  }),
  pgHost: setting({
    env: 'PGHOST',
    kind: optional(databaseHost()),
    byDefault: null,
    meaning:
      'Host of the database, or the folder of its Unix socket. Without `DATABASE_URL`, the gateway connects with the `PG…` variables if `PGHOST` and `PGDATABASE` are set. Their values are not percent-encoded.',
  }),
  pgPort: setting({
    env: 'PGPORT',
    kind: optional(integer(1, 65_535)),
    byDefault: null,
    meaning: 'Port of the database. The default is 5432.',
  }),
  pgDatabase: setting({
    env: 'PGDATABASE',
    kind: optional(plainText()),
    byDefault: null,
    meaning: 'Name of the database.',
  }),
  pgUser: setting({
    env: 'PGUSER',
    kind: optional(plainText()),
    byDefault: null,
    meaning: 'User of the database.',
  }),
  pgPassword: setting({
    env: 'PGPASSWORD',
    kind: optional(plainText()),
    byDefault: null,
    meaning: 'Password of the database user.',
    secret: true,
  }),
  pgPassFile: setting({
    env: 'PGPASSFILE',
    kind: optional(readableFile()),
    byDefault: null,
    meaning: 'File with lines `host:port:database:user:password`, used without `PGPASSWORD`.',
  }),
  pgSslMode: setting({
    env: 'PGSSLMODE',
    kind: optional(oneOf(...SSL_MODES)),
    byDefault: null,
    meaning:
      "Encryption of the database connection, with libpq's meanings. Use `verify-full`. It also applies to a `DATABASE_URL` without TLS parameters. The default is `disable`, or `verify-full` if `PGSSLROOTCERT` or `PGSSLCERT` is set.",
  }),
  pgSslRootCert: setting({
    env: 'PGSSLROOTCERT',
    kind: optional(readableFile(SYSTEM_ROOTS)),
    byDefault: null,
    meaning: 'PEM file with the certificate authority of the database, or `system` for the public authorities.',
  }),
  pgSslCert: setting({
    env: 'PGSSLCERT',
    kind: optional(readableFile()),
    byDefault: null,
    meaning: 'PEM file with a client certificate for the database.',
  }),
  pgSslKey: setting({
    env: 'PGSSLKEY',
    kind: optional(readableFile()),
    byDefault: null,
    meaning: 'PEM file with the private key of `PGSSLCERT`.',
  }),
  databasePasswordFile: setting({
    env: 'GW_DATABASE_PASSWORD_FILE',
    kind: optional(laterFile()),
    byDefault: null,
    meaning:
      'File with the password of the database user. The gateway reads it for each new connection, so the password can change at any time. Leave the password out of `DATABASE_URL`.',
  }),
  databasePasswordCommand: setting({
    env: 'GW_DATABASE_PASSWORD_COMMAND',
    kind: optional(commandWords()),
    byDefault: null,
    meaning:
      'Program that prints the password of the database user, as a JSON array with its arguments. It runs without a shell for new connections, at most every 5 s. It must end within 10 s. The arguments can contain `{host}`, `{port}`, `{user}` and `{database}` of the connection.',
  }),
  migrationWaitSeconds: setting({
    env: 'GW_MIGRATION_WAIT_SECONDS',
    kind: integer(1, 86_400),
    byDefault: 180,
    meaning:
      'How long migrations retry while other sessions hold locks on their tables, or another process migrates. A migration waits at most 200 ms for its locks. Then it is rolled back and retried.',
  }),
  migrate: setting({
    env: 'GW_MIGRATE',
    kind: onOff(),
    byDefault: true,
    meaning:
      'With `on` the gateway runs pending migrations at startup. With `off` you run them yourself or in a separate job.',
  }),
  dataDir: setting({
    env: 'GW_DATA_DIR',
    kind: path(),
    byDefault: '.data',
    meaning: 'Folder for the embedded database and for generated development secrets.',
  }),
  databasePool: setting({
    env: 'GW_DATABASE_POOL',
    kind: integer(1, 1000),
    byDefault: 10,
    meaning:
      'Maximum number of database connections in the general pool of a process. Admin API reads leave four of them to other work. Each process uses up to three more connections: for admission, for change notifications, and for the lock of a job.',
  }),
  statisticsDatabaseUrl: setting({
    env: 'GW_STATISTICS_DATABASE_URL',
    kind: optional(postgresUrl()),
    byDefault: null,
    meaning:
      'URL of a replica from which statistics, usage, costs, request lists and exports are read. Each process opens up to `GW_DATABASE_POOL` connections to it. While it is unavailable, the primary serves these reads.',
    secret: true,
  }),
  statisticsLagMaxSeconds: setting({
    env: 'GW_STATISTICS_LAG_MAX_SECONDS',
    kind: integer(1, 3600),
    byDefault: 60,
    meaning:
      'How far the replica of `GW_STATISTICS_DATABASE_URL` can lag behind. Beyond that, the primary serves its reads.',
  }),
  adminKeys: setting({
    env: 'GW_ADMIN_KEY',
    kind: rotatingSecret(
      /^admin_gw_[0-9A-Za-z_.~+/-]{23,500}={0,2}$/,
      '`admin_gw_` followed by at least 23 letters, digits, or characters of base64',
    ),
    byDefault: [],
    meaning:
      'Admin API key. Production rejects a key that is [easy to guess](operating/secrets.md#which-secrets-are-too-easy-to-guess). Outside production the gateway generates it if it is unset.',
    secret: true,
    mandatory: true,
  }),
  secretKeys: setting({
    env: 'GW_SECRET_KEY',
    kind: rotatingSecret(/^[0-9A-Za-z+/]{43}=$/, '32 bytes in base64'),
    byDefault: [],
    meaning:
      'Key that encrypts webhook secrets and signs CSRF tokens. Production rejects a key that is [easy to guess](operating/secrets.md#which-secrets-are-too-easy-to-guess). Outside production the gateway generates it if it is unset.',
    secret: true,
    mandatory: true,
  }),
  ownerEmail: setting({
    env: 'GW_OWNER_EMAIL',
    kind: text(/^[^\s@]{1,64}@[^\s@]{1,189}$/, 'an email address'),
    byDefault: '',
    meaning:
      'Email of the first dashboard owner. The gateway creates this owner if the database has no operators. Outside production the default is `owner@localhost`.',
  }),
  ownerPassword: setting({
    env: 'GW_OWNER_PASSWORD',
    kind: text(/^[^\p{Cc}]{12,200}$/u, '12 to 200 characters without control characters'),
    byDefault: '',
    meaning: 'Password of the first dashboard owner. Outside production the gateway generates it if it is unset.',
    secret: true,
  }),
  sessionHoursMax: setting({
    env: 'GW_SESSION_MAX_HOURS',
    kind: integer(1, 8760),
    byDefault: 720,
    meaning:
      'How long a dashboard session can last from sign-in, even if it is used. A session that is not used for seven days always ends.',
  }),
  upstreamBaseUrl: setting({
    env: 'GW_UPSTREAM_BASE_URL',
    kind: optional(httpUrl()),
    byDefault: null,
    meaning:
      'Base URL of the provider, including `/v1`. If it and `GW_UPSTREAMS` are unset, the gateway starts the sandbox provider.',
    mandatory: true,
  }),
  upstreamsFile: setting({
    env: 'GW_UPSTREAMS',
    kind: optional(upstreamsPath()),
    byDefault: null,
    meaning:
      'YAML or JSON file that describes several provider accounts and the routes to them ([upstreams.md](upstreams.md)). It replaces `GW_UPSTREAM_BASE_URL` and the credentials. A changed file is read again.',
  }),
  upstreamApiKey: setting({
    env: 'GW_UPSTREAM_API_KEY',
    kind: optional(text(/^[\x21-\x7e]+$/, 'printable ASCII characters without spaces')),
    byDefault: null,
    meaning:
      'Credential of the provider account. The gateway sends it as `Authorization: Bearer`, and to the messages endpoint also as `x-api-key`.',
    secret: true,
  }),
  upstreamMessagesBaseUrl: setting({
    env: 'GW_UPSTREAM_MESSAGES_BASE_URL',
    kind: optional(httpUrl()),
    byDefault: null,
    meaning:
      'Base URL of the messages endpoint, including `/v1`, if it differs from `GW_UPSTREAM_BASE_URL`. With `GW_PROFILE=specification` it must serve the models that `GW_UPSTREAM_BASE_URL` lists, under the same IDs. With `GW_PROFILE=current` the model catalog also contains the models that this endpoint lists.',
  }),
  upstreamMessagesApiKey: setting({
    env: 'GW_UPSTREAM_MESSAGES_API_KEY',
    kind: optional(text(/^[\x21-\x7e]+$/, 'printable ASCII characters without spaces')),
    byDefault: null,
    meaning:
      'Credential for the messages endpoint, sent as `x-api-key` only. If unset, the gateway sends `GW_UPSTREAM_API_KEY` there.',
    secret: true,
  }),
  upstreamCompletions: setting({
    env: 'GW_UPSTREAM_COMPLETIONS',
    kind: optional(oneOf(...COMPLETIONS)),
    byDefault: null,
    meaning:
      'How `/v1/completions` is served. With `native` the gateway forwards requests unchanged to the route of `GW_UPSTREAM_BASE_URL`. With `emulated` it uses chat completions, except for legacy base models. The default is `emulated` with `GW_PROFILE=specification`. With `GW_PROFILE=current` it [depends on the provider](profiles.md#completions).',
  }),
  upstreamCaFile: setting({
    env: 'GW_UPSTREAM_CA_FILE',
    kind: optional(certificateFile()),
    byDefault: null,
    meaning:
      'PEM file with the certificates of the authorities that can sign the certificate of `GW_UPSTREAM_BASE_URL`. It replaces the public authorities. A changed file is read again.',
  }),
  upstreamClientCertFile: setting({
    env: 'GW_UPSTREAM_CLIENT_CERT_FILE',
    kind: optional(certificateFile()),
    byDefault: null,
    meaning:
      'PEM file with the client certificate, followed by intermediate ones, that the gateway presents to `GW_UPSTREAM_BASE_URL`. A changed file is read again.',
  }),
  upstreamClientKeyFile: setting({
    env: 'GW_UPSTREAM_CLIENT_KEY_FILE',
    kind: optional(privateKeyFile()),
    byDefault: null,
    meaning: 'PEM file with the private key of `GW_UPSTREAM_CLIENT_CERT_FILE`.',
  }),
  upstreamMessagesCaFile: setting({
    env: 'GW_UPSTREAM_MESSAGES_CA_FILE',
    kind: optional(certificateFile()),
    byDefault: null,
    meaning: 'Like `GW_UPSTREAM_CA_FILE`, for `GW_UPSTREAM_MESSAGES_BASE_URL`.',
  }),
  upstreamMessagesClientCertFile: setting({
    env: 'GW_UPSTREAM_MESSAGES_CLIENT_CERT_FILE',
    kind: optional(certificateFile()),
    byDefault: null,
    meaning: 'Like `GW_UPSTREAM_CLIENT_CERT_FILE`, for `GW_UPSTREAM_MESSAGES_BASE_URL`.',
  }),
  upstreamMessagesClientKeyFile: setting({
    env: 'GW_UPSTREAM_MESSAGES_CLIENT_KEY_FILE',
    kind: optional(privateKeyFile()),
    byDefault: null,
    meaning: 'PEM file with the private key of `GW_UPSTREAM_MESSAGES_CLIENT_CERT_FILE`.',
  }),
  egressProxy: setting({
    env: 'GW_EGRESS_PROXY',
    kind: optional(proxyUrlOrOff()),
    byDefault: null,
    meaning:
      'HTTP proxy for all requests that the gateway sends: to the provider, to webhooks, and to the trace collector. It replaces `HTTPS_PROXY` and `HTTP_PROXY`. `off` ignores both of them.',
    secret: true,
  }),
  httpsProxy: setting({
    env: 'HTTPS_PROXY',
    kind: optional(proxyUrl()),
    byDefault: null,
    meaning:
      'HTTP proxy for requests to `https://` URLs, unless `GW_EGRESS_PROXY` is set. The gateway also reads `https_proxy`.',
    secret: true,
    alias: 'https_proxy',
  }),
  httpProxy: setting({
    env: 'HTTP_PROXY',
    kind: optional(proxyUrl()),
    byDefault: null,
    meaning:
      'HTTP proxy for requests to `http://` URLs, unless `GW_EGRESS_PROXY` is set. The gateway also reads `http_proxy`.',
    secret: true,
    alias: 'http_proxy',
  }),
  noProxy: setting({
    env: 'NO_PROXY',
    kind: hostList(),
    byDefault: [],
    meaning:
      'Hosts that the gateway connects to without a proxy. `example.com` includes its subdomains. Loopback addresses never use a proxy. The gateway also reads `no_proxy`.',
    alias: 'no_proxy',
  }),
  upstreamConnectTimeoutMs: setting({
    env: 'GW_UPSTREAM_CONNECT_TIMEOUT_MS',
    kind: integer(1, HOUR_MS),
    byDefault: 10_000,
    meaning: 'Timeout for connecting to the upstream. It also limits the wait for a free connection.',
  }),
  upstreamHeadTimeoutMs: setting({
    env: 'GW_UPSTREAM_HEAD_TIMEOUT_MS',
    kind: integer(1, 24 * HOUR_MS),
    byDefault: 600_000,
    meaning: 'Timeout for the response headers of the upstream. For a file upload it starts at the end of the upload.',
  }),
  upstreamIdleTimeoutMs: setting({
    env: 'GW_UPSTREAM_IDLE_TIMEOUT_MS',
    kind: integer(1, 24 * HOUR_MS),
    byDefault: 300_000,
    meaning:
      'Longest pause between two chunks of an upstream response. It also limits how long the upstream can stop reading a file upload.',
  }),
  upstreamConnections: setting({
    env: 'GW_UPSTREAM_CONNECTIONS',
    kind: integer(1, 100_000),
    byDefault: 4096,
    meaning: 'Maximum number of connections to each upstream server. A stream occupies one connection until it ends.',
  }),
  keepaliveTimeoutMs: setting({
    env: 'GW_KEEPALIVE_TIMEOUT_MS',
    kind: integer(1, 24 * HOUR_MS),
    byDefault: 75_000,
    meaning: 'How long an idle client connection stays open. Set it higher than the idle timeout of the load balancer.',
  }),
  headTimeoutMs: setting({
    env: 'GW_HEAD_TIMEOUT_MS',
    kind: integer(1, HOUR_MS),
    byDefault: 30_000,
    meaning: 'How long a client can take to send its request headers. A slower client receives 408.',
  }),
  bodyIdleTimeoutMs: setting({
    env: 'GW_BODY_IDLE_TIMEOUT_MS',
    kind: integer(1, HOUR_MS),
    byDefault: 60_000,
    meaning: 'Longest pause between two chunks of a request body. After a longer pause, the client receives 408.',
  }),
  bodyBytesPerSecondMin: setting({
    env: 'GW_BODY_MIN_BYTES_PER_SECOND',
    kind: integer(0, 1e9),
    byDefault: 1024,
    meaning:
      'Minimum average rate of a request body, so that slow clients cannot occupy slots of limits. A client that falls 30 s behind it receives 408. With a `GW_BODY_IDLE_TIMEOUT_MS` below 6 s, the client can fall behind by five idle timeouts, but at least by 5 s. `0` turns it off.',
  }),
  bodyMemoryBytes: setting({
    env: 'GW_BODY_MEMORY_BYTES',
    kind: integer(4 * 26 * 1_048_576, 1e12),
    byDefault: 536_870_912,
    meaning:
      'Memory for request bodies in each process. Parsed bodies have a second budget of the same size. One API key can use a quarter of each budget, so the minimum is four times the largest body.',
  }),
  fileMaxBytes: setting({
    env: 'GW_FILE_MAX_BYTES',
    kind: integer(1, 1e12),
    byDefault: 10_485_760,
    meaning:
      'Maximum size of a file upload, for example to `POST /v1/files`. The gateway streams uploads and does not hold them in memory.',
  }),
  catalogTtlSeconds: setting({
    env: 'GW_CATALOG_TTL_SECONDS',
    kind: integer(1, 86_400),
    byDefault: 300,
    meaning: 'How often the gateway refreshes the model catalog from the upstream.',
  }),
  modelRegistryPath: setting({
    env: 'GW_MODEL_REGISTRY',
    kind: optional(path()),
    byDefault: null,
    meaning: 'Path of a JSON file that extends and overrides the built-in model registry.',
  }),
  probeCron: setting({
    env: 'GW_PROBE_CRON',
    kind: optional(cron()),
    byDefault: null,
    meaning:
      'Schedule (UTC) on which the gateway tests each model in the catalog with one small request. The provider bills these requests. If unset, scheduled probes are off.',
  }),
  dailyCron: setting({
    env: 'GW_DAILY_CRON',
    kind: cron(),
    byDefault: '0 3 * * *',
    meaning: 'Schedule (UTC) of the daily job, which creates events about keys and deletes old data.',
  }),
  webhookAllowPrivate: setting({
    env: 'GW_WEBHOOK_ALLOW_PRIVATE',
    kind: trueOrFalse(),
    byDefault: false,
    meaning: 'With `true`, webhooks can be sent to private addresses.',
  }),
  logSampleRate: setting({
    env: 'GW_LOG_SAMPLE_RATE',
    kind: share(),
    byDefault: 0.01,
    meaning: 'Share of `/v1` requests that the gateway keeps for request logs and statistics.',
  }),
  costHeader: setting({
    env: 'GW_COST_HEADER',
    kind: trueOrFalse(),
    byDefault: false,
    meaning:
      'With `true`, responses that are not streamed have the header `X-GW-Cost`: what the provider charges for the request, in dollars. Responses then wait until their usage is read.',
  }),
  limitDefaultOutput: setting({
    env: 'GW_LIMIT_DEFAULT_OUTPUT',
    kind: integer(1, 1_000_000),
    byDefault: 4096,
    meaning:
      'Output tokens that a request reserves under limits of tokens and cost while the gateway has not seen what the key and the model produce. It also applies with `reserve: full` if neither the request nor the model has a known maximum.',
  }),
  usageRequests: setting({
    env: 'GW_USAGE_REQUESTS',
    kind: oneOf('limits', 'never'),
    byDefault: 'limits',
    meaning:
      'With `limits`, the gateway asks the provider for the usage of a streamed chat completion if a token or cost limit applies and the client does not ask for it. It removes the additional chunk from the stream. With `never`, such a stream counts at least the amount that it has reserved.',
  }),
  unpricedCost: setting({
    env: 'GW_UNPRICED_COST',
    kind: optional(tokenPrices()),
    byDefault: null,
    meaning:
      'Price under limits of cost for models that have no price. If it is unset, such requests are rejected with 403 `model_not_priced`. The price applies to limits only: recorded costs stay unknown.',
  }),
  accessLogRate: setting({
    env: 'GW_ACCESS_LOG_RATE',
    kind: share(),
    byDefault: 1,
    meaning: 'Share of requests that the gateway writes to the access log. It always logs requests with a 5xx status.',
  }),
  workers: setting({
    env: 'GW_WORKERS',
    kind: processes(),
    byDefault: 1,
    meaning:
      'Number of processes that serve requests on the port. `auto` starts one per core. Limits on connections, memory and the database pool apply to each process.',
  }),
  instanceMonthlyCap: setting({
    env: 'GW_INSTANCE_MONTHLY_CAP',
    kind: integer(1, 1e12),
    byDefault: 9_500_000,
    meaning:
      'Maximum number of requests that one instance admits per UTC month. Further requests are rejected with 503. The workers of an instance share this limit evenly, and a restart resets it.',
  }),
  shutdownGraceSeconds: setting({
    env: 'GW_SHUTDOWN_GRACE_SECONDS',
    kind: integer(0, 86_400),
    byDefault: 10,
    meaning: 'How long running requests and streams can continue after the drain delay.',
    inProduction: 600,
  }),
  drainDelaySeconds: setting({
    env: 'GW_DRAIN_DELAY_SECONDS',
    kind: integer(0, 3600),
    byDefault: 0,
    meaning: 'How long the gateway still accepts requests after a stop signal. Its readiness probe fails immediately.',
    inProduction: 5,
  }),
  dbOutage: setting({
    env: 'GW_DB_OUTAGE',
    kind: oneOf('serve-known', 'closed'),
    byDefault: 'serve-known',
    meaning:
      'Behavior while the database is unavailable. With `serve-known` each process serves its known API keys, and enforces their limits using the counts that it last read. With `closed` all requests with an API key are rejected with 503.',
  }),
  lostChanges: setting({
    env: 'GW_LOST_CHANGES',
    kind: oneOf('enforce', 'report'),
    byDefault: 'enforce',
    meaning:
      'Behavior after the database has lost changes, for example after the failover to an asynchronous standby. With `enforce`, keys that were revoked, suspended or rotated, and models that were blocked, stay so until an operator decides. With `report`, the lost changes are only reported.',
  }),
  quotaDurability: setting({
    env: 'GW_QUOTA_DURABILITY',
    kind: oneOf('relaxed', 'strict'),
    byDefault: 'relaxed',
    meaning:
      'With `strict` each admission waits for the disk. With `relaxed` the latest counts can be lost if the database server and the gateway crash together.',
  }),
  profile: setting({
    env: 'GW_PROFILE',
    kind: oneOf('specification', 'current'),
    byDefault: 'specification',
    meaning:
      "`specification` follows the gateway's specification exactly. `current` follows the current APIs of OpenAI and Anthropic. It changes the defaults of `GW_VALIDATION`, `GW_RESPONSES_TOOLS`, `GW_UPSTREAM_ERRORS` and `GW_ROUTES`.",
  }),
  validation: setting({
    env: 'GW_VALIDATION',
    kind: oneOf('strict', 'lenient', 'provider'),
    byDefault: 'strict',
    meaning:
      'Validation of request bodies. With `strict` the gateway checks all fields that its specification defines. With `lenient` it also accepts names that are not on a closed list. With `provider` it checks only the fields that it reads itself.',
    inCurrent: 'provider',
  }),
  responsesTools: setting({
    env: 'GW_RESPONSES_TOOLS',
    kind: oneOf('function', 'any'),
    byDefault: 'function',
    meaning: 'Tool types that `/v1/responses` accepts: only `function`, or `any` type.',
    inCurrent: 'any',
  }),
  upstreamErrors: setting({
    env: 'GW_UPSTREAM_ERRORS',
    kind: oneOf('wrap', 'relay'),
    byDefault: 'wrap',
    meaning:
      "`wrap` returns every upstream error as 502 `upstream_error`. `relay` returns the provider's 400, 404, 408, 409, 413, 422, 429 and 529 with their status and error body.",
    inCurrent: 'relay',
  }),
  routes: setting({
    env: 'GW_ROUTES',
    kind: oneOf('specified', 'all'),
    byDefault: 'specified',
    meaning:
      "Routes under `/v1`. `specified` serves the routes of the gateway's specification. `all` serves every inference route of OpenAI and Anthropic.",
    inCurrent: 'all',
  }),
  unbilledRoutes: setting({
    env: 'GW_UNBILLED_ROUTES',
    kind: optional(namesOutOf('batches', 'fine_tuning')),
    byDefault: null,
    meaning:
      'Routes to enable although the gateway cannot record their cost: `batches`, `fine_tuning`, or both. Requires `GW_ROUTES=all`.',
  }),
  importedKeys: setting({
    env: 'GW_IMPORTED_KEYS',
    kind: onOff(),
    byDefault: false,
    meaning:
      'With `on` the gateway also accepts API keys of another gateway, which `npm run cli -- import litellm` imported. They begin with `sk-` and have no checksum.',
  }),
  trustProxy: setting({
    env: 'GW_TRUST_PROXY',
    kind: trustedProxies(),
    byDefault: false,
    meaning: 'Number or addresses of the proxies in front of the gateway. It trusts their `X-Forwarded-*` headers.',
  }),
  version: setting({
    env: 'GW_VERSION',
    kind: text(/^[\x21-\x7e]{1,100}$/, 'up to 100 printable ASCII characters without spaces'),
    byDefault: '',
    meaning: 'Version in `X-GW-Worker` and in the `/health` response. The default is the version of the build.',
  }),
  docs: setting({
    env: 'GW_DOCS',
    kind: onOff(),
    byDefault: true,
    meaning: 'With `on` the gateway serves the API description as a page (Swagger UI) at `/docs`.',
  }),
  otlpEndpoint: setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: optional(httpUrl()),
    byDefault: null,
    meaning:
      'Base URL of a collector that accepts OTLP. Over HTTP the gateway sends traces to its `/v1/traces` and metrics to its `/v1/metrics`; gRPC uses only host and port. If unset, the gateway exports neither.',
  }),
  otlpProtocol: setting({
    env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    kind: oneOf('http/json', 'http/protobuf', 'grpc'),
    byDefault: 'http/json',
    meaning:
      "Protocol of the collector. `grpc` needs the collector's gRPC port, usually 4317; the others need its HTTP port, usually 4318.",
  }),
  otlpHeaders: setting({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    kind: optional(otlpHeaders()),
    byDefault: null,
    meaning: 'Headers of all requests to the collector, for example `authorization=Bearer%20…`.',
    secret: true,
  }),
  tracesExporter: setting({
    env: 'OTEL_TRACES_EXPORTER',
    kind: oneOf('otlp', 'none'),
    byDefault: 'otlp',
    meaning:
      'With `otlp` the gateway sends traces to the collector, if there is one. With `none` it creates no traces.',
  }),
  metricsExporter: setting({
    env: 'OTEL_METRICS_EXPORTER',
    kind: oneOf('none', 'otlp'),
    byDefault: 'none',
    meaning:
      'With `otlp` the gateway also sends its metrics to the collector. Requires `OTEL_EXPORTER_OTLP_ENDPOINT`. `GW_METRICS_PORT` is independent of it.',
  }),
  metricExportIntervalMs: setting({
    env: 'OTEL_METRIC_EXPORT_INTERVAL',
    kind: integer(1000, 3_600_000),
    byDefault: 60_000,
    meaning: 'Milliseconds between two exports of metrics.',
  }),
  tracesSampler: setting({
    env: 'OTEL_TRACES_SAMPLER',
    kind: oneOf(
      'parentbased_always_on',
      'parentbased_traceidratio',
      'parentbased_always_off',
      'always_on',
      'traceidratio',
      'always_off',
    ),
    byDefault: 'parentbased_always_on',
    meaning:
      "Sampler for traces. The `parentbased_…` samplers follow the sampled flag of the client's `traceparent` header if there is one.",
  }),
  tracesSamplerArg: setting({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    kind: share(),
    byDefault: 1,
    meaning: 'Share of requests that the `traceidratio` samplers trace.',
  }),
  logLevel: setting({
    env: 'LOG_LEVEL',
    kind: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    byDefault: 'info',
    meaning: 'Lowest severity that the gateway logs.',
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

export const ALL_SETTINGS = Object.entries(SETTINGS) as readonly (readonly [SettingName, Setting<unknown>])[];
export const SECRET_SETTINGS = ALL_SETTINGS.filter(([, { secret }]) => secret === true);

type ValueOf<S> = S extends Setting<infer T> ? T : never;
export type Values = { readonly [K in SettingName]: ValueOf<(typeof SETTINGS)[K]> };
