import type { Socket } from 'node:net';
import {
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type ConnectionOptions,
  type SecureContext,
} from 'node:tls';
import { Client, type ClientConfig } from 'pg';
import { hostsOf, targetOf } from '../config/database-hosts.rules.js';
import { passwordSourceOf, type PasswordSource } from '../config/password-source.rules.js';
import { secureContextOf, sslParametersOf, SYSTEM_ROOTS, type SslParameters } from '../config/database-url.js';
import { DRIVER_PARAMETERS } from '../config/url-parameters.rules.js';
import { forgetPassword, readPassword } from './database-password.js';
import { HostChoice, type SessionKind } from './host-choice.js';

interface DatabaseClientConfig extends ClientConfig {
  readonly connectionString: string;
}

/**
 * A `pg` client that interprets the URL as libpq does (ADR 0029). The driver itself would treat `prefer`, `require` and
 * `verify-ca` as `verify-full` and print a warning of several lines. It would throw in its constructor if a file is missing.
 */
export class DatabaseClient extends Client {
  private readonly failure: Error | null;
  private readonly encryption: Encryption;
  private readonly passwordSource: PasswordSource | null;
  private readonly hosts: HostChoice;
  private readonly hostIndex: number;
  private triesNextHost = false;

  constructor({ connectionString, ...options }: DatabaseClientConfig) {
    const { target, encryption, passwordSource, failure, hosts, hostIndex, connectMs } = connectionOf(connectionString);
    const password = passwordSource === null ? target.password : () => this.readPassword(passwordSource);
    const connectionTimeoutMillis = Math.min(options.connectionTimeoutMillis ?? Infinity, connectMs);
    super({
      ...options,
      ...target,
      password,
      ...(Number.isFinite(connectionTimeoutMillis) ? { connectionTimeoutMillis } : {}),
    });
    this.hosts = hosts;
    this.hostIndex = hostIndex;
    this.encryption = encryption;
    this.passwordSource = passwordSource;
    this.failure = failure;
  }

  /**
   * After a failure: whether the next client tries something else immediately. This is the alternative (TLS or plaintext) that
   * `allow` or `prefer` permits, or the next host of the URL.
   */
  get hasAlternative(): boolean {
    return this.encryption.switched || this.triesNextHost;
  }

  /** Called if this server must not be used, so that the next client tries the next host of the URL. */
  leaveHost(): void {
    this.triesNextHost = this.hosts.failed(this.hostIndex);
  }

  override connect(): Promise<this & Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this & Client> | void {
    if (callback === undefined)
      return new Promise((resolve, reject) => {
        this.connect((error: Error | null) => (error ? reject(error) : resolve(this)));
      });
    if (this.failure !== null) return process.nextTick(callback, this.failure);
    // Synchronous, because the caller must add its error listener before the next message of the same packet.
    super.connect((error: Error) => {
      if (error) this.refused(error);
      else if (this.hosts.needsKind) return void this.checkKind(callback);
      else this.hosts.used(this.hostIndex);
      callback(error);
    });
  }

  private async checkKind(callback: (error: Error) => void): Promise<void> {
    const onError = () => undefined;
    this.on('error', onError);
    let failure: Error | null = null;
    try {
      const { rows } = await this.query<SessionKind>(SESSION_KIND);
      this.hosts.check(this.hostIndex, rows[0]!);
      this.hosts.used(this.hostIndex);
    } catch (error) {
      failure = error as Error;
      this.leaveHost();
      void this.end().catch(onError);
    }
    callback(failure as Error);
    this.off('error', onError);
  }

  private refused(error: Error & { readonly code?: string }): void {
    this.encryption.refused(error);
    if (!this.encryption.switched && !isAnswer(error.code)) this.leaveHost();
    const { passwordSource } = this;
    if (passwordSource !== null && error.code?.startsWith(INVALID_AUTHORIZATION_CLASS)) forgetPassword(passwordSource);
  }

  /** Never settles after the connection was closed, because the driver would write to its socket. */
  private async readPassword(source: PasswordSource): Promise<string> {
    const outcome = readPassword(source);
    await outcome.catch(() => undefined);
    const { connection } = this as unknown as { readonly connection: { readonly stream: Socket } };
    return connection.stream.destroyed ? new Promise<never>(() => undefined) : outcome;
  }
}

/** Connects a client. Tries the alternative that `allow` or `prefer` permits, and all hosts of the URL. A client that fails is closed. */
export async function connectClient(config: DatabaseClientConfig): Promise<DatabaseClient> {
  const client = new DatabaseClient(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (client.hasAlternative) return connectClient(config);
    throw error;
  }
}

const SESSION_KIND = `
select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`;

/** As in libpq, a server that rejects the login ends the search. One that is starting or stopping does not. */
const isAnswer = (code = ''): boolean => /^(?!57P0)[0-9A-DF-Z][0-9A-Z]{4}$/.test(code);

interface Connection {
  readonly target: ClientConfig;
  readonly encryption: Encryption;
  /** Null if the password is in the target. */
  readonly passwordSource: PasswordSource | null;
  readonly failure: Error | null;
  readonly hosts: HostChoice;
  /** Index of the host in the URL. */
  readonly hostIndex: number;
  /** `connect_timeout`, which is per host. Infinity without it. */
  readonly connectMs: number;
}

function connectionOf(connectionString: string): Connection {
  const url = new URL(connectionString);
  const given = (name: string) => url.searchParams.get(name) || undefined;
  const all = hostsOf(url);
  const hosts = HostChoice.of(connectionString, all.length, targetOf(url));
  const at = hosts.current;
  const { host, port } = all[at]!;
  const ssl = sslParametersOf(url);
  const encryption = encryptionOf(`${connectionString} ${at}`, ssl.mode);
  const user = given('user') ?? (decodeURIComponent(url.username) || undefined);
  const database = decodeURIComponent(url.pathname.slice(1)) || undefined;
  const forDriver: Record<string, string> = {};
  for (const name of DRIVER_PARAMETERS) if (given(name)) forDriver[name] = given(name)!;
  const target = {
    ...forDriver,
    enableChannelBinding: /^(prefer|require)$/.test(given('channel_binding') ?? ''),
    host,
    port,
    user,
    password: given('password') ?? (decodeURIComponent(url.password) || undefined),
    database,
  };
  const passwordSource = passwordSourceOf(url, { host, port, user: user ?? '', database: database ?? '' });
  const seconds = Number(given('connect_timeout') ?? 0);
  const common = {
    encryption,
    passwordSource,
    hosts,
    hostIndex: at,
    connectMs: seconds > 0 ? seconds * 1000 : Infinity,
  };
  // A Unix socket is never encrypted, as in libpq.
  if (!encryption.encrypts || host.startsWith('/'))
    return { ...common, target: { ...target, ssl: false }, failure: null };
  try {
    return { ...common, target: { ...target, ssl: tlsOptions(ssl, host) }, failure: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const failure = new Error(`sslrootcert, sslcert or sslkey cannot be used: ${code ?? message}`, { cause: error });
    return { ...common, target: { ...target, ssl: false }, failure };
  }
}

function tlsOptions(ssl: SslParameters, host: string): ConnectionOptions {
  const secureContext = secureContextFor(ssl);
  if (ssl.mode === 'verify-full')
    return { secureContext, checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate) };
  // As in libpq, a root certificate makes the weaker modes check the certificate, but not the name in it.
  const verifies = ssl.mode !== 'no-verify' && ssl.rootCert !== null;
  return { secureContext, rejectUnauthorized: verifies, checkServerIdentity: () => undefined };
}

let latest: { readonly files: string; readonly context: SecureContext } | null = null;

/** Loading all system certificate authorities takes 38 ms. A replaced file results in a new context, so certificates can be renewed. */
function secureContextFor(ssl: SslParameters): SecureContext {
  const options = secureContextOf(ssl);
  const files = JSON.stringify([ssl.rootCert === SYSTEM_ROOTS, ...Object.values(options).map(String)]);
  if (latest?.files !== files) {
    const roots = ssl.rootCert === SYSTEM_ROOTS ? { ca: systemRoots() } : {};
    latest = { files, context: createSecureContext({ ...options, ...roots }) };
  }
  return latest.context;
}

const systemRoots = (): string[] => [...getCACertificates('default'), ...getCACertificates('system')];

interface Encryption {
  readonly encrypts: boolean;
  /** Whether `refused` has switched to the alternative (TLS or plaintext), which has not been tried yet. */
  readonly switched: boolean;
  /** @param error why the connection failed */
  refused(error: Error & { readonly code?: string }): void;
}

/** Whether a server accepts TLS or plaintext, by URL and host. A process uses one or two URLs. */
const accepted = new Map<string, boolean>();

/**
 * Decides whether the next connection to a server is encrypted. `prefer` starts with TLS, and `allow` without. If the server refuses,
 * the process uses the alternative until that is refused too. libpq would try both for each connection.
 */
function encryptionOf(server: string, mode: string): Encryption {
  if (mode !== 'prefer' && mode !== 'allow')
    return { encrypts: mode !== 'disable', switched: false, refused: () => undefined };
  const first = mode === 'prefer';
  const encrypts = accepted.get(server) ?? first;
  let switched = false;
  return {
    encrypts,
    get switched() {
      return switched;
    },
    refused(error) {
      if (!isRefusal(error, encrypts)) return;
      accepted.set(server, !encrypts);
      switched = encrypts === first;
    },
  };
}

const INVALID_AUTHORIZATION = '28000';
const INVALID_AUTHORIZATION_CLASS = '28';

/** Whether the server refused the connection. An outage is not a refusal, because it must not turn encryption off. */
function isRefusal({ code = '', message }: Error & { readonly code?: string }, encrypts: boolean): boolean {
  if (code === INVALID_AUTHORIZATION) return true;
  return encrypts && (/does not support SSL/.test(message) || /^(ERR_SSL|ERR_TLS)|CERT|_SIGNATURE$/.test(code));
}
