import type { Socket } from 'node:net';
import {
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type ConnectionOptions,
  type SecureContext,
} from 'node:tls';
import { Client, type ClientConfig } from 'pg';
import { PASSWORD_PARAMETERS, passwordSourceOf, type PasswordSource } from '../config/password-source.rules.js';
import { secureContextOf, sslParametersOf, SYSTEM_ROOTS, type SslParameters } from '../config/database-url.js';
import { forgetPassword, readPassword } from './database-password.js';

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

  constructor({ connectionString, ...options }: DatabaseClientConfig) {
    const { target, encryption, passwordSource, failure } = connectionOf(connectionString);
    const password = passwordSource === null ? target.password : () => this.readPassword(passwordSource);
    super({ ...options, ...target, password });
    this.encryption = encryption;
    this.passwordSource = passwordSource;
    this.failure = failure;
  }

  /** After a failure: whether the next client tries the alternative (TLS or plaintext) that `allow` or `prefer` permits. */
  get hasAlternative(): boolean {
    return this.encryption.switched;
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
      callback(error);
    });
  }

  private refused(error: Error & { readonly code?: string }): void {
    this.encryption.refused(error);
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

/** Connects a client, and retries immediately if `allow` or `prefer` permits an alternative. A client that fails is closed. */
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

interface Connection {
  readonly target: ClientConfig;
  readonly encryption: Encryption;
  /** Null if the password is in the target. */
  readonly passwordSource: PasswordSource | null;
  readonly failure: Error | null;
}

/** Parameters that are not options of the driver. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'uselibpqcompat',
  ...PASSWORD_PARAMETERS,
]);

function connectionOf(connectionString: string): Connection {
  const url = new URL(connectionString);
  const parameters = Object.fromEntries([...url.searchParams].filter(([name]) => !OWN_PARAMETERS.has(name)));
  const host = parameters['host'] || decodeURIComponent(url.hostname).replace(/^\[(.+)\]$/, '$1');
  const ssl = sslParametersOf(url);
  const encryption = encryptionOf(connectionString, ssl.mode);
  const target = {
    ...parameters,
    host,
    port: Number(parameters['port'] || url.port || 0) || undefined,
    user: parameters['user'] || decodeURIComponent(url.username) || undefined,
    password: parameters['password'] || decodeURIComponent(url.password) || undefined,
    database: decodeURIComponent(url.pathname.slice(1)) || undefined,
  };
  const { port = 5432, user = '', database = '' } = target;
  const passwordSource = passwordSourceOf(url, { host, port, user, database });
  const common = { encryption, passwordSource };
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

/** Whether a server accepts TLS or plaintext, by URL. A process uses one or two URLs. */
const accepted = new Map<string, boolean>();

/**
 * Decides whether the next connection to a URL is encrypted. `prefer` starts with TLS, and `allow` without. If the server refuses,
 * the process uses the alternative until that is refused too. libpq would try both for each connection.
 */
function encryptionOf(url: string, mode: string): Encryption {
  if (mode !== 'prefer' && mode !== 'allow')
    return { encrypts: mode !== 'disable', switched: false, refused: () => undefined };
  const first = mode === 'prefer';
  const encrypts = accepted.get(url) ?? first;
  let switched = false;
  return {
    encrypts,
    get switched() {
      return switched;
    },
    refused(error) {
      if (!isRefusal(error, encrypts)) return;
      accepted.set(url, !encrypts);
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
