/** A problem and its remedy. Both texts can contain the host, port, user and database, but no password. */
interface DatabaseProblem {
  readonly message: string;
  readonly advice: string;
}

interface DriverError extends Error {
  readonly code?: string;
}

export function databaseProblem(error: unknown, url: string): DatabaseProblem {
  const { code = '', message } = (error instanceof Error ? error : new Error(String(error))) as DriverError;
  const known =
    TLS_PROBLEMS.find(({ pattern }) => pattern.test(`${code} ${message}`)) ??
    PROBLEMS[code] ??
    Object.values(PROBLEMS_BY_MESSAGE).find(({ pattern }) => pattern.test(message));
  if (known === undefined) {
    return { message: `the database at ${hostOf(url)} cannot be used: ${message || code}`, advice: FIX_URL };
  }
  return { message: `${known.message.replace('{place}', hostOf(url))}${quoted(message)}`, advice: known.advice };
}

/** PGHOST and PGDATABASE can replace DATABASE_URL, and a problem can be in either. */
const SETTINGS = 'DATABASE_URL (or PGHOST and the other PG variables)';
const FIX_URL = `Fix ${SETTINGS}.`;

/** The patterns match the code of Node or PostgreSQL, and the message. */
const TLS_PROBLEMS: readonly (DatabaseProblem & { readonly pattern: RegExp })[] = [
  {
    pattern: /^ERR_TLS_CERT_ALTNAME_INVALID/,
    message: 'the certificate of {place} is for another name',
    advice: 'Use a host name that the certificate contains, or sslmode=verify-ca (PGSSLMODE) with sslrootcert.',
  },
  {
    pattern: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)/,
    message: 'the certificate of {place} is not valid at this time',
    advice: 'Renew the certificate, or correct the clock of this machine.',
  },
  {
    pattern: /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_CA)/,
    message: 'the certificate of {place} is not signed by a trusted authority',
    advice: "Set sslrootcert (PGSSLROOTCERT) to the file with the server's certificate authority.",
  },
  {
    pattern: /client certificate|certificate authentication|certificate required|ALERT_(UNKNOWN_CA|BAD_CERTIFICATE)/i,
    message: '{place} requires another client certificate',
    advice: 'Set sslcert and sslkey (PGSSLCERT, PGSSLKEY) to a certificate of this user.',
  },
  {
    pattern: /no encryption/,
    message: '{place} rejects the user without encryption',
    advice: 'Set sslmode=require or sslmode=verify-full (PGSSLMODE), or fix pg_hba.conf.',
  },
  {
    pattern: /no pg_hba\.conf entry .*SSL encryption/,
    message: '{place} rejects the user with encryption',
    advice: 'Set sslmode=disable (PGSSLMODE), or fix pg_hba.conf.',
  },
  {
    pattern: /does not support SSL/i,
    message: '{place} does not accept encrypted connections',
    advice: 'Set sslmode=disable (PGSSLMODE), or enable ssl on the server.',
  },
];

/** Also for `doctor`. */
export const USE_SESSION_MODE =
  'Set the pooler to session mode, or point DATABASE_URL or PGHOST directly at PostgreSQL.';

const PROBLEMS: Readonly<Record<string, DatabaseProblem>> = {
  GW_SHARED_SESSION: {
    message: '{place} is a connection pooler that is not in session mode',
    advice: USE_SESSION_MODE,
  },
  GW_UNCHECKED_SESSION: {
    message: '{place} is a connection pooler that could not be checked',
    advice: 'Check that the pooler has a free connection and is in session mode.',
  },
  ECONNREFUSED: { message: 'nothing is listening on {place}', advice: `Start PostgreSQL there, or fix ${SETTINGS}.` },
  ENOTFOUND: { message: 'the host name in {place} does not exist', advice: FIX_URL },
  EAI_AGAIN: {
    message: 'the host name in {place} could not be resolved',
    advice: `Check DNS, or fix ${SETTINGS}.`,
  },
  ECONNRESET: {
    message: '{place} reset the connection',
    advice: 'Check that PostgreSQL or its pooler is running there.',
  },
  '28P01': { message: '{place} rejects the user or the password', advice: FIX_URL },
  '28000': { message: '{place} rejects the user', advice: `Fix pg_hba.conf, or ${SETTINGS}.` },
  '3D000': { message: '{place} has no such database', advice: `Create it with createdb, or fix ${SETTINGS}.` },
  '42501': {
    message: '{place} denies access',
    advice: 'Grant the user the missing privileges, which the doctor command lists.',
  },
  '3F000': {
    message: 'the search_path on {place} names no existing schema',
    advice: 'Fix the search_path of the user or of the database.',
  },
  '53300': { message: '{place} has no free connection', advice: 'Raise max_connections or lower GW_DATABASE_POOL.' },
  '57P03': { message: '{place} is starting or stopping', advice: 'Try again in a moment.' },
};

const PROBLEMS_BY_MESSAGE = {
  late: {
    pattern: /timeout|timed out/i,
    message: '{place} did not respond in time',
    advice: `Check for a firewall in between, or fix ${SETTINGS}.`,
  },
  ended: {
    pattern: /Connection terminated/i,
    message: '{place} closed the connection',
    advice: 'Check that PostgreSQL or its pooler is running there.',
  },
  noPassword: {
    pattern: /password must be a string/i,
    message: '{place} requires a password',
    advice: 'Add it to DATABASE_URL (postgres://user:password@host/database), or set PGPASSWORD beside PGHOST.',
  },
} as const;

const quoted = (message: string): string => (message === '' ? '' : ` (${message})`);

function hostOf(url: string): string {
  const { host } = new URL(url);
  return host === '' ? 'the local socket' : host;
}
