import { accessSync, constants, readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { hostsProblem, withHostParameters } from './database-hosts.rules.js';
import { parametersProblem } from './url-parameters.rules.js';

/** libpq's modes, and `no-verify`, which the driver adds: `require` without a check of the certificate. */
export const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;

export const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;
/** Stands for the certificate authorities of Node and of the operating system. */
export const SYSTEM_ROOTS = 'system';

export interface SslParameters {
  /** Any text if the URL is invalid. `databaseUrlProblem` accepts only `SSL_MODES`. */
  readonly mode: string;
  readonly rootCert: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  readonly password: string | null;
}

/** Without `sslmode`, a URL that names a file or sets `ssl` means verify-full, and any other URL is unencrypted. */
export function sslParametersOf({ searchParams }: URL): SslParameters {
  const given = (name: string) => searchParams.get(name) || null;
  const ssl = given('ssl');
  const named = SSL_FILES.some((name) => given(name) !== null) || given('sslnegotiation') === 'direct';
  const implied = ssl === 'no-verify' ? ssl : named || ssl === 'true' || ssl === '1' ? 'verify-full' : 'disable';
  return {
    mode: given('sslmode') ?? implied,
    rootCert: given('sslrootcert'),
    cert: given('sslcert'),
    key: given('sslkey'),
    password: given('sslpassword'),
  };
}

/** A file in place of a password or of a certificate is read for each connection, so it can be replaced at any time. */
export function secureContextOf({ rootCert, cert, key, password }: SslParameters): SecureContextOptions {
  return {
    ...(rootCert === null || rootCert === SYSTEM_ROOTS ? {} : { ca: readFileSync(rootCert) }),
    ...(cert === null ? {} : { cert: readFileSync(cert) }),
    ...(key === null ? {} : { key: readFileSync(key) }),
    ...(password === null ? {} : { passphrase: password }),
  };
}

const RESERVED = '@ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25';
const AMBIGUOUS =
  `is ambiguous (value not shown). Write these characters in its user, password and other values percent-encoded: ${RESERVED}. ` +
  'Or unset it, and set PGHOST, PGUSER, PGPASSWORD and PGDATABASE.';
const MODES = new Intl.ListFormat('en', { type: 'disjunction' }).format(SSL_MODES);

/**
 * Returns what is wrong with the parts of a URL, as the rest of a sentence after the name of the setting. It never quotes the
 * URL, because an unencoded character moves a part of the password into the host, path or query.
 */
export function databaseUrlProblem(text: string): string | null {
  if (isAmbiguous(text)) return AMBIGUOUS;
  const url = URL.parse(withHostParameters(text));
  return url === null ? null : (hostsProblem(url) ?? parametersProblem(url) ?? sslProblem(sslParametersOf(url)));
}

function isAmbiguous(text: string): boolean {
  const rest = /^postgres(?:ql)?:\/\/(.*)$/s.exec(text)?.[1];
  if (rest === undefined) return false;
  const [authority = ''] = rest.split(/[/?#]/, 1);
  return rest.includes('#') || rest.lastIndexOf('@') > authority.length || authority.split('@').length > 2;
}

function sslProblem(ssl: SslParameters): string | null {
  const { mode, rootCert, cert, key } = ssl;
  if (!(SSL_MODES as readonly string[]).includes(mode)) return `has an unknown sslmode (PGSSLMODE). Use ${MODES}.`;
  if ((cert === null) !== (key === null))
    return 'names only one of sslcert (PGSSLCERT) and sslkey (PGSSLKEY). Set both, or neither.';
  if (rootCert === SYSTEM_ROOTS && mode !== 'verify-full')
    return 'has sslrootcert=system (PGSSLROOTCERT), which requires sslmode=verify-full (PGSSLMODE).';
  if (mode === 'verify-ca' && rootCert === null)
    return (
      'has sslmode=verify-ca without sslrootcert (PGSSLROOTCERT). Set sslrootcert to the file with the certificate authority ' +
      'of the server, or use sslmode=verify-full to trust public authorities.'
    );
  return fileProblem(ssl);
}

function fileProblem(ssl: SslParameters): string | null {
  const files = {
    sslrootcert: ssl.rootCert === SYSTEM_ROOTS ? null : ssl.rootCert,
    sslcert: ssl.cert,
    sslkey: ssl.key,
  };
  for (const [name, file] of Object.entries(files))
    if (file !== null && !isReadable(file))
      return `names a file in ${name} (PG${name.toUpperCase()}) that cannot be read. Fix its path or its permissions.`;
  if (!isUsable({ ...ssl, cert: null, key: null }) || !containsCertificate(files.sslrootcert))
    return 'names a file in sslrootcert (PGSSLROOTCERT) that contains no certificate in PEM format.';
  if (!isUsable({ ...ssl, rootCert: null }))
    return (
      'names files in sslcert (PGSSLCERT) and sslkey (PGSSLKEY) that are not a certificate and its private key in PEM format. ' +
      'Fix the files, or set sslpassword if the key is encrypted.'
    );
  return null;
}

/** Node ignores a file without a certificate, and would then trust no server. */
function containsCertificate(file: string | null): boolean {
  return file === null || readFileSync(file, 'utf8').includes('-----BEGIN CERTIFICATE-----');
}

function isUsable(ssl: SslParameters): boolean {
  try {
    createSecureContext(secureContextOf(ssl));
    return true;
  } catch {
    return false;
  }
}

export function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
